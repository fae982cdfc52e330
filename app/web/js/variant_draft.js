/**
 * The parameters of a variant that is being made: changed step by step, never checked here. What can be played
 * is told by the server. Pure.
 */

/** @import {Variant} from "./protocol.js" */

/** @typedef {{row: string, bonus?: number | null, counted?: string, straight?: Record<string, unknown>}} DraftRow */
/** @typedef {{column: string, split?: string, window?: number[], reach?: string, duty?: string}} DraftColumn */
/** @typedef {{at_least: number | null, award: number | null}} DraftStep */
/**
 * @typedef {object} Draft
 * @property {number} dice
 * @property {DraftRow[]} rows
 * @property {DraftColumn[]} columns
 * @property {DraftStep[]} bonus_steps
 * @property {{formula: string, floor: boolean}} middle
 * @property {number} max_hold
 * @property {boolean} auto_fill
 * @property {number} last_cell_rolls
 */

export const NUMBER_ROWS = ["ones", "twos", "threes", "fours", "fives", "sixes"];
const MIDDLE_ROWS = ["max", "min"];
export const LOWER_ROWS = ["two_pairs", "triling", "straight", "full", "poker", "yamb"];
export const ROWS_WITH_COUNTED = ["triling", "poker"];
export const COLUMNS = [
  "down",
  "up",
  "free",
  "announced",
  "late_announced",
  "hand",
  "notification",
  "from_middle",
  "ends_in",
  "both_ends",
  "every_other",
  "final",
  "maximum",
];
/** What a row or column is worth when it is switched on, before anybody changes it. */
const NEW_ROWS = {
  two_pairs: { bonus: 10 },
  triling: { bonus: 20 },
  straight: { straight: { small: 35, large: 45 } },
  full: { bonus: 30 },
  poker: { bonus: 40 },
  yamb: { bonus: 50 },
};
const NEW_COLUMNS = {
  announced: { window: [1] },
  late_announced: { window: [1, 2] },
  notification: { reach: "next", duty: "must" },
  from_middle: { split: "max" },
  ends_in: { split: "max" },
};
const OF_ROWS = ["row", "bonus", "counted", "straight"];
const OF_COLUMNS = ["column", "split", "window", "reach", "duty"];

/** A variant's parameters alone, without what the server derives from them. @param {Variant} variant @returns {Draft} */
export function draftOf(variant) {
  return {
    dice: variant.dice,
    rows: /** @type {DraftRow[]} */ (variant.rows.map((row) => only(OF_ROWS, row))),
    columns: /** @type {DraftColumn[]} */ (variant.columns.map((column) => only(OF_COLUMNS, column))),
    bonus_steps: variant.bonus_steps.map(({ at_least, award }) => ({ at_least, award })),
    middle: { formula: variant.middle.formula, floor: variant.middle.floor },
    max_hold: variant.max_hold,
    auto_fill: variant.auto_fill,
    last_cell_rolls: variant.last_cell_rolls,
  };
}

/**
 * @param {string[]} names
 * @param {object} whole
 */
function only(names, whole) {
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => names.includes(name) && value !== null),
  );
}

/** As many dice can be held as before; where all could, all can. @param {Draft} draft @param {number} dice @returns {Draft} */
export function withDice(draft, dice) {
  const held = draft.max_hold === draft.dice ? dice : Math.min(draft.max_hold, dice);
  return { ...draft, dice, max_hold: held };
}

/**
 * A row switched on or off; max and min only together. The first rows stand in their order, another at the end.
 * @param {Draft} draft
 * @param {string} row
 * @param {boolean} isOn
 * @returns {Draft}
 */
export function withRow(draft, row, isOn) {
  const changed = MIDDLE_ROWS.includes(row) ? MIDDLE_ROWS : [row];
  const others = draft.rows.filter((one) => !changed.includes(one.row));
  if (!isOn) return { ...draft, rows: others };
  const added = changed.map((name) => ({
    row: name,
    ...NEW_ROWS[/** @type {keyof typeof NEW_ROWS} */ (name)],
  }));
  const first = [...NUMBER_ROWS, ...MIDDLE_ROWS];
  const fixed = [...others, ...added].filter((one) => first.includes(one.row));
  fixed.sort((one, other) => first.indexOf(one.row) - first.indexOf(other.row));
  return { ...draft, rows: [...fixed, ...[...others, ...added].filter((one) => !first.includes(one.row))] };
}

/**
 * @param {Draft} draft
 * @param {string} column
 * @param {boolean} isOn
 * @returns {Draft}
 */
export function withColumn(draft, column, isOn) {
  const others = draft.columns.filter((one) => one.column !== column);
  if (!isOn) return { ...draft, columns: others };
  const added = { column, ...NEW_COLUMNS[/** @type {keyof typeof NEW_COLUMNS} */ (column)] };
  return { ...draft, columns: [...others, added] };
}

/**
 * @param {Draft} draft
 * @param {string} row
 * @param {Partial<DraftRow>} changes
 * @returns {Draft}
 */
export function changeRow(draft, row, changes) {
  return { ...draft, rows: draft.rows.map((one) => (one.row === row ? { ...one, ...changes } : one)) };
}

/**
 * @param {Draft} draft
 * @param {string} column
 * @param {Partial<DraftColumn>} changes
 * @returns {Draft}
 */
export function changeColumn(draft, column, changes) {
  const columns = draft.columns.map((one) => (one.column === column ? { ...one, ...changes } : one));
  return { ...draft, columns };
}

/**
 * The list with one of its members a place up or down; unchanged at its ends.
 * @template T
 * @param {T[]} list
 * @param {number} place
 * @param {1 | -1} step
 * @returns {T[]}
 */
export function moved(list, place, step) {
  const other = place + step;
  const [one, two] = [list[place], list[other]];
  if (one === undefined || two === undefined) return list;
  return list.map((item, at) => (at === place ? two : at === other ? one : item));
}

/** Values of a straight where its kind is changed: those that are usual. @param {string} kind */
export function straightOf(kind) {
  return kind === "by_roll" ? { by_roll: [66, 56, 46], shortest: 5 } : { small: 35, large: 45 };
}

/**
 * @param {Draft} draft
 * @param {Record<string, unknown>} changes to the values of the straight
 * @returns {Draft}
 */
export function changeStraight(draft, changes) {
  const now = draft.rows.find((one) => one.row === "straight")?.straight;
  return changeRow(draft, "straight", { straight: { ...now, ...changes } });
}

/**
 * @param {Draft} draft
 * @param {number} at the roll, from 0
 * @param {number | null} value
 * @returns {Draft}
 */
export function changeRoll(draft, at, value) {
  const values = draft.rows.find((one) => one.row === "straight")?.straight?.by_roll;
  if (!Array.isArray(values)) return draft;
  return changeStraight(draft, { by_roll: values.map((one, place) => (place === at ? value : one)) });
}

/**
 * @param {Draft} draft
 * @param {number} place
 * @param {Partial<DraftStep>} changes
 * @returns {Draft}
 */
export function changeStep(draft, place, changes) {
  const steps = draft.bonus_steps.map((one, at) => (at === place ? { ...one, ...changes } : one));
  return { ...draft, bonus_steps: steps };
}

/** One more step, ten points above the last, and ten more for it. @param {Draft} draft @returns {Draft} */
export function withStep(draft) {
  const last = draft.bonus_steps.at(-1);
  const step = { at_least: (last?.at_least ?? 50) + 10, award: (last?.award ?? 20) + 10 };
  return { ...draft, bonus_steps: [...draft.bonus_steps, step] };
}

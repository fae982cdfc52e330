/** The rows of a variant in the builder: which there are, in which order, and what they are worth. */

/** @import {Draft, DraftRow} from "../variant_draft.js" */
import { h } from "../dom.js";
import {
  changeRoll,
  changeRow,
  changeStraight,
  LOWER_ROWS,
  moved,
  NUMBER_ROWS,
  ROWS_WITH_COUNTED,
  straightOf,
  withRow,
} from "../variant_draft.js";
import { rowName, t } from "../words.js";
import { checkField, choiceField, group, numberField, orderButtons } from "./builder_parts.js";

const MOST_POINTS = 1000;
const MIDDLE = ["max", "min"];

/**
 * A step from the present draft, which may be newer than the one that a field was drawn from. `isRedrawn`: the
 * form has other fields afterwards.
 * @typedef {(step: (draft: Draft) => Draft, isRedrawn?: boolean) => void} Change
 */

/**
 * @param {Draft} draft
 * @param {Change} change
 */
export function rowsGroup(draft, change) {
  const present = draft.rows.map((one) => one.row);
  const lower = [...present, ...LOWER_ROWS.filter((row) => !present.includes(row))].filter((row) =>
    LOWER_ROWS.includes(row),
  );
  const fixed = [
    ...NUMBER_ROWS.map((row) => rowBox(draft, row, rowName(row), change)),
    rowBox(draft, "max", MIDDLE.map(rowName).join(", "), change),
  ];
  return group(
    "rows",
    t("builder.rows"),
    h("div", { class: "column-boxes" }, ...fixed),
    h("ul", { class: "builder-list" }, ...lower.map((row) => lowerRow(draft, row, change))),
  );
}

/**
 * @param {Draft} draft
 * @param {string} row
 * @param {string} name
 * @param {Change} change
 */
function rowBox(draft, row, name, change) {
  const isOn = draft.rows.some((one) => one.row === row);
  return checkField(`row-${row}`, [h("span", {}, name)], isOn, (on) =>
    change((now) => withRow(now, row, on), true),
  );
}

/**
 * @param {Draft} draft
 * @param {string} row
 * @param {Change} change
 */
function lowerRow(draft, row, change) {
  const place = draft.rows.findIndex((one) => one.row === row);
  const rule = draft.rows[place];
  const box = rowBox(draft, row, rowName(row), change);
  if (!rule) return h("li", {}, box);
  const first = draft.rows.findIndex((one) => LOWER_ROWS.includes(one.row));
  const shown = { place: place - first, count: draft.rows.length - first };
  // No row of the lower part gets above the first of them.
  const order = orderButtons(`row-${row}`, rowName(row), shown, (step) =>
    change((now) => (place + step < first ? now : { ...now, rows: moved(now.rows, place, step) }), true),
  );
  const worth = row === "straight" ? straight(rule, place, change) : points(rule, place, change);
  return h(
    "li",
    { "data-field": `rows[${place}]` },
    h("div", { class: "builder-head" }, box, order),
    h("div", { class: "builder-fields" }, ...worth),
  );
}

/**
 * @param {DraftRow} rule
 * @param {number} place
 * @param {Change} change
 */
function points(rule, place, change) {
  const { row } = rule;
  const bonus = numberField(
    `bonus-${row}`,
    t("builder.bonus"),
    { field: `rows[${place}].bonus`, value: rule.bonus === undefined ? 0 : rule.bonus, most: MOST_POINTS },
    (value) => change((now) => changeRow(now, row, { bonus: value })),
  );
  if (!ROWS_WITH_COUNTED.includes(row)) return [bonus];
  const counted = choiceField(
    `counted-${row}`,
    t("builder.counted"),
    {
      field: `rows[${place}].counted`,
      value: rule.counted ?? "matching",
      options: ["matching", "all"].map((one) => [one, t(`builder.counted.${one}`)]),
    },
    (value) => change((now) => changeRow(now, row, { counted: value })),
  );
  return [bonus, counted];
}

/**
 * @param {DraftRow} rule
 * @param {number} place
 * @param {Change} change
 */
function straight(rule, place, change) {
  const values = rule.straight ?? {};
  const field = `rows[${place}].straight`;
  const kind = choiceField(
    "straight-kind",
    t("builder.straight"),
    {
      field,
      value: "by_roll" in values ? "by_roll" : "by_size",
      options: ["by_size", "by_roll"].map((one) => [one, t(`builder.straight.${one}`)]),
    },
    (value) => change((now) => changeRow(now, "straight", { straight: straightOf(value) }), true),
  );
  const worths = "by_roll" in values ? byRoll(values, field, change) : bySize(values, field, change);
  return [kind, ...worths];
}

/**
 * @param {Record<string, unknown>} values
 * @param {string} path
 * @param {Change} change
 */
function bySize(values, path, change) {
  const sizes = /** @type {const} */ ({ small: "1-5", large: "2-6" });
  return Object.entries(sizes).map(([size, label]) => {
    const value = /** @type {number | null} */ (values[size]);
    const shown = { field: `${path}.${size}`, value, most: MOST_POINTS, least: 1 };
    return numberField(`straight-${size}`, label, shown, (worth) =>
      change((now) => changeStraight(now, { [size]: worth })),
    );
  });
}

/**
 * @param {Record<string, unknown>} values
 * @param {string} path
 * @param {Change} change
 */
function byRoll(values, path, change) {
  const worths = /** @type {(number | null)[]} */ (values.by_roll);
  const rolls = worths.map((value, at) => {
    const shown = { field: `${path}.by_roll[${at}]`, value, most: MOST_POINTS, least: 1 };
    return numberField(`straight-roll-${at + 1}`, t("builder.roll", { roll: at + 1 }), shown, (worth) =>
      change((now) => changeRoll(now, at, worth)),
    );
  });
  const shortest = choiceField(
    "straight-shortest",
    t("builder.shortest"),
    {
      field: `${path}.shortest`,
      value: String(values.shortest ?? 5),
      options: ["5", "4"].map((one) => [one, one]),
    },
    (value) => change((now) => changeStraight(now, { shortest: Number(value) })),
  );
  return [...rolls, shortest];
}

/**
 * A finished game step by step, as the server tells it: sheets laid over each other, positions, who wrote where.
 * Pure, and without rules: sums and totals come with the steps. Position n is the game after its first n steps.
 */

/** @import {Announced, Cell, Emptied, Filled, Passed, Rolled, Sheet, SheetChanged, Sums, Undone, Variant} from "./protocol.js" */
/** @import {SeatMark} from "./presence.js" */

/** @typedef {Rolled | Announced | Filled | Passed | Undone | Emptied | SheetChanged} StepEvent */
/**
 * @typedef {object} Step a turn; at an own-dice table one event
 * @property {number} seat
 * @property {number} round which of its entries the seat makes
 * @property {StepEvent[]} events
 * @property {Cell | null} announced
 * @property {Record<string, {cells: Record<string, number>, sums: Sums} | null>} columns those it changed, whole
 * @property {number} total
 */
/**
 * @typedef {object} Replay
 * @property {string} game
 * @property {({seat: number, player: string, name: string, ended: string} & import("./tags.js").Tagged)[]} seats
 * @property {Variant} variant as the table played it
 * @property {Step[]} steps
 */
/** @typedef {{rolled: Rolled, kept: number[]}} RollShown `kept`: the dice that were held for the next roll */

/** How a seat's end is told where a bot played from that turn of the game on. */
const BOT_FROM = "bot_from_turn_";

/**
 * The sheets of all seats at every position; what a step leaves as it was is shared.
 * @param {Replay} replay
 * @returns {Sheet[][]}
 */
export function sheetsByPosition({ seats, steps }) {
  let sheets = seats.map(({ seat }) => /** @type {Sheet} */ ({ seat, total: 0, cells: {}, sums: {} }));
  const all = [sheets];
  for (const step of steps) {
    sheets = sheets.map((sheet) => (sheet.seat === step.seat ? sheetAfter(sheet, step) : sheet));
    all.push(sheets);
  }
  return all;
}

/**
 * @param {Sheet} before
 * @param {Step} step
 * @returns {Sheet}
 */
function sheetAfter(before, { columns, total }) {
  const cells = { ...before.cells };
  const sums = { ...before.sums };
  for (const [name, column] of Object.entries(columns)) {
    delete cells[name];
    delete sums[name];
    if (column === null) continue;
    cells[name] = column.cells;
    sums[name] = column.sums;
  }
  return { seat: before.seat, total, cells, sums };
}

/**
 * The position that an address names, moved to where there is one; null where it names none.
 * @param {string | null} text
 * @param {number} last
 */
export function positionIn(text, last) {
  if (text === null) return null;
  const number = Number(text);
  return Number.isNaN(number) ? 0 : clamp(Math.trunc(number), last);
}

/**
 * @param {number} position
 * @param {number} last
 */
export function clamp(position, last) {
  return Math.min(Math.max(position, 0), last);
}

/** What a step wrote and didn't take back. @param {Step | undefined} step @returns {Filled | null} */
export function entryOf(step) {
  if (!step) return null;
  for (const event of step.events.slice().reverse()) {
    if (event.type === "undone") return null;
    if (event.type === "filled") return event;
  }
  return null;
}

/**
 * What the seat wrote last, where nothing else was done on its sheet since.
 * @param {Replay} replay
 * @param {number} position
 * @param {number} seat
 */
export function lastEntry({ steps }, position, seat) {
  return entryOf(steps.slice(0, position).findLast((step) => step.seat === seat));
}

/**
 * After which step the present content of a cell came to be there; null for an empty one.
 * @param {Replay} replay
 * @param {number} position
 * @param {number} seat
 * @param {Cell} cell
 */
export function positionOfEntry({ steps }, position, seat, cell) {
  const index = steps.slice(0, position).findLastIndex((step) => {
    const entry = step.seat === seat ? entryOf(step) : null;
    return entry !== null && entry.column === cell.column && entry.row === cell.row;
  });
  return index < 0 ? null : index + 1;
}

/**
 * The rolls of a step, with what was kept of each.
 * @param {Step} step
 * @returns {RollShown[]}
 */
export function rollsOf({ events }) {
  const rolls = events.filter((event) => event.type === "rolled");
  return rolls.map((rolled, index) => ({ rolled, kept: rolls[index + 1]?.held ?? [] }));
}

/**
 * Whether the seat was a bot's own, or a bot played in its player's place.
 * @param {Replay} replay
 * @param {number} position
 * @param {number} seat
 * @returns {SeatMark | null}
 */
export function markAt({ seats }, position, seat) {
  const ended = seats.find((one) => one.seat === seat)?.ended ?? "played";
  if (ended === "bot") return "bot";
  return ended.startsWith(BOT_FROM) && position >= Number(ended.slice(BOT_FROM.length)) ? "stand_in" : null;
}

/**
 * What every seat had after each of its rounds; a seat that had fewer keeps what it had.
 * @param {Replay} replay
 * @returns {{round: number, totals: number[]}[]}
 */
export function totalsByRound({ seats, steps }) {
  const rounds = Math.max(0, ...steps.map((step) => step.round));
  const known = seats.map(
    ({ seat }) => new Map(steps.flatMap((one) => (one.seat === seat ? [[one.round, one.total]] : []))),
  );
  const totals = seats.map(() => 0);
  return Array.from({ length: rounds }, (_none, index) => {
    for (const [place, byRound] of known.entries())
      totals[place] = byRound.get(index + 1) ?? totals[place] ?? 0;
    return { round: index + 1, totals: [...totals] };
  });
}

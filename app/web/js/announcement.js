/**
 * The sentence of the announcement that concerns a player most: his own duty, now or on his next turn, before
 * what others owe. Pure.
 */

/** @import {CalledCell, Cell, Turn} from "./protocol.js" */
/** @import {Model} from "./state.js" */
import { nameOf } from "./state.js";
import { columnName, listOr, rowName, t } from "./words.js";

/**
 * @param {Model} model
 * @param {number | null} me the player's seat, null for a visitor
 * @returns {string} empty when nothing is announced
 */
export function announcementText(model, me) {
  const turn = model.table?.turn;
  if (!turn) return "";
  const duty = turn.seat === me ? dutySentence(model, turn) : "";
  return duty || pendingSentence(model, turn, me) || othersSentence(model, turn, me);
}

/**
 * What the player to move owes in this turn.
 * @param {Model} model
 * @param {Turn} turn
 */
export function dutySentence(model, turn) {
  return turn.bound ? callsSentence(model, `duty.${turn.bound.duty}`, turn.bound.cells) : "";
}

/**
 * @param {Model} model
 * @param {Turn} turn
 * @param {number | null} me
 */
function pendingSentence(model, turn, me) {
  const pending = turn.pending.filter((one) => one.seat === me);
  return pending[0] ? callsSentence(model, `pending.${pending[0].duty}`, pending) : "";
}

/**
 * Who announced what, and what it asks for. A row that two announced is named once.
 * @param {Model} model
 * @param {string} key of the sentence for one cell
 * @param {CalledCell[]} calls
 */
function callsSentence(model, key, calls) {
  const byRow = new Map(calls.toReversed().map((one) => [one.row, one]));
  const [call, ...others] = calls.filter((one) => byRow.get(one.row) === one);
  if (!call) return "";
  const values = (/** @type {CalledCell} */ one) => ({ name: nameOf(model, one.by), ...names(one) });
  if (others.length === 0) return t(key, values(call));
  const told = [call, ...others].map((one) => t("banner.announced", values(one)));
  return [...told, t(`${key}_one`, names(call))].join(" ");
}

/**
 * @param {Model} model
 * @param {Turn} turn
 * @param {number | null} me
 */
function othersSentence(model, turn, me) {
  const name = nameOf(model, turn.seat);
  if (turn.announced) {
    return t(turn.seat === me ? "banner.you_announced" : "banner.announced", {
      name,
      ...names(turn.announced),
    });
  }
  const [cell] = turn.bound?.cells ?? [];
  if (!turn.bound || !cell) return "";
  const row = listOr(turn.bound.cells.map((one) => rowName(one.row)));
  return t(`banner.${turn.bound.duty}`, { name, ...names(cell), row });
}

/** @param {Cell} cell */
function names(cell) {
  return { row: rowName(cell.row), column: columnName(cell.column) };
}

/**
 * The sentence of the announcement that concerns a player most: his own duty, now or on his next turn, before
 * what others owe. Pure.
 */

/** @import {Cell, Pending, Turn} from "./protocol.js" */
/** @import {Model} from "./state.js" */
import { nameOf } from "./state.js";
import { columnName, rowName, t } from "./words.js";

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
  const cell = turn.bound?.cells[0];
  if (!turn.bound || !cell) return "";
  return t(`duty.${turn.bound.duty}`, { name: nameOf(model, turn.bound.by), ...names(cell) });
}

/**
 * @param {Model} model
 * @param {Turn} turn
 * @param {number | null} me
 */
function pendingSentence(model, turn, me) {
  const pending = turn.pending.find((one) => one.seat === me);
  return pending ? t(`pending.${pending.duty}`, { name: nameOf(model, pending.by), ...names(pending) }) : "";
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
  const cell = turn.bound?.cells[0];
  return cell ? t(`banner.${turn.bound?.duty}`, { name, ...names(cell) }) : "";
}

/** @param {Cell | Pending} cell */
function names(cell) {
  return { row: rowName(cell.row), column: columnName(cell.column) };
}

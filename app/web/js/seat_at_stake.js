/**
 * The table at which the player of this browser sits in a game: its seat belongs to the session, and another
 * account has none there.
 */

/** @import {Model} from "./state.js" */
import { findRoom } from "./api.js";
import { mySeat } from "./state.js";

const KEY = "yamb.seat";

/** Notes or forgets the table, as its state says. @param {Model} model @param {Storage} [shelf] */
export function noteSeat(model, shelf = localStorage) {
  const { table } = model;
  if (!table) return;
  const { code, phase } = table.room;
  try {
    if (phase === "playing" && mySeat(model)) shelf.setItem(KEY, code);
    else if (shelf.getItem(KEY) === code) shelf.removeItem(KEY);
  } catch {
    // Without storage there is no warning, and the game goes on.
  }
}

/** @param {Storage} [shelf] */
export function forgetSeat(shelf = localStorage) {
  try {
    shelf.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** @returns {Promise<string | null>} the code of the room whose game is still going on */
export async function seatAtStake() {
  const code = noted();
  if (code === null) return null;
  return (await findRoom(code))?.phase === "playing" ? code : null;
}

function noted() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

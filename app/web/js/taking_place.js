/**
 * What the page does by itself in a room before the start: takes the maker's seat, fills a game against bots, and starts a game that
 * nobody else can start. Pure: the next command, or none.
 */

/** @import {Command} from "./protocol.js" */
/** @import {Model} from "./state.js" */
import { addBot, join, newDiceText, ready, start } from "./protocol.js";
import { isHost, mySeat } from "./state.js";

/**
 * @typedef {object} Wish
 * @property {boolean} join the player came to play
 * @property {number} bots against how many bots; 0: other people come, or nobody
 * @property {string | null} rematch the game after which the player wants another one
 */

/**
 * @param {Model} model
 * @param {Wish} wish
 * @returns {Command | null}
 */
export function nextStep(model, wish) {
  const { table } = model;
  if (table?.room.phase !== "lobby") return null;
  const seat = mySeat(model);
  const isAlone = isHost(model) && (table.room.max_seats === 1 || wish.bots > 0);
  if (seat === null) return wish.join || isAlone ? join() : null;
  if (wish.rematch !== null && table.room.previous_game === wish.rematch && !seat.ready)
    return ready(true, newDiceText());
  if (!isAlone) return null;
  const bots = table.seats.filter((one) => one.kind === "bot").length;
  if (bots < wish.bots && table.seats.length < table.room.max_seats) return addBot();
  if (!seat.ready) return ready(true, seat.text === "" ? newDiceText() : null);
  return table.seats.every((one) => one.ready) ? start() : null;
}

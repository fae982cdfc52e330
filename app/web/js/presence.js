/**
 * Who is at the table, as the others see it, and what is said when that changes. Pure.
 */

/** @import {GameEvent, Presence, PresenceTold} from "./protocol.js" */
/** @import {Model} from "./state.js" */
/** @import {Verbosity} from "./preferences.js" */
import { nameOf } from "./state.js";
import { t } from "./words.js";

/**
 * A bot's own seat, a bot in a player's place, or a seat that its player left and nobody plays.
 * @typedef {Exclude<Presence, "here"> | "bot" | "stand_in" | "left"} SeatMark
 */

/** These two say that messages don't arrive; `away` is only a page out of sight. @type {Presence[]} */
const OUT_OF_REACH = ["reconnecting", "gone"];

/**
 * @param {Model} model
 * @param {string} player
 * @returns {Presence}
 */
export function presenceOf(model, player) {
  return stateIn(model.presence, player);
}

/**
 * What is worth a sign beside the name on a seat; null where all is as it should be.
 * @param {Model} model
 * @param {number} number
 * @returns {SeatMark | null}
 */
export function seatMark(model, number) {
  const seat = model.table?.seats.find((one) => one.seat === number);
  if (!seat) return null;
  if (seat.kind === "bot") return "bot";
  const turn = model.table?.turn;
  if (seat.left && model.table?.room.own_dice) return "left";
  if (seat.left || (turn?.seat === number && turn.bot)) return "stand_in";
  const state = presenceOf(model, seat.player);
  return state === "here" || seat.player === model.you?.player ? null : state;
}

/** What the others should read beside a seat, where a sign alone says too little. @type {SeatMark[]} */
const TOLD_IN_WORDS = ["stand_in", "left", "reconnecting", "gone"];

/** @param {SeatMark | null} mark */
export function isToldInWords(mark) {
  return mark !== null && TOLD_IN_WORDS.includes(mark);
}

/**
 * Whether the host has just sent this player away.
 * @param {Model} model
 * @param {GameEvent[]} events
 */
export function isSentAway(model, events) {
  return events.some((one) => one.type === "kicked" && one.player === model.you?.player);
}

/** How many watch without a seat. @param {Model} model */
export function spectators(model) {
  return model.presence?.spectators ?? 0;
}

/**
 * "Medo is reconnecting." and "Medo is back.", once for each change.
 * @param {Model} before
 * @param {Model} after
 * @param {Verbosity} verbosity in full also who has put the page out of sight
 */
export function presenceLine(before, after, verbosity) {
  if (before.presence === null || after.presence === null) return "";
  const lines = [...new Map(after.presence.players.map((one) => [one.player, one])).values()].map(
    ({ player, state }) => {
      if (player === after.you?.player) return "";
      const seat = after.table?.seats.find((one) => one.player === player)?.seat;
      const name = seat === undefined ? "" : nameOf(after, seat);
      return name === "" ? "" : changeSentence(stateIn(before.presence, player), state, name, verbosity);
    },
  );
  return lines.filter((line) => line !== "").join(" ");
}

/**
 * @param {Presence} from
 * @param {Presence} to
 * @param {string} name
 * @param {Verbosity} verbosity
 */
function changeSentence(from, to, name, verbosity) {
  if (from === to) return "";
  if (OUT_OF_REACH.includes(to)) return t(`say.${to}`, { name });
  if (OUT_OF_REACH.includes(from)) return t("say.back", { name });
  if (verbosity !== "full") return "";
  return t(to === "away" ? "say.away" : "say.back", { name });
}

/**
 * @param {PresenceTold | null} told
 * @param {string} player
 * @returns {Presence}
 */
function stateIn(told, player) {
  return told?.players.find((one) => one.player === player)?.state ?? "here";
}

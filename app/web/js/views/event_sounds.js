/** Which sound goes with what happened. */

/** @import {GameEvent} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Sound} from "../sounds.js" */
import { play } from "../sounds.js";
import { isMyTurn } from "../state.js";

/**
 * @param {Model} model
 * @param {GameEvent[]} events
 * @param {boolean} isTurnNew
 */
export function playEvents(model, events, isTurnNew) {
  const sounds = events.flatMap((event) => soundOf(event) ?? []);
  // Of several at once the last says most; an announcement is never swallowed.
  const sound = sounds.includes("announce") ? "announce" : sounds.at(-1);
  if (sound) play(sound);
  if (isTurnNew && isMyTurn(model) && (model.table?.seats.length ?? 1) > 1)
    setTimeout(() => play("turn"), 350);
}

/** @param {GameEvent} event @returns {Sound | null} */
function soundOf(event) {
  switch (event.type) {
    case "rolled":
      return "roll";
    case "announced":
      return "announce";
    case "filled":
      if (event.score === 0) return "zero";
      return event.row === "yamb" ? "yamb" : "write";
    default:
      return null;
  }
}

/**
 * What is said aloud of the room itself: bots, who leaves and comes back, whom the others wait for. Pure.
 */

/** @import {GameEvent} from "./protocol.js" */
/** @import {Model} from "./state.js" */
import { mySeat, nameOf, nameOfPlayer } from "./state.js";
import { t } from "./words.js";

/**
 * @param {Model} model after the update
 * @param {GameEvent} event
 * @returns {string} empty for what isn't of the room, or says nothing
 */
export function roomSentence(model, event) {
  const isMine = "seat" in event && event.seat === mySeat(model)?.seat;
  const name = "seat" in event ? nameOf(model, event.seat) : "";
  switch (event.type) {
    case "bot_added":
      return t("say.joined", { name: event.name });
    case "kicked":
      return event.player === model.you?.player
        ? t("say.you_kicked")
        : t("say.kicked", { name: nameOfPlayer(model, event) });
    case "seat_left":
      // With real dice nobody can play on.
      if (model.table?.room.own_dice) return t(isMine ? "leave.left" : "say.left", { name });
      return t(isMine ? "say.you_left_game" : "say.left_game", { name });
    case "seat_returned":
      return t(isMine ? "say.you_returned" : "say.returned", { name });
    case "host_passed":
      return event.player === model.you?.player
        ? t("say.you_host")
        : t("say.host", { name: nameOfPlayer(model, event) });
    case "called_out":
      return t(`say.${isMine ? "you_" : ""}called_out.${event.reason}`, { name });
    case "waited":
      return t(isMine ? "say.you_waited" : "say.waited", { name });
    case "bot_chosen":
      return t(isMine ? "say.you_bot_chosen" : "say.bot_chosen", { name });
    case "chat_set":
      return t(event.on ? "say.chat_on" : "say.chat_off");
    case "kept":
      return isMine ? t(event.kept ? "say.you_kept" : "say.you_not_kept") : "";
    case "rematch":
      return t("say.rematch");
    default:
      return "";
  }
}

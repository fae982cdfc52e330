/** What was said at the table, as words and as lines of the log. */

/** @import {Emoted, Said} from "../protocol.js" */
/** @import {Model} from "../state.js" */
import { h } from "../dom.js";
import { nameOfPlayer } from "../state.js";
import { has, t } from "../words.js";

/**
 * In the words of whoever reads; the key of an emote that this page doesn't know says nothing.
 * @param {Said | Emoted} message
 */
function words(message) {
  if (message.type === "said") return message.text;
  return has(`emote.${message.emote}`) ? t(`emote.${message.emote}`) : "";
}

/** @param {Model} model @param {Said | Emoted} message */
export function talkText(model, message) {
  const text = words(message);
  return text === "" ? "" : t("chat.line", { name: nameOfPlayer(model, message), text });
}

/** Text as text: what looks like markup is shown as it was typed. @param {Model} model @param {Said | Emoted} message */
export function logLine(model, message) {
  return h(
    "p",
    { class: `chat-line ${message.type}`, "data-testid": "chat-line" },
    h("b", {}, `${nameOfPlayer(model, message)}:`),
    " ",
    words(message),
  );
}

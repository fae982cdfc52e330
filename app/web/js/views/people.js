/** Who is at a table in play, and what can be done about it: leave, remove a player, switch the chat. */

/** @import {Seat} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
import { h } from "../dom.js";
import { presenceOf, seatMark, spectators } from "../presence.js";
import { kick, leave, setChat } from "../protocol.js";
import { openDialog } from "../shell.js";
import { isHost, mySeat } from "../state.js";
import { t, tn } from "../words.js";
import { playerMark } from "./chips.js";

/**
 * @param {Model} model
 * @param {Line} line
 */
export function openPeople(model, line) {
  const { seats, room } = /** @type {NonNullable<Model["table"]>} */ (model.table);
  const list = h("ul", { class: "seats" }, ...seats.map((seat) => personLine(model, line, seat, close)));
  const watching = h("p", { class: "muted" }, tn("room.spectators", spectators(model)));
  const dialog = openDialog(t("people.title"), [
    list,
    watching,
    ...(isHost(model) ? [chatSwitch(room.chat, line)] : []),
  ]);
  function close() {
    dialog.close();
  }
}

/**
 * What stands beside a name: "host, reconnecting".
 * @param {Model} model
 * @param {Seat} seat
 */
export function personNotes(model, seat) {
  const mark = seatMark(model, seat.seat);
  return [
    seat.player === model.you?.player && t("you"),
    seat.player === model.table?.room.host && t("lobby.host"),
    seat.kept && t("keep.note"),
    mark && t(`presence.${mark}`),
    mark === "stand_in" && presenceOf(model, seat.player) === "gone" && t("presence.gone"),
  ].filter(Boolean);
}

/**
 * @param {Model} model
 * @param {Line} line
 * @param {Seat} seat
 * @param {() => void} done
 */
function personLine(model, line, seat, done) {
  const canRemove = isHost(model) && seat.player !== model.you?.player && seat.kind !== "bot" && !seat.barred;
  const remove = h("button", { type: "button", "data-testid": `kick-${seat.seat}` }, t("people.remove"));
  remove.setAttribute("aria-label", t("people.remove_name", { name: seat.name }));
  remove.addEventListener("click", () => {
    done();
    askToRemove(seat, line);
  });
  return h(
    "li",
    {},
    playerMark(seat.seat, seat.name, seatMark(model, seat.seat)),
    h("span", { class: "seat-name" }, seat.name),
    h("span", { class: "muted" }, personNotes(model, seat).join(", ")),
    canRemove && h("span", { class: "ready-mark" }, remove),
  );
}

/**
 * @param {boolean} isOn
 * @param {Line} line
 */
function chatSwitch(isOn, line) {
  const box = h("input", { type: "checkbox", "data-testid": "chat-switch", checked: isOn });
  box.addEventListener("change", () => {
    const isOn = box.checked;
    if (!line.give(() => setChat(isOn))) box.checked = !isOn;
  });
  return h("label", { class: "check" }, box, h("span", {}, t("chat.switch")));
}

/**
 * @param {Seat} seat
 * @param {Line} line
 */
function askToRemove(seat, line) {
  ask(t("people.remove_name", { name: seat.name }), t("people.remove_question", { name: seat.name }), {
    yes: t("people.remove"),
    give: () => line.give(() => kick(seat.seat)),
  });
}

/**
 * Leaves the game, after a question; the seat can be taken back.
 * @param {Model} model
 * @param {Line} line
 * @param {number | null} [seat] which of the player's seats, where he has several
 */
export function askToLeave(model, line, seat = mySeat(model)?.seat ?? null) {
  const isOwnDice = model.table?.room.own_dice;
  ask(t("leave.title"), t(isOwnDice ? "leave.question_own_dice" : "leave.question"), {
    yes: t("leave.leave"),
    give: () => line.give(() => leave(seat)),
  });
}

/**
 * @param {string} title
 * @param {string} question
 * @param {{yes: string, give: () => boolean}} answer
 */
export function ask(title, question, { yes, give }) {
  const stay = h("button", { type: "button", "data-testid": "ask-no" }, t("dock.cancel"));
  const go = h("button", { type: "button", class: "primary", "data-testid": "ask-yes" }, yes);
  const dialog = openDialog(title, [h("p", {}, question), h("div", { class: "buttons" }, stay, go)]);
  stay.addEventListener("click", () => dialog.close());
  go.addEventListener("click", () => {
    if (give()) dialog.close();
  });
}

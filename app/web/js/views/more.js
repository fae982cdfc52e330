/** What the dock has no room for: the list of moves, the score panel, holding all, the link to the table, the keys. */

/** @import {TableView} from "./table.js" */
import { h } from "../dom.js";
import { openDialog } from "../shell.js";
import { mySeat } from "../state.js";
import { t, tn } from "../words.js";
import { KeepSwitch } from "./keep_switch.js";
import { askToLeave, openPeople } from "./people.js";
import { shareBox } from "./share.js";

/** @param {TableView} table */
export function openMore(table) {
  const { model, line, chat } = table;
  const me = mySeat(model);
  const items = [
    ...(chat.isUseful ? [item("chat-item", chatText(chat.unread), () => chat.open())] : []),
    item("moves-open", t("moves.title"), () => table.openMoves()),
    item("panel-open", t("panel.title"), () => table.openPanel()),
    ...(table.canUndo() ? [item("undo", t("more.undo"), () => table.undo())] : []),
    ...(table.canHold() ? holdItems(table) : []),
    item("people-open", t("people.title"), () => openPeople(model, line)),
    item("keys-open", t("help.keys"), () => table.openHelp()),
    ...(me && !me.left ? [item("leave-game", t("leave.title"), () => askToLeave(model, line))] : []),
    h("a", { class: "button", href: "/" }, t("more.leave")),
  ];
  const keep = new KeepSwitch(model, line);
  const code = table.model.table?.room.code ?? "";
  const dialog = openDialog(t("dock.more"), [
    h("div", { class: "stack" }, ...items),
    keep.element,
    shareBox(code),
  ]);
  // First, so that what a button opens isn't closed with this.
  for (const one of items) one.addEventListener("click", () => dialog.close(), { capture: true });
}

/** @param {number} unread */
function chatText(unread) {
  return unread === 0 ? t("chat.title") : tn("chat.open_unread", unread);
}

/** @param {TableView} table */
function holdItems(table) {
  return [
    item("hold-all", t("more.hold_all"), () => table.holdAll(true)),
    item("hold-none", t("more.hold_none"), () => table.holdAll(false)),
  ];
}

/**
 * @param {string} testId
 * @param {string} text
 * @param {() => void} action
 */
function item(testId, text, action) {
  return h("button", { type: "button", "data-testid": testId, onclick: action }, text);
}

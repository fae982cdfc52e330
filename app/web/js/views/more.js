/** What the dock has no room for: the list of moves, the score panel, holding all, the link to the table, the keys. */

/** @import {TableView} from "./table.js" */
import { h } from "../dom.js";
import { openDialog } from "../shell.js";
import { t } from "../words.js";
import { shareBox } from "./share.js";

/** @param {TableView} table */
export function openMore(table) {
  const items = [
    item("moves-open", t("moves.title"), () => table.openMoves()),
    item("panel-open", t("panel.title"), () => table.openPanel()),
    ...(table.canUndo() ? [item("undo", t("more.undo"), () => table.undo())] : []),
    ...(table.canHold() ? holdItems(table) : []),
    item("keys-open", t("help.keys"), () => table.openHelp()),
    h("a", { class: "button", href: "/" }, t("more.leave")),
  ];
  const code = table.model.table?.room.code ?? "";
  const dialog = openDialog(t("dock.more"), [h("div", { class: "stack" }, ...items), shareBox(code)]);
  // First, so that what a button opens isn't closed with this.
  for (const one of items) one.addEventListener("click", () => dialog.close(), { capture: true });
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

/** What the dock has no room for: the list of moves, holding all, the link to the table, the keys. */

/** @import {TableView} from "./table.js" */
import { h } from "../dom.js";
import { openDialog } from "../shell.js";
import { t } from "../words.js";
import { shareBox } from "./share.js";

/** @param {TableView} table */
export function openMore(table) {
  /** @type {HTMLDialogElement} */
  let dialog;
  const item = (/** @type {string} */ testId, /** @type {string} */ text, /** @type {() => void} */ action) =>
    h("button", { type: "button", "data-testid": testId, onclick: () => (dialog.close(), action()) }, text);
  const holds = table.canHold()
    ? [
        item("hold-all", t("more.hold_all"), () => table.holdAll(true)),
        item("hold-none", t("more.hold_none"), () => table.holdAll(false)),
      ]
    : [];
  const items = [
    item("moves-open", t("moves.title"), () => table.openMoves()),
    ...holds,
    item("keys-open", t("help.keys"), () => table.openHelp()),
  ];
  const code = table.model.table?.room.code ?? "";
  const leave = h("a", { class: "button", href: "/" }, t("more.leave"));
  leave.addEventListener("click", () => dialog.close());
  dialog = openDialog(t("dock.more"), [h("div", { class: "stack" }, ...items, leave), shareBox(code)]);
}

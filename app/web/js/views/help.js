/** The keys and the signs, in a dialog. */

import { h } from "../dom.js";
import { openDialog } from "../shell.js";
import { sign } from "../signs.js";
import { columnName, t } from "../words.js";

const KEYS = [
  ["R", "roll"],
  ["1-6", "hold"],
  ["Shift+1-6", "hold_value"],
  ["0 / H", "hold_all"],
  ["← ↑ → ↓", "move"],
  ["Home, End, Ctrl+Home, Ctrl+End", "ends"],
  ["PgUp, PgDn", "section"],
  ["Enter", "arm"],
  ["W / Esc", "write"],
  ["N / P", "legal"],
  ["L", "moves"],
  ["A", "announce"],
  ["D / S / T", "read"],
  ["[ / ] / Backspace", "sheets"],
  ["M / ?", "mute"],
];
const COLUMNS = [
  "down",
  "up",
  "free",
  "announced",
  "hand",
  "notification",
  "from_middle",
  "ends_in",
  "final",
  "maximum",
];

export function openHelp() {
  openDialog(t("help.title"), [
    h("h3", {}, t("help.keys")),
    h("p", {}, t("help.keys_note")),
    h(
      "table",
      { class: "plain" },
      h("caption", { class: "vh" }, t("help.keys")),
      head("help.key", "help.does"),
      h("tbody", {}, ...KEYS.map(keyLine)),
    ),
    h("h3", {}, t("help.columns")),
    columnTable(COLUMNS),
  ]);
}

/**
 * Sign, name and rule of columns.
 * @param {string[]} columns
 */
export function columnTable(columns) {
  const lines = columns.map((column) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "with-sign" }, sign(column), columnName(column))),
      h("td", {}, t(`column.rule.${column}`)),
    ),
  );
  return h(
    "table",
    { class: "plain" },
    h("caption", { class: "vh" }, t("help.columns")),
    head("rules.column", "rules.how"),
    h("tbody", {}, ...lines),
  );
}

/** @param {string[]} keys */
function head(...keys) {
  return h("thead", {}, h("tr", {}, ...keys.map((key) => h("th", { scope: "col" }, t(key)))));
}

/** @param {string[]} line */
function keyLine([key = "", does = ""]) {
  return h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, t(`key.${does}`)));
}

/** The keys and the signs, in a dialog. */

/** @import {Variant, VariantNames} from "../protocol.js" */
/** @import {ShownColumn} from "../variant_words.js" */
import { h } from "../dom.js";
import { openDialog } from "../shell.js";
import { sign } from "../signs.js";
import { COLUMNS } from "../variant_draft.js";
import { ruleKey } from "../variant_words.js";
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
  ["U", "undo"],
  ["N / P", "legal"],
  ["L", "moves"],
  ["A", "announce"],
  ["D / S / T", "read"],
  ["Shift+S", "panel"],
  ["[ / ] / Backspace", "sheets"],
  ["C", "chat"],
  ["M / ?", "mute"],
  ["← → Home, End", "replay"],
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
    columnTable(COLUMNS.map((column) => ({ column }))),
  ]);
}

/**
 * Sign, name and rule of columns, and what a variant's own description calls them.
 * @param {ShownColumn[]} columns
 * @param {VariantNames | null} [names]
 */
export function columnTable(columns, names = null) {
  const lines = columns.map((one) => {
    const name = h("span", { class: "with-sign" }, sign(one.column), columnName(one.column));
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name, ownWord(names, "columns", one.column)),
      h("td", {}, t(ruleKey(one))),
    );
  });
  return h(
    "table",
    { class: "plain" },
    h("caption", { class: "vh" }, t("help.columns")),
    head("rules.column", "rules.how"),
    h("tbody", {}, ...lines),
  );
}

/**
 * Name and rule, with the word of the variant's own description.
 * @param {Variant | undefined} variant
 * @param {string} column
 */
export function aboutColumn(variant, column) {
  const shown = variant?.columns.find((one) => one.column === column) ?? { column };
  const word = ownWordOf(variant?.names, "columns", column);
  const name = word === null ? columnName(column) : `${columnName(column)} (${word})`;
  return t("column.about", { column: name, rule: t(ruleKey(shown)) });
}

/**
 * @param {VariantNames | null | undefined} names
 * @param {"rows" | "columns"} kind
 * @param {string} key
 */
export function ownWord(names, kind, key) {
  const word = ownWordOf(names, kind, key);
  return word !== null && h("span", { class: "own-word", lang: names?.language }, word);
}

/**
 * The description's own word, unless it is the standard name.
 * @param {VariantNames | null | undefined} names
 * @param {"rows" | "columns"} kind
 * @param {string} key
 */
function ownWordOf(names, kind, key) {
  const word = names?.[kind][key] ?? null;
  return word === t(`${kind === "rows" ? "row" : "column"}.${key}`) ? null : word;
}

/** @param {string[]} keys */
function head(...keys) {
  return h("thead", {}, h("tr", {}, ...keys.map((key) => h("th", { scope: "col" }, t(key)))));
}

/** @param {string[]} line */
function keyLine([key = "", does = ""]) {
  return h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, t(`key.${does}`)));
}

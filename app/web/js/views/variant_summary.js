/** A variant in plain words, made from its parameters: nothing about a variant is known here by heart. */

/** @import {Variant} from "../protocol.js" */
import { h } from "../dom.js";
import { variantTitle } from "../speech.js";
import { besides, isShort, rowScore, variantNumbers } from "../variant_words.js";
import { columnName, listOr, rowName, t, tn } from "../words.js";
import { columnTable, ownWord } from "./help.js";

/**
 * @param {Variant} variant
 * @param {string[]} [dropped]
 */
export function variantSummary(variant, dropped = []) {
  const columns = variant.columns.filter((one) => !dropped.includes(one.column));
  const lines = [
    h("p", {}, h("strong", {}, variantTitle(variant)), ` · ${variantNumbers(variant, dropped)}`),
  ];
  if (dropped.length > 0)
    lines.push(h("p", {}, t("summary.dropped", { columns: listOr(dropped.map(columnName)) })));
  lines.push(h("p", { class: "muted" }, columns.map((one) => columnName(one.column)).join(", ")));
  return lines;
}

/** Rows with their scores and columns with their rules. @param {Variant} variant */
export function variantRules(variant) {
  return [
    h("p", {}, [tn("summary.dice", variant.dice), tn("summary.turns", variant.turns)].join(" · ")),
    rowTable(variant),
    h("p", {}, besides(variant).join(" ")),
    columnTable(variant.columns, variant.names),
  ];
}

/** @param {Variant} variant */
function rowTable(variant) {
  const lines = variant.rows.map((row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, rowName(row.row), ownWord(variant.names, "rows", row.row)),
      h("td", {}, t(isShort(row) ? "row.rule.straight_short" : `row.rule.${row.row}`)),
      h("td", {}, rowScore(row)),
    ),
  );
  const heads = ["rules.row", "rules.needs", "rules.score"].map((key) => h("th", { scope: "col" }, t(key)));
  return h(
    "table",
    { class: "plain" },
    h("caption", {}, t("rules.rows")),
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...lines),
  );
}

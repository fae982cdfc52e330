/** The columns of a variant in the builder: which there are, in which order, and their parameters. */

/** @import {Draft, DraftColumn} from "../variant_draft.js" */
/** @import {Change} from "./builder_rows.js" */
import { h } from "../dom.js";
import { sign } from "../signs.js";
import { COLUMNS, changeColumn, moved, withColumn } from "../variant_draft.js";
import { ruleKey } from "../variant_words.js";
import { columnName, rowName, t } from "../words.js";
import { checkField, choiceField, group, orderButtons } from "./builder_parts.js";

/**
 * @param {Draft} draft
 * @param {Change} change
 */
export function columnsGroup(draft, change) {
  const absent = COLUMNS.filter((column) => draft.columns.every((one) => one.column !== column));
  return group(
    "columns",
    t("builder.columns"),
    h("p", { class: "muted" }, t("lobby.columns_needs")),
    h(
      "ul",
      { class: "builder-list" },
      ...draft.columns.map((one, place) => present(draft, one, place, change)),
      ...absent.map((column) => h("li", {}, columnBox(column, false, change))),
    ),
  );
}

/**
 * @param {string} column
 * @param {boolean} isOn
 * @param {Change} change
 */
function columnBox(column, isOn, change) {
  return checkField(`column-${column}`, [sign(column), h("span", {}, columnName(column))], isOn, (on) =>
    change((now) => withColumn(now, column, on), true),
  );
}

/**
 * @param {Draft} draft
 * @param {DraftColumn} one
 * @param {number} place
 * @param {Change} change
 */
function present(draft, one, place, change) {
  const { column } = one;
  const shown = { place, count: draft.columns.length };
  const order = orderButtons(`column-${column}`, columnName(column), shown, (step) =>
    change((now) => ({ ...now, columns: moved(now.columns, place, step) }), true),
  );
  const fields = parameters(one, `columns[${place}]`, change);
  return h(
    "li",
    { "data-field": `columns[${place}]` },
    h("div", { class: "builder-head" }, columnBox(column, true, change), order),
    h("p", { class: "muted" }, t(ruleKey(one))),
    fields.length > 0 && h("div", { class: "builder-fields" }, ...fields),
  );
}

/**
 * @param {DraftColumn} one
 * @param {string} path
 * @param {Change} change
 */
function parameters({ column, split, window = [], reach = "next", duty = "must" }, path, change) {
  // Drawn again: the sentence of its rule changes with it.
  const put = (/** @type {Partial<DraftColumn>} */ changes) =>
    change((now) => changeColumn(now, column, changes), true);
  const field = (
    /** @type {string} */ name,
    /** @type {string} */ value,
    /** @type {[string, string][]} */ options,
    /** @type {(value: string) => void} */ onValue,
  ) =>
    choiceField(
      `${name}-${column}`,
      t(`builder.${name}`),
      { field: `${path}.${name}`, value, options },
      onValue,
    );
  switch (column) {
    case "from_middle":
      return [
        field(
          "split",
          split ?? "max",
          ["sixes", "max"].map((row) => [row, rowName(row)]),
          (row) => put({ split: row }),
        ),
      ];
    case "late_announced":
      return [
        field(
          "window",
          window.join("-"),
          ["1-2", "2"].map((rolls) => [rolls, t(`builder.window.${rolls}`)]),
          (rolls) => put({ window: rolls.split("-").map(Number) }),
        ),
      ];
    case "notification":
      return [
        field(
          "reach",
          reach,
          ["next", "all"].map((whom) => [whom, t(`builder.reach.${whom}`)]),
          (whom) => put({ reach: whom }),
        ),
        field(
          "duty",
          duty,
          ["must", "may"].map((how) => [how, t(`builder.duty.${how}`)]),
          (how) => put({ duty: how }),
        ),
      ];
    default:
      return [];
  }
}

/** A variant in sentences, made from its parameters: nothing about a variant is known here by heart. Pure. */

/** @import {Variant, VariantRow} from "./protocol.js" */

/** @typedef {{column: string, split?: string, window?: number[], reach?: string, duty?: string}} ShownColumn */

import { columnName, has, listAnd, rowName, t, tn } from "./words.js";

/**
 * "6 dice · 7 columns · 78 turns each"
 * @param {Variant} variant
 * @param {string[]} [dropped] columns that a table of this size can't play
 */
export function variantNumbers(variant, dropped = []) {
  return numbersOf(variant, dropped).join(" · ");
}

/**
 * Everything that can differ between variants.
 * @param {Variant} variant
 * @param {string[]} [dropped]
 * @returns {string[]}
 */
export function variantSentences(variant, dropped = []) {
  const columns = playedColumns(variant, dropped).map((one) => columnName(one.column));
  const rows = variant.rows.map((one) => rowName(one.row));
  return [
    `${numbersOf(variant, dropped).join(", ")}.`,
    t("summary.column_list", { columns: listAnd(columns) }),
    t("summary.row_list", { rows: listAnd(rows) }),
    ...pointsSentences(variant),
    ...besides(variant, dropped),
  ];
}

/**
 * What is to be said beside the rows and the columns.
 * @param {Variant} variant
 * @param {string[]} [dropped]
 * @returns {string[]}
 */
export function besides(variant, dropped = []) {
  const hasMiddle = variant.rows.some((one) => one.section === "middle");
  const columns = playedColumns(variant, dropped);
  const lines = [
    ...bonusSentences(variant),
    hasMiddle && t(`summary.middle.${variant.middle.formula}`),
    hasMiddle && variant.middle.floor && t("summary.floor"),
    ...columns.map(columnSentence),
    variant.max_hold === 0 && t("summary.hold_none"),
    variant.max_hold > 0 && variant.max_hold < variant.dice && tn("summary.max_hold", variant.max_hold),
    variant.last_cell_rolls > variant.rolls && tn("summary.last_cell_rolls", variant.last_cell_rolls),
    variant.auto_fill && columns.some((one) => one.window) && t("summary.auto_fill"),
  ];
  return lines.flatMap((line) => (line ? [line] : []));
}

/**
 * @param {Variant} variant
 * @param {string[]} dropped
 */
function numbersOf(variant, dropped) {
  const columns = playedColumns(variant, dropped);
  const turns = variant.rows.length * columns.filter((one) => one.playable).length;
  return [
    tn("summary.dice", variant.dice),
    tn("summary.columns", columns.length),
    tn("summary.turns", turns),
  ];
}

/**
 * @param {Variant} variant
 * @param {string[]} dropped
 */
function playedColumns(variant, dropped) {
  return variant.columns.filter((one) => !dropped.includes(one.column));
}

/** What the lower rows are worth; the others are worth the same in every variant. @param {Variant} variant */
function pointsSentences(variant) {
  const lower = variant.rows.filter((one) => one.section === "lower");
  if (lower.length === 0) return [];
  const points = lower.map((row) => {
    const needs = isShort(row) && t("row.rule.straight_short");
    return [`${rowName(row.row)}: ${rowScore(row)}`, needs].filter(Boolean).join(", ");
  });
  return [`${points.join("; ")}.`];
}

/** "sum of the five + 30", or the values of a straight. @param {VariantRow} row */
export function rowScore({ row, straight, counted, bonus }) {
  if (straight && "by_roll" in straight)
    return t("rules.straight_by_roll", { values: straight.by_roll.join(" / ") });
  if (straight) return t("rules.straight_by_size", { values: `${straight.small} / ${straight.large}` });
  const sum = t(counted === "all" ? "row.score.all_five" : `row.score.${row}`);
  return bonus ? `${sum} + ${bonus}` : sum;
}

/** Whether four in a row are a straight. @param {VariantRow} row */
export function isShort({ straight }) {
  return !!straight && "by_roll" in straight && straight.shortest === 4;
}

/** @param {Variant} variant */
function bonusSentences(variant) {
  if (!variant.rows.some((one) => one.section === "upper")) return [];
  if (variant.bonus_steps.length === 0) return [t("summary.no_bonus")];
  return variant.bonus_steps.map((step) => t("summary.bonus", { least: step.at_least, award: step.award }));
}

/** What a column's parameters say, where it has some. @param {ShownColumn} column */
function columnSentence(column) {
  const key = ruleKey(column);
  if (key === `column.rule.${column.column}`) return false;
  return t("column.about", { column: columnName(column.column), rule: t(key) });
}

/** The rule of a column; where its parameters are known, the sentence for them. @param {ShownColumn} column */
export function ruleKey({ column, split, window, reach, duty }) {
  const special = `column.rule.${column}.${split ?? window?.join("-") ?? `${reach}.${duty}`}`;
  return has(special) ? special : `column.rule.${column}`;
}

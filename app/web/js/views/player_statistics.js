/** What a player has reached in one variant, in numbers. */

/** @import {VariantStatistics} from "../scores_api.js" */
import { h } from "../dom.js";
import { columnName, formatDecimal, formatNumber, formatShare, rowName, t } from "../words.js";
import { barTable } from "./bars.js";

/** How many points a step of the distribution has (docs/rest.md), and how many steps are shown with empty ones. */
const STEP = 50;
const MOST_STEPS = 40;

/** @param {VariantStatistics} statistics */
export function statisticsTables(statistics) {
  const { rows, columns, distribution } = statistics;
  return [
    barTable(
      "distribution",
      t("player.distribution"),
      [t("scores.points"), t("player.games")],
      steps(distribution).map(({ from, games }) => ({
        name: t("player.step", { from: formatNumber(from), to: formatNumber(from + STEP - 1) }),
        value: games,
        text: formatNumber(games),
      })),
    ),
    barTable(
      "row-averages",
      t("player.rows"),
      [t("sheet.row"), t("player.average"), t("player.crossed_out_short")],
      rows.map(({ row, average, crossed_out }) => ({
        name: rowName(row),
        value: average,
        text: formatDecimal(average),
        more: formatShare(crossed_out),
      })),
    ),
    barTable(
      "column-averages",
      t("player.columns"),
      [t("player.column"), t("player.average")],
      columns.map(({ column, average }) => ({
        name: columnName(column),
        value: average,
        text: formatDecimal(average),
      })),
    ),
  ];
}

/** @param {VariantStatistics} statistics */
export function numbers({ games, wins, average, best, crossed_out, announcements }) {
  const { made, succeeded } = announcements;
  /** @type {[string, string][]} */
  const lines = [
    ["games", formatNumber(games)],
    ["wins", formatNumber(wins)],
    ["best", formatNumber(best)],
    ["average", formatDecimal(average)],
    ["crossed_out", formatShare(crossed_out)],
  ];
  if (made > 0)
    lines.push([
      "announcements",
      t("player.of", { part: formatNumber(succeeded), whole: formatNumber(made) }),
    ]);
  const pairs = lines.map(([key, text]) =>
    h("div", {}, h("dt", {}, t(`player.${key}`)), h("dd", { "data-testid": `player-${key}` }, text)),
  );
  return h("dl", { class: "numbers" }, ...pairs);
}

/**
 * With those between them that no game has, so that the picture is true.
 * @param {{from: number, games: number}[]} distribution
 */
function steps(distribution) {
  const [first] = distribution;
  const last = distribution.at(-1);
  if (!first || !last) return [];
  const number = (last.from - first.from) / STEP + 1;
  if (number > MOST_STEPS) return distribution;
  const byFrom = new Map(distribution.map(({ from, games }) => [from, games]));
  return Array.from({ length: number }, (_none, index) => {
    const from = first.from + index * STEP;
    return { from, games: byFrom.get(from) ?? 0 };
  });
}

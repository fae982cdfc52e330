/** High scores: variant and period are kept in the address, so that a list can be shared. */

/** @import {Leaderboard} from "../api.js" */
import { findVariant, getLeaderboard, getVariants, Problem } from "../api.js";
import { fill, h, setText } from "../dom.js";
import { preferences } from "../preferences.js";
import { setTitle } from "../shell.js";
import { boardTitle, variantName, variantTitle } from "../speech.js";
import { formatDay, formatNumber, t } from "../words.js";
import { problemText } from "./problem.js";
import { scorePlaces } from "./score_places.js";
import { variantOptions } from "./variant_choice.js";

const PERIODS = ["all", "month"];

/** @typedef {{variant: string, period: string, cursor: string | null}} Filters */

/**
 * @param {URLSearchParams} query
 * @param {string | null} [named] the variant, where it stands in the path
 * @returns {import("../router.js").Page}
 */
export function leaderboardsPage(query, named = query.get("variant")) {
  setTitle(t("home.scores"));
  const filters = filtersOf(query, named ?? preferences.soloVariant);
  const results = h("div", { class: "results", "data-testid": "leaderboard" });
  const variant = select("variant", [filters.variant], variantName, filters.variant);
  const period = select("period", PERIODS, (one) => t(`period.${one}`), filters.period);
  const refresh = () => {
    const changed = { variant: variant.value, period: period.value, cursor: null };
    history.replaceState(null, "", addressOf(changed));
    void fillResults(results, changed);
  };
  for (const one of [variant, period]) one.addEventListener("change", refresh);
  const form = h(
    "div",
    { class: "filters" },
    h("p", { class: "field" }, h("label", { for: "variant" }, t("lobby.variant")), variant),
    h("p", { class: "field" }, h("label", { for: "period" }, t("scores.period")), period),
  );
  void offerVariants(variant, filters.variant);
  void fillResults(results, filters);
  return {
    element: h("div", { class: "page" }, h("h1", {}, t("home.scores")), scorePlaces("server"), form, results),
  };
}

/**
 * @param {HTMLElement} results
 * @param {Filters} filters
 */
async function fillResults(results, filters) {
  fill(results, h("p", {}, t("page.loading")));
  try {
    const board = await boardOf(filters);
    fill(results, h("h2", { "data-testid": "board-title" }, boardTitle(board)), ...content(board, filters));
  } catch (error) {
    fill(results, h("p", { class: "problem" }, problemText(error)));
  }
}

/**
 * The page that is asked for. A link may be so old that its page is none any more: then the first.
 * @param {Filters} filters
 * @returns {Promise<Leaderboard>}
 */
async function boardOf({ variant, period, cursor }) {
  try {
    return await getLeaderboard(variant, period, cursor);
  } catch (error) {
    if (cursor === null || !(error instanceof Problem) || error.code !== "wrong_cursor") throw error;
    return getLeaderboard(variant, period);
  }
}

/**
 * @param {URLSearchParams} query
 * @param {string} variant
 * @returns {Filters}
 */
function filtersOf(query, variant) {
  const period = query.get("period") ?? "all";
  return {
    variant,
    period: PERIODS.includes(period) ? period : "all",
    cursor: query.get("cursor"),
  };
}

/** @param {Filters} filters */
function addressOf({ variant, period, cursor }) {
  const query = new URLSearchParams({ variant, period, ...(cursor && { cursor }) });
  return `/leaderboards?${query}`;
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {(value: string) => string} nameOf
 * @param {string} chosen
 */
function select(id, values, nameOf, chosen) {
  const options = values.map((value) => h("option", { value, selected: value === chosen }, nameOf(value)));
  return h("select", { id, "data-testid": `filter-${id}` }, ...options);
}

/**
 * @param {HTMLSelectElement} element
 * @param {string} chosen
 */
async function offerVariants(element, chosen) {
  const variants = await getVariants().catch(() => []);
  if (variants.length === 0) return;
  const isListed = variants.some((one) => one.id === chosen);
  const other = isListed ? [] : [h("option", { value: chosen, selected: true }, variantName(chosen))];
  fill(element, ...variantOptions(variants, chosen), ...other);
  const [option] = other;
  const own = option && (await findVariant(chosen).catch(() => null));
  if (own) setText(option, variantTitle(own));
}

/**
 * @param {Leaderboard} board
 * @param {Filters} filters
 */
function content(board, filters) {
  if (board.results.length === 0) {
    const play = h("a", { class: "button primary", href: "/" }, t("scores.play"));
    return [h("p", {}, t("scores.empty")), play];
  }
  return [table(board), pager(board, filters)];
}

/** @param {Leaderboard} board */
function table(board) {
  const lines = board.results.map((one) =>
    h(
      "tr",
      { "data-testid": "leaderboard-row" },
      h("td", { class: "place" }, `${one.place}.`),
      h("th", { scope: "row" }, h("a", { href: `/games/${one.game}` }, one.player.name)),
      h("td", { class: "number" }, formatNumber(one.score)),
      h("td", { class: "day" }, formatDay(one.ended_at)),
    ),
  );
  const keys = ["scores.place", "scores.player", "scores.points", "scores.day"];
  return h(
    "table",
    { class: "plain scores" },
    h("caption", { class: "vh" }, t("home.scores")),
    h("thead", {}, h("tr", {}, ...keys.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, ...lines),
  );
}

/**
 * @param {Leaderboard} board
 * @param {Filters} filters
 */
function pager(board, filters) {
  const to = (/** @type {string | null} */ cursor, /** @type {string} */ text) =>
    cursor && h("a", { class: "button", href: addressOf({ ...filters, cursor }) }, text);
  return h(
    "nav",
    { class: "pager", "aria-label": t("scores.pages") },
    to(board.previous, t("scores.previous")),
    h("span", {}, t("scores.total", { total: formatNumber(board.total) })),
    to(board.next, t("scores.next")),
  );
}

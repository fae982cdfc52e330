/** Which page of which leaderboard is shown, as it stands in the address of the page. Pure. */

/**
 * @typedef {object} Filters
 * @property {string} variant
 * @property {string} period
 * @property {"results" | "players"} mode whether every game is a row, or every player with his best
 * @property {boolean} mine only the rows of who asks
 * @property {string | null} cursor of a page
 * @property {string | null} around the game whose page is shown
 */

export const PERIODS = ["all", "month", "today"];
export const MODES = /** @type {Filters["mode"][]} */ (["results", "players"]);
const MONTH = /^[2-9]\d{3}-(0[1-9]|1[0-2])$/;
const MONTHS_OFFERED = 12;

/**
 * @param {URLSearchParams} query
 * @param {string} variant
 * @returns {Filters}
 */
export function filtersOf(query, variant) {
  return {
    variant,
    period: periodOf(query),
    mode: query.get("mode") === "players" ? "players" : "results",
    mine: query.get("player") === "me",
    cursor: query.get("cursor"),
    around: query.get("around"),
  };
}

/** What can't be one counts as all time. @param {URLSearchParams} query */
export function periodOf(query) {
  const period = query.get("period") ?? "all";
  return PERIODS.includes(period) || isMonth(period) ? period : "all";
}

/** @param {Filters} filters */
export function addressOf({ variant, period, mode, mine, cursor, around }) {
  const query = new URLSearchParams({ variant, period });
  if (mode !== "results") query.set("mode", mode);
  if (mine) query.set("player", "me");
  if (cursor !== null) query.set("cursor", cursor);
  else if (around !== null) query.set("around", around);
  return `/leaderboards?${query}`;
}

/**
 * The page on which a game stands among those of everybody.
 * @param {Filters} filters
 * @param {string} game
 */
export function placeAddressOf(filters, game) {
  return addressOf({ ...filters, mine: false, cursor: null, around: game });
}

/** @param {string} period */
export function isMonth(period) {
  return MONTH.test(period);
}

/**
 * The months before the present one, the last first; and the one that is asked for, however old it is.
 * @param {number} now ms since 1970
 * @param {string} chosen
 */
export function earlierMonths(now, chosen) {
  const date = new Date(now);
  const months = Array.from({ length: MONTHS_OFFERED }, (_none, index) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - index - 1)).toISOString().slice(0, 7),
  );
  return isMonth(chosen) && !months.includes(chosen) ? [...months, chosen] : months;
}

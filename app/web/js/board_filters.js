/** Which page of which leaderboard is shown, as it stands in the address of the page. Pure. */

/**
 * @typedef {object} Filters
 * @property {string} variant
 * @property {string} period
 * @property {"results" | "players"} mode whether every game is a row, or every player with his best
 * @property {boolean} mine only the rows of who asks
 * @property {string | null} cursor of a page
 * @property {string | null} around the game whose page is shown
 * @property {number | null} seat whose row of that game is looked for; null: the best of them
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
    seat: /^\d{1,2}$/.test(query.get("seat") ?? "") ? Number(query.get("seat")) : null,
  };
}

/** What can't be one counts as all time. @param {URLSearchParams} query */
export function periodOf(query) {
  const period = query.get("period") ?? "all";
  return PERIODS.includes(period) || isMonth(period) ? period : "all";
}

/** @param {Filters} filters */
export function addressOf(filters) {
  const query = new URLSearchParams({ variant: filters.variant, ...questionOf(filters) });
  return `/leaderboards?${query}`;
}

/**
 * What is asked of the server, under the names that the address has too. A cursor leads on from a page around a game.
 * @param {Filters} filters
 * @returns {Record<string, string>}
 */
export function questionOf({ period, mode, mine, cursor, around, seat }) {
  return {
    period,
    ...(mode !== "results" && { mode }),
    ...(mine && { player: "me" }),
    ...(cursor !== null && { cursor }),
    ...(cursor === null && around !== null && { around }),
    ...(cursor === null && around !== null && seat !== null && { seat: String(seat) }),
  };
}

/**
 * The page on which a result stands among those of everybody.
 * @param {Filters} filters
 * @param {{game: string, seat: number}} result
 */
export function placeAddressOf(filters, { game, seat }) {
  return addressOf({ ...filters, mine: false, cursor: null, around: game, seat });
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

/** What stands in the list of this device's high scores, and in which order. Pure. */

/** @import {GameRecord} from "./api.js" */
/** @import {Replay} from "./replay.js" */

/**
 * @typedef {object} KeptGame a finished game
 * @property {number} seat one's own
 * @property {GameRecord} record
 * @property {Replay | null} [replay] the same step by step, as the server made it; a game from a file has none yet
 */
/**
 * @typedef {object} Score what the list needs of such a game
 * @property {string} id the game's
 * @property {string} board the leaderboard that it would stand on
 * @property {number} dice
 * @property {string[]} columns
 * @property {string} name under which one played
 * @property {number} score
 * @property {number} ended_at
 */
/** @typedef {Score & {place: number}} PlacedScore */

/**
 * @param {KeptGame} game
 * @returns {Score}
 */
export function scoreOf({ seat, record }) {
  const { id, board, variant, seats, standings, ended_at } = record;
  return {
    id,
    board,
    dice: variant.dice,
    columns: variant.columns.map((one) => one.column),
    name: seats[seat]?.name ?? "",
    score: standings.find((one) => one.seat === seat)?.total ?? 0,
    ended_at,
  };
}

/**
 * The best first, equal scores by the earlier end; these share the place (1, 2, 2, 4), as on the server's boards.
 * @param {Score[]} scores
 * @param {{board: string, time?: string | null}} filter the month or the day in UTC, such as "2026-11"; null: all time
 * @returns {PlacedScore[]}
 */
export function placed(scores, { board, time = null }) {
  const listed = scores
    .filter((one) => one.board === board && (time === null || dayOf(one.ended_at).startsWith(time)))
    .sort((a, b) => b.score - a.score || a.ended_at - b.ended_at || (a.id < b.id ? -1 : 1));
  return listed.map((one) => ({ ...one, place: 1 + listed.findIndex((other) => other.score === one.score) }));
}

/**
 * One score of each board, the last played first.
 * @param {Score[]} scores
 */
export function boardsOf(scores) {
  const lastFirst = [...scores].sort((a, b) => b.ended_at - a.ended_at);
  return [...new Map(lastFirst.map((one) => [one.board, one])).values()];
}

/**
 * The month or the day that a period means, null for all time.
 * @param {string} period as leaderboards have it
 * @param {number} now ms since 1970
 */
export function timeOf(period, now) {
  if (period === "all") return null;
  if (period === "today") return dayOf(now);
  return period === "month" ? dayOf(now).slice(0, 7) : period;
}

/** The day in UTC, as the server counts them. @param {number} ms since 1970 */
function dayOf(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}

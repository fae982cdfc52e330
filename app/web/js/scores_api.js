/** Leaderboards and players over REST: docs/rest.md. */

/** @import {Filters} from "./board_filters.js" */
import { request } from "./api.js";
import { questionOf } from "./board_filters.js";

/**
 * A guest has a tag and an account its user name, which tell them from others of their name.
 * @typedef {{id: string, name: string, tag: string | null, user_name: string | null}} ListedPlayer
 */
/** @typedef {{place: number, score: number, player: ListedPlayer, game: string, seat: number, ended_at: number}} ResultRow */
/**
 * @typedef {object} Leaderboard
 * @property {string} variant
 * @property {string} base the variant whose columns were chosen
 * @property {string | null} code by which the variant is shared
 * @property {number} dice
 * @property {string[]} columns
 * @property {string} period as it was asked for
 * @property {string | null} month which one that is, such as 2026-11
 * @property {string | null} day
 * @property {"results" | "players"} mode
 * @property {number} total
 * @property {ResultRow[]} results
 * @property {string | null} next cursor of the next page
 * @property {string | null} previous
 */
/** @typedef {ListedPlayer & {since: number}} Player */
/**
 * @typedef {object} VariantStatistics
 * @property {string} variant
 * @property {string} base
 * @property {string | null} code
 * @property {number} games
 * @property {number} wins
 * @property {number} average
 * @property {number} best
 * @property {{from: number, games: number}[]} distribution
 * @property {{row: string, average: number, crossed_out: number}[]} rows
 * @property {{column: string, average: number}[]} columns
 * @property {number} crossed_out a share of 1
 * @property {{made: number, succeeded: number}} announcements
 */
/** @typedef {{player: Player, variants: VariantStatistics[]}} PlayerPage */
/** @typedef {{variant: string, best: ResultRow[], month: ResultRow[]}} VariantScores */

/**
 * A page of a board: the first one, that of the cursor, or that on which the game stands.
 * @param {Filters} filters
 * @param {{limit?: number}} [page]
 * @returns {Promise<Leaderboard>}
 */
export function getLeaderboard(filters, { limit } = {}) {
  const query = new URLSearchParams({ ...questionOf(filters), ...(limit && { limit: String(limit) }) });
  return request("GET", `/api/leaderboards/${encodeURIComponent(filters.variant)}?${query}`);
}

/**
 * @param {string} id
 * @returns {Promise<PlayerPage>}
 */
export function getPlayer(id) {
  return request("GET", `/api/players/${encodeURIComponent(id)}`);
}

/**
 * His best results of one variant.
 * @param {string} id
 * @param {string} variant
 * @returns {Promise<VariantScores | null>}
 */
export async function getPlayerScores(id, variant) {
  const query = new URLSearchParams({ variant });
  const answer = await request("GET", `/api/players/${encodeURIComponent(id)}/scores?${query}`);
  return answer.variants[0] ?? null;
}

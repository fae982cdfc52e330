/** The rows of a leaderboard, and the way to the pages beside them. */

/** @import {Filters} from "../board_filters.js" */
/** @import {Leaderboard, ResultRow} from "../scores_api.js" */
import { addressOf, placeAddressOf } from "../board_filters.js";
import { h } from "../dom.js";
import { preferences } from "../preferences.js";
import { go } from "../router.js";
import { formatDay, formatNumber, t } from "../words.js";
import { playerLink } from "./player_name.js";

/**
 * @param {Leaderboard} board
 * @param {Filters} filters
 * @param {string | null} me the player of this browser
 */
export function boardTable(board, filters, me) {
  const lines = board.results.map((one) => {
    const isMine = one.player.id === me;
    const isSought = one.game === filters.around && (filters.seat ?? one.seat) === one.seat;
    const line = h(
      "tr",
      {
        class: [isMine && "is-mine", isSought && "is-sought"].filter(Boolean).join(" ") || null,
        "data-testid": "leaderboard-row",
        "aria-current": isSought ? "true" : null,
      },
      h("td", { class: "place" }, `${formatNumber(one.place)}.`),
      h(
        "th",
        { scope: "row" },
        playerLink(one.player),
        isMine && " ",
        isMine && h("b", { class: "you" }, t("scores.you")),
      ),
      h("td", { class: "number" }, rowLink(one, filters)),
      h("td", { class: "day" }, formatDay(one.ended_at)),
    );
    // The whole row is a target, the link in it is the same for keyboards and assistive technology.
    line.addEventListener("click", (event) => followRow(event, line));
    return line;
  });
  return scoresTable(
    ["scores.place", "scores.player", "scores.points", "scores.day"],
    lines,
    t("home.scores"),
  );
}

/**
 * @param {string[]} heads keys of the heads of its columns
 * @param {HTMLElement[]} lines
 * @param {string} caption
 * @param {string} [captionClass]
 */
export function scoresTable(heads, lines, caption, captionClass = "vh") {
  return h(
    "table",
    { class: "plain scores" },
    h("caption", { class: captionClass }, caption),
    h("thead", {}, h("tr", {}, ...heads.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, ...lines),
  );
}

/** What a tap on a row shows: the game, or its place in the list. @param {ResultRow} row @param {Filters} filters */
function rowLink(row, filters) {
  if (preferences.boardTap === "game") return gameLink(row.game, row.score);
  const points = formatNumber(row.score);
  const href = placeAddressOf(filters, row);
  return h("a", { href, "aria-label": t("scores.to_place", { points }) }, points);
}

/** @param {string} game @param {number} score */
export function gameLink(game, score) {
  const points = formatNumber(score);
  const href = `/games/${encodeURIComponent(game)}`;
  return h("a", { href, "aria-label": t("scores.to_game", { points }) }, points);
}

/** @param {MouseEvent} event @param {HTMLElement} line */
function followRow(event, line) {
  const isOnLink = /** @type {Element} */ (event.target).closest("a");
  if (isOnLink || String(getSelection()) !== "") return;
  const href = line.querySelector(".number a")?.getAttribute("href");
  if (href) go(href);
}

/**
 * @param {Leaderboard} board
 * @param {Filters} filters
 */
export function pager(board, filters) {
  const to = (/** @type {"first" | "previous" | "next"} */ which) => {
    const side = which === "next" ? "next" : "previous";
    if (board[side] === null) return h("span", {});
    const cursor = which === "first" ? null : board[side];
    const href = addressOf({ ...filters, cursor, ...(which === "first" && { around: null, seat: null }) });
    return h("a", { class: "button", href, "data-testid": `page-${which}` }, t(`scores.${which}`));
  };
  const total = formatNumber(board.total);
  return h(
    "nav",
    { class: "pager", "aria-label": t("scores.pages") },
    h("span", { class: "back" }, to("first"), to("previous")),
    h("span", { "data-testid": "board-total" }, t(`scores.total.${board.mode}`, { total })),
    to("next"),
  );
}

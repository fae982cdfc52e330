/** The way to the leaderboard that a game counts for. */

import { h } from "../dom.js";
import { t } from "../words.js";

/** @param {string} board its id, as the result or the record of the game names it */
export function scoresLink(board) {
  const href = `/leaderboards?${new URLSearchParams({ variant: board })}`;
  return h("a", { class: "button", href, "data-testid": "leaderboard-link" }, t("home.scores"));
}

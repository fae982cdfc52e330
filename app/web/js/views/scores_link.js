/** The way to the leaderboard that a game counts for, and to its place there. */

import { h } from "../dom.js";
import { t } from "../words.js";

/**
 * @param {string} board its id, as the result or the record of the game names it
 * @param {string | null} [game] whose place is shown there
 */
export function scoresLink(board, game = null) {
  const query = new URLSearchParams({ variant: board, ...(game && { around: game }) });
  return h(
    "a",
    { class: "button", href: `/leaderboards?${query}`, "data-testid": "leaderboard-link" },
    t("home.scores"),
  );
}

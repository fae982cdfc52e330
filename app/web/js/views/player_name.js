/** A player by the name he bears, which leads to his page. */

/** @import {ListedPlayer} from "../scores_api.js" */
import { h } from "../dom.js";
import { t } from "../words.js";

/** The id of whoever has deleted himself. */
export const DELETED = "deleted";

/** @param {string} id */
export function playerAddress(id) {
  return `/players/${encodeURIComponent(id)}`;
}

/** @param {ListedPlayer} player */
export function playerLink({ id, name, tag }) {
  if (id === DELETED) return h("span", { class: "muted" }, t("player.deleted"));
  return h("a", { href: playerAddress(id), "data-testid": "player-link" }, name, tag && " ", tagOf(tag));
}

/** What tells guests of one name apart. @param {string | null} tag */
export function tagOf(tag) {
  return tag && h("span", { class: "tag" }, t("player.tag", { tag }));
}

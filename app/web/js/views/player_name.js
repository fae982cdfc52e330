/** A player by the name he bears, with what tells him from others of that name; it leads to his page. */

/** @import {ListedPlayer} from "../scores_api.js" */
import { h } from "../dom.js";
import { tagOf } from "../tags.js";
import { t } from "../words.js";

/** The id of whoever has deleted himself. */
export const DELETED = "deleted";

/** @param {string} id */
export function playerAddress(id) {
  return `/players/${encodeURIComponent(id)}`;
}

/** @param {ListedPlayer} player */
export function playerLink(player) {
  if (player.id === DELETED) return h("span", { class: "muted" }, t("player.deleted"));
  const href = playerAddress(player.id);
  return h("a", { href, "data-testid": "player-link" }, ...withTag(player.name, tagOf(player)));
}

/** A name, and beside it the tag where there is one. @param {string} name @param {string} tag */
export function withTag(name, tag) {
  return tag === "" ? [name] : [name, " ", h("span", { class: "tag", dir: "ltr" }, tag)];
}

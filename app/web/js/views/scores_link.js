/** The way to the leaderboard that a game counts for. */

/** @import {Variant} from "../protocol.js" */
import { previewVariant } from "../api.js";
import { h } from "../dom.js";
import { draftOf } from "../variant_draft.js";
import { t } from "../words.js";

/**
 * @param {Variant} variant
 * @param {string[]} dropped columns that the table could not play
 */
export function scoresLink(variant, dropped) {
  const link = h("a", { class: "button", href: addressOf(variant.id), "data-testid": "leaderboard-link" });
  link.append(t("home.scores"));
  if (dropped.length > 0) void pointAtPlayed(link, variant, dropped);
  return link;
}

/**
 * A table that dropped columns counts as the variant without them, which has an id of its own.
 * @param {HTMLAnchorElement} link
 * @param {Variant} variant
 * @param {string[]} dropped
 */
async function pointAtPlayed(link, variant, dropped) {
  const columns = variant.columns.filter((one) => !dropped.includes(one.column));
  const played = await previewVariant(draftOf({ ...variant, columns })).catch(() => null);
  if (played) link.href = addressOf(played.id);
}

/** @param {string} id */
function addressOf(id) {
  return `/leaderboards?${new URLSearchParams({ variant: id })}`;
}

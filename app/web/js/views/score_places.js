/** Two places for high scores: the server's boards, and the games that are kept on this device. */

import { h } from "../dom.js";
import { t } from "../words.js";

/** @typedef {"server" | "device"} Place */
const PLACES = /** @type {Place[]} */ (["server", "device"]);

/**
 * @param {Place} place
 * @param {URLSearchParams} [filters] the variant and the period stay as they are
 */
export function placeAddress(place, filters = new URLSearchParams()) {
  const query = new URLSearchParams();
  for (const name of ["variant", "period"]) {
    const value = filters.get(name);
    if (value !== null) query.set(name, value);
  }
  if (place === "device") query.set("where", place);
  return query.size > 0 ? `/leaderboards?${query}` : "/leaderboards";
}

/** @param {Place} shown */
export function scorePlaces(shown) {
  const links = PLACES.map((place) => {
    const link = h(
      "a",
      {
        class: "button",
        href: placeAddress(place),
        "aria-current": place === shown ? "page" : null,
        "data-testid": `scores-${place}`,
      },
      t(`scores.where.${place}`),
    );
    // The filters are in the address, which changes while this stands on the page.
    const follow = () => link.setAttribute("href", placeAddress(place, new URLSearchParams(location.search)));
    for (const type of ["pointerenter", "focus", "click"]) link.addEventListener(type, follow);
    return link;
  });
  return h("nav", { class: "places", "aria-label": t("scores.where") }, ...links);
}

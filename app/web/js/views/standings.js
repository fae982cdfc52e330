/** Who came where, and the sheets at the end. */

/** @import {Sheet, Standing, Variant} from "../protocol.js" */
/** @import {ListedPlayer} from "../scores_api.js" */
import { h } from "../dom.js";
import { formatNumber, t } from "../words.js";
import { playerMark } from "./chips.js";
import { playerLink } from "./player_name.js";
import { SheetView } from "./sheet.js";

/** @typedef {import("../presence.js").SeatMark} SeatMark */

/**
 * @param {Standing[]} standings
 * @param {(seat: number) => string} nameOf
 * @param {(seat: number) => SeatMark | null} markOf a bot, or a bot in a player's place
 * @param {(seat: number) => ListedPlayer | null} playerOf who has a page, to which his name leads
 */
export function standingsList(standings, nameOf, markOf, playerOf) {
  const ordered = [...standings].sort((a, b) => a.place - b.place || a.seat - b.seat);
  const lines = ordered.map((one) =>
    h(
      "tr",
      { "data-testid": `place-${one.seat}` },
      h("td", { class: "place" }, `${one.place}.`),
      h(
        "th",
        { scope: "row" },
        h(
          "span",
          { class: "with-sign" },
          playerMark(one.seat, nameOf(one.seat), markOf(one.seat)),
          shownName(playerOf(one.seat), nameOf(one.seat)),
        ),
      ),
      h("td", { class: "number" }, formatNumber(one.total)),
    ),
  );
  const heads = ["scores.place", "scores.player", "scores.points"].map((key) =>
    h("th", { scope: "col" }, t(key)),
  );
  return h(
    "table",
    { class: "plain standings", "data-testid": "result" },
    h("caption", { class: "vh" }, t("over.places")),
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...lines),
  );
}

/** @param {ListedPlayer | null} player @param {string} name */
function shownName(player, name) {
  return h("span", {}, player === null ? name : playerLink(player));
}

/**
 * @param {Variant} variant
 * @param {Sheet[]} sheets
 * @param {(seat: number) => string} nameOf
 * @param {string[]} [dropped]
 */
export function finalSheets(variant, sheets, nameOf, dropped = []) {
  const panels = sheets.map((sheet) => {
    const name = nameOf(sheet.seat);
    const view = new SheetView(null);
    const look = {
      sheet,
      variant,
      legal: null,
      mode: /** @type {const} */ ("fill"),
      armed: null,
      announced: null,
      due: [],
      last: null,
    };
    view.update(look, t("sheet.of", { name }), dropped);
    const title = h(
      "h3",
      { class: "other-name" },
      playerMark(sheet.seat, name),
      `${name} ${formatNumber(sheet.total)}`,
    );
    return h("div", { class: "final-sheet" }, title, view.element);
  });
  return h(
    "section",
    { class: "final-sheets", "aria-labelledby": "final-sheets" },
    h("h2", { id: "final-sheets" }, t("over.sheets")),
    ...panels,
  );
}

/** A finished game by its address: standings, sheets, dice check. */

/** @import {GameRecord} from "../api.js" */
import { getGame } from "../api.js";
import { fill, h } from "../dom.js";
import { setTitle } from "../shell.js";
import { variantTitle, winnerSentence } from "../speech.js";
import { formatDay, t } from "../words.js";
import { diceCheck } from "./dice_check.js";
import { reasonText } from "./over.js";
import { problemText } from "./problem.js";
import { scoresLink } from "./scores_link.js";
import { finalSheets, standingsList } from "./standings.js";

/** How a record tells of a seat that a bot played from that turn on (docs/protocol.md). */
const BOT_FROM = "bot_from_turn_";
/** The id of whoever has deleted himself. */
const DELETED = "deleted";

/**
 * @param {string} id
 * @returns {import("../router.js").Page}
 */
export function gamePage(id) {
  setTitle(t("game.title"));
  const element = h(
    "div",
    { class: "page wide" },
    h("h1", {}, t("game.title")),
    h("p", {}, t("page.loading")),
  );
  getGame(id)
    .then((record) => fill(element, ...content(record)))
    .catch((error) =>
      fill(element, h("h1", {}, t("game.title")), h("p", { class: "problem" }, problemText(error))),
    );
  return { element };
}

/** @param {GameRecord} record */
function content(record) {
  const nameOf = (/** @type {number} */ seat) => shownName(record.seats.find((one) => one.seat === seat));
  const result = winnerSentence(record.standings.map((one) => ({ ...one, name: nameOf(one.seat) })));
  const dropped = droppedColumns(record);
  return [
    h("h1", {}, result),
    h("p", { class: "muted" }, `${variantTitle(record.variant)} · ${formatDay(record.ended_at)}`),
    h("p", {}, reasonText(record.reason)),
    standingsList(record.standings, nameOf, (seat) => endedMark(record, seat)),
    ...standInNotes(record).map((note) => h("p", { class: "muted" }, note)),
    h("div", { class: "buttons" }, scoresLink(record.board)),
    diceCheck(record.id),
    finalSheets(record.variant, record.sheets, nameOf, dropped),
  ];
}

/** @param {{player: string, name: string} | undefined} seat */
function shownName(seat) {
  return seat?.player === DELETED ? t("player.deleted") : (seat?.name ?? "");
}

/** @param {GameRecord} record @param {number} number */
function endedMark({ seats }, number) {
  const ended = seats.find((one) => one.seat === number)?.ended ?? "played";
  if (ended === "bot") return "bot";
  return ended.startsWith(BOT_FROM) ? "stand_in" : null;
}

/** For whom a bot played, and from which turn on. @param {GameRecord} record */
function standInNotes({ seats }) {
  return seats
    .filter((seat) => seat.ended?.startsWith(BOT_FROM))
    .map((seat) =>
      t("game.bot_from", { name: shownName(seat), turn: (seat.ended ?? "").slice(BOT_FROM.length) }),
    );
}

/** A column that no seat has sums for was not in play at this table. @param {GameRecord} record */
function droppedColumns(record) {
  const played = new Set(record.sheets.flatMap((sheet) => Object.keys(sheet.sums)));
  if (played.size === 0) return [];
  return record.variant.columns.map((one) => one.column).filter((column) => !played.has(column));
}

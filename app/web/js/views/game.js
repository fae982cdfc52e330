/** A finished game by its address: standings, sheets, dice check. */

/** @import {GameRecord} from "../api.js" */
import { getGame, getReplay } from "../api.js";
import { keeperOf, remove, replayOfKept } from "../device_keeping.js";
import { DeviceRefusal, deviceGame } from "../device_store.js";
import { fill, h } from "../dom.js";
import { go } from "../router.js";
import { setTitle } from "../shell.js";
import { variantTitle, winnerSentence } from "../speech.js";
import { nameAmong, tagOf } from "../tags.js";
import { formatDay, t } from "../words.js";
import { diceCheck } from "./dice_check.js";
import { KeptNote } from "./kept_note.js";
import { reasonText } from "./over.js";
import { ask } from "./people.js";
import { DELETED } from "./player_name.js";
import { problemText } from "./problem.js";
import { keptNotes } from "./rematch.js";
import { ReplaySection } from "./replay_section.js";
import { placeAddress } from "./score_places.js";
import { scoresLink } from "./scores_link.js";
import { finalSheets, standingsList } from "./standings.js";

/** How a record tells of a seat that a bot played from that turn on (docs/protocol.md). */
const BOT_FROM = "bot_from_turn_";

/**
 * @param {string} id
 * @param {boolean} [isOfDevice] whether the record that this device keeps is shown, without the server
 * @returns {import("../router.js").Page}
 */
export function gamePage(id, isOfDevice = false) {
  setTitle(t("game.title"));
  const element = h(
    "div",
    { class: "page wide" },
    h("h1", {}, t("game.title")),
    h("p", {}, t("page.loading")),
  );
  /** @type {ReplaySection | null} */
  let replay = null;
  let isLeft = false;
  const show = (/** @type {Shown} */ { record, about, replay: found, isOfDevice = false }) => {
    if (isLeft) return;
    replay = new ReplaySection(found, { isShared: !isOfDevice });
    fill(element, ...content(record, about, replay.element, isOfDevice));
    replay.begin();
  };
  (isOfDevice ? showKept(element, id, show) : showRecord(id, show)).catch((error) => {
    const text = error instanceof DeviceRefusal ? t("device.refused") : problemText(error);
    fill(element, h("h1", {}, t("game.title")), h("p", { class: "problem" }, text));
  });
  const leave = () => {
    isLeft = true;
    replay?.leave();
  };
  return { element, leave };
}

/**
 * @typedef {object} Shown
 * @property {GameRecord} record
 * @property {HTMLElement | null} about what is to be said of keeping it here
 * @property {() => Promise<import("../replay.js").Replay>} replay
 * @property {boolean} [isOfDevice]
 */
/** @typedef {(shown: Shown) => void} Show */

/**
 * As the server has it; where its player kept it, it is stored here too.
 * @param {string} id
 * @param {Show} show
 */
async function showRecord(id, show) {
  const record = await getGame(id);
  const keeper = await keeperOf(record);
  const about = keeper === null ? null : new KeptNote(id, keeper, record).element;
  show({ record, about, replay: () => getReplay(id) });
}

/**
 * As this device has it.
 * @param {HTMLElement} element
 * @param {string} id
 * @param {Show} show
 */
async function showKept(element, id, show) {
  const kept = await deviceGame(id);
  if (kept)
    return show({
      record: kept.record,
      about: aboutKept(id),
      replay: () => replayOfKept(kept),
      isOfDevice: true,
    });
  const server = h(
    "a",
    { class: "button", href: `/games/${encodeURIComponent(id)}` },
    t("device.ask_server"),
  );
  fill(element, h("h1", {}, t("game.title")), h("p", {}, t("device.missing")), server);
}

/** @param {string} id */
function aboutKept(id) {
  const list = h("a", { class: "button", href: placeAddress("device") }, t("keep.list"));
  const removing = h("button", { type: "button", "data-testid": "device-remove" }, t("device.remove"));
  removing.addEventListener("click", () =>
    ask(t("device.remove"), t("device.remove_question"), {
      yes: t("device.remove"),
      give: () => {
        void remove(id).then(() => go(placeAddress("device")));
        return true;
      },
    }),
  );
  return h(
    "section",
    { class: "kept", "aria-label": t("keep.title") },
    h("p", {}, t("device.shown")),
    h("div", { class: "buttons" }, list, removing),
  );
}

/**
 * @param {GameRecord} record
 * @param {HTMLElement | null} kept what is to be said of keeping it here
 * @param {HTMLElement} replay
 * @param {boolean} isOfDevice
 */
function content(record, kept, replay, isOfDevice) {
  const called = record.seats.map((one) => ({ ...one, name: shownName(one) }));
  const nameOf = (/** @type {number} */ seat) => {
    const found = called.find((one) => one.seat === seat);
    return found ? nameAmong(found, called, tagOf) : "";
  };
  const result = winnerSentence(record.standings.map((one) => ({ ...one, name: nameOf(one.seat) })));
  const dropped = droppedColumns(record);
  return [
    h("h1", {}, result),
    h("p", { class: "muted" }, `${variantTitle(record.variant)} · ${formatDay(record.ended_at)}`),
    h("p", {}, reasonText(record.reason)),
    standingsList(
      record.standings,
      nameOf,
      (seat) => endedMark(record, seat),
      (seat) => playerOf(record, seat),
    ),
    ...[...standInNotes(record), ...keptNotes(called)].map((note) => h("p", { class: "muted" }, note)),
    ...(kept ? [kept] : []),
    h("div", { class: "buttons" }, scoresLink(record.board, isListed(record) ? record.id : null)),
    replay,
    diceCheck(record.id, isOfDevice ? record : null),
    finalSheets(record.variant, record.sheets, nameOf, dropped),
  ];
}

/** Whether somebody's result may stand on a board. @param {GameRecord} record */
function isListed({ seats }) {
  return seats.some((one) => (one.ended ?? "played") === "played" && !one.kept);
}

/** @param {{player: string, name: string}} seat */
function shownName(seat) {
  return seat.player === DELETED ? t("player.deleted") : seat.name;
}

/**
 * Who has a page, by the name that he bore then: no bot, and nobody who has deleted himself.
 * @param {GameRecord} record
 * @param {number} number
 */
function playerOf({ seats }, number) {
  const seat = seats.find((one) => one.seat === number);
  if (!seat || tagOf(seat) === "") return null;
  return { id: seat.player, name: seat.name, tag: seat.tag ?? null, user_name: seat.user_name ?? null };
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

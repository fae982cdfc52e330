/**
 * The games of a device as a file, to be taken to another one. What comes in may come from anywhere: every field
 * that a page shows is checked. Pure.
 */

/** @import {KeptGame} from "./device_scores.js" */

const KIND = "yamb games";
const VERSION = 1;
/** What one file may have at most, long before a browser is in trouble. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** Not a file that was made here. `game` is the number of the one that is wrong, counted from 1; 0: the whole. */
export class WrongFile extends Error {
  /**
   * @param {"not_json" | "not_ours" | "newer" | "wrong_game" | "no_seat"} code
   * @param {number} [game]
   */
  constructor(code, game = 0) {
    super(`${code} ${game}`);
    this.code = code;
    this.game = game;
  }
}

/**
 * Without replays, which would double the file: the server makes them of the record again.
 * @param {KeptGame[]} games
 */
export function fileOf(games) {
  const entries = games.map(({ seat, record }) => ({ seat, record }));
  return JSON.stringify({ kind: KIND, version: VERSION, games: entries });
}

/**
 * The games of a file in any form in which a server or a device gives them out: a device's list, a record, a list of
 * records, a player's export, and JSON Lines of any of these. Throws WrongFile.
 * @param {string} text
 * @param {string | null} [me] who takes them in: a record doesn't say whose game it is
 * @returns {KeptGame[]}
 */
export function gamesIn(text, me = null) {
  const games = documentsIn(text).flatMap((document) => gamesOf(document, me));
  for (const [index, game] of games.entries()) {
    if (!isKeptGame(game)) throw new WrongFile(wrongOf(game), index + 1);
  }
  return games.map(({ seat, record }) => ({ seat, record }));
}

/** One document, or one on each line. @param {string} text @returns {unknown[]} */
function documentsIn(text) {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const documents = lines.map(parsed);
  if (documents.length === 0 || documents.includes(undefined)) throw new WrongFile("not_json");
  return documents;
}

/** @param {string} text @returns {unknown} undefined: it is not JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {any} document
 * @param {string | null} me
 * @returns {any[]} not looked at yet
 */
function gamesOf(document, me) {
  if (Array.isArray(document) && document.length > 0) return document.map((record) => ownGame(record, me));
  if (!isObject(document)) throw new WrongFile("not_ours");
  /** @type {Record<string, any>} */
  const { games, kind, player, version } = document;
  if ("proof" in document) return [ownGame(document, me)];
  if (!Array.isArray(games)) throw new WrongFile("not_ours");
  if (kind === KIND) {
    if (version !== VERSION) throw new WrongFile(Number(version) > VERSION ? "newer" : "not_ours");
    return games;
  }
  const owner = player?.id;
  if (kind !== undefined || typeof owner !== "string") throw new WrongFile("not_ours");
  return games.map((record) => ownGame(record, owner));
}

/**
 * The record with the seat whose game it is: that player's, else the only person's. Only REST names the board.
 * @param {any} record
 * @param {string | null} me
 */
function ownGame(record, me) {
  if (!isObject(record) || !Array.isArray(record.seats)) return null;
  /** @type {Record<string, any>} */
  const { board, seats, variant } = record;
  const people = seats.filter((one) => one?.ended !== "bot");
  const own = seats.find((one) => one?.player === me) ?? (people.length === 1 ? people[0] : undefined);
  return { seat: own?.seat, record: { ...record, board: board ?? variant?.id } };
}

/** @param {any} game @returns {"no_seat" | "wrong_game"} */
function wrongOf(game) {
  return game?.seat === undefined && isKeptGame({ ...game, seat: 0 }) ? "no_seat" : "wrong_game";
}

/** @typedef {(value: any) => boolean} Check */

const MOST_SEATS = 8;
const MOST_LINES = 64;
const MOST_EVENTS = 20_000;
/** The last instant that a Date can be. */
const LAST_INSTANT = 8_640_000_000_000_000;

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {(most: number) => Check} */
const isText = (most) => (value) => typeof value === "string" && value.length <= most;
/** @type {Check} */
const isName = (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value);
/** @type {Check} */
const isWhole = (value) => Number.isSafeInteger(value);
/** @type {(least: number, most: number) => Check} */
const isFrom = (least, most) => (value) => isWhole(value) && value >= least && value <= most;
/** @type {(check: Check) => Check} */
const isNullOr = (check) => (value) => value === null || check(value);
/** @type {(check: Check) => Check} */
const isMissingOr = (check) => (value) => value === undefined || check(value);
/** @type {(check: Check, least: number, most: number) => Check} */
const isListOf = (check, least, most) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(check);
/** @type {(check: Check) => Check} */
const isMapOf = (check) => (value) =>
  isObject(value) && Object.entries(value).every(([key, one]) => isName(key) && check(one));
/** @type {(checks: Record<string, Check>) => Check} */
const isShaped = (checks) => (value) =>
  isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const isInstant = isFrom(0, LAST_INSTANT);
const isSeat = isFrom(0, MOST_SEATS - 1);
const isDice = isListOf(isFrom(0, 6), 0, 6);

const isVariant = isShaped({
  id: isName,
  dice: isFrom(1, 6),
  rolls: isFrom(1, 99),
  rows: isListOf(
    isShaped({ row: isName, section: (value) => ["upper", "middle", "lower"].includes(value) }),
    1,
    MOST_LINES,
  ),
  columns: isListOf(
    isShaped({ column: isName, playable: (value) => typeof value === "boolean" }),
    1,
    MOST_LINES,
  ),
  bonus_steps: isListOf(isShaped({ at_least: isWhole, award: isWhole }), 0, MOST_LINES),
  middle: isShaped({ formula: isName }),
});
const isSheet = isShaped({
  seat: isSeat,
  total: isWhole,
  cells: isMapOf(isMapOf(isWhole)),
  sums: isMapOf(
    isShaped({ upper: isWhole, bonus: isWhole, middle: isNullOr(isWhole), lower: isWhole, total: isWhole }),
  ),
});
const isEvent = isShaped({
  type: isName,
  seat: isSeat,
  roll: isMissingOr(isWhole),
  dice: isMissingOr(isDice),
  held: isMissingOr(isListOf(isFrom(0, 5), 0, 6)),
});
const isRecord = isShaped({
  id: isName,
  board: isName,
  variant: isVariant,
  seats: isListOf(
    isShaped({ seat: isSeat, player: isNullOr(isText(64)), name: isText(200), ended: isMissingOr(isName) }),
    1,
    MOST_SEATS,
  ),
  started_at: isInstant,
  ended_at: isInstant,
  reason: isName,
  standings: isListOf(
    isShaped({ seat: isSeat, place: isFrom(1, MOST_SEATS), total: isWhole }),
    1,
    MOST_SEATS,
  ),
  sheets: isListOf(isSheet, 1, MOST_SEATS),
  log: isListOf(isEvent, 0, MOST_EVENTS),
  proof: isShaped({
    game: isName,
    commitment: isText(64),
    secret: (value) => typeof value === "string" && /^([0-9a-f]{2}){1,64}$/.test(value),
    texts: isListOf(isText(200), 1, MOST_SEATS),
  }),
});

/** @param {any} game */
function isKeptGame(game) {
  return isShaped({ seat: isSeat, record: isRecord })(game) && isOfOnePiece(game);
}

/**
 * Whether the parts of the record tell of the same seats and the same points.
 * @param {KeptGame} game
 */
function isOfOnePiece({ seat, record }) {
  const { seats, standings, sheets, proof } = record;
  const numbers = seats.map((_one, number) => number);
  return (
    seat < seats.length &&
    proof.texts.length === seats.length &&
    numbers.every(
      (number) =>
        seats[number]?.seat === number &&
        sheets[number]?.seat === number &&
        standings.filter((one) => one.seat === number && one.total === sheets[number]?.total).length === 1,
    ) &&
    sheets.length === seats.length &&
    standings.length === seats.length
  );
}

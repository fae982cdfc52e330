/**
 * What this device saw of a game's dice before it sent its own text: the commitment, and the text itself. Both are
 * written down before the command goes out and are never changed, so that no server can change them afterwards.
 */

/** @import {GameRecord} from "./api.js" */
/** @import {Command} from "./protocol.js" */
/** @import {Model} from "./state.js" */

/** @typedef {{game: string, commitment: string, text: string, player: string}} Pin `text` is what `player` sent */
/** @typedef {"same" | "not_same" | "text_in" | "text_other" | "text_missing" | "moved" | "unknown"} Finding */
/** @typedef {Pick<Storage, "getItem" | "setItem">} Shelf */

const KEY = "yamb.pins";
/** The latest; a pin has some 150 bytes. */
const MOST = 300;
/** For windows in which nothing can be stored: these last as long as the page. @type {Pin[]} */
let unstored = [];

/**
 * The same command with this device's text of that game, which is made once: a server that has the client send
 * again gets the same text, and can't choose among several.
 * @param {Command} command
 * @param {Model} model
 * @param {Shelf} [shelf]
 */
export function pinned(command, { table, you }, shelf = localStorage) {
  const { type, text } = command;
  if (!table || !you || (type !== "join" && type !== "ready") || typeof text !== "string") return command;
  const { game, commitment } = table.dice_proof;
  const pin = pinOf(game, pins(shelf)) ?? { game, commitment, text, player: you.player };
  write(pin, shelf);
  return { ...command, text: pin.text };
}

/** @param {Shelf} [shelf] @returns {Pin[]} */
export function pins(shelf = localStorage) {
  const stored = read(shelf);
  return [...stored, ...unstored.filter(({ game }) => !pinOf(game, stored))];
}

/**
 * What a record says of this device's pins, each finding once.
 * @param {GameRecord} record
 * @param {Pin[]} all
 * @returns {Finding[]}
 */
export function compared(record, all) {
  const { proof } = record;
  const pin = pinOf(proof.game, all);
  const isMoved = all.some(({ game, text }) => game !== proof.game && proof.texts.includes(text));
  /** @type {Finding[]} */
  const moved = isMoved ? ["moved"] : [];
  if (!pin) return isMoved ? moved : ["unknown"];
  return [pin.commitment === proof.commitment ? "same" : "not_same", textFinding(record, pin), ...moved];
}

/**
 * The text counts at one's own seats alone: at another one it would leave the own seat's text to the server.
 * @param {GameRecord} record
 * @param {Pin} pin
 * @returns {Finding}
 */
function textFinding({ seats, proof }, { player, text }) {
  const own = seats.filter((one) => one.player === player);
  if (own.length === 0) return "text_missing";
  return own.every(({ seat }) => proof.texts[seat] === text) ? "text_in" : "text_other";
}

/** @param {string} game @param {Pin[]} all */
function pinOf(game, all) {
  return all.find((one) => one.game === game);
}

/** The first pin of a game stays. @param {Pin} pin @param {Shelf} shelf */
function write(pin, shelf) {
  // Read anew each time: other tabs write theirs.
  const all = pins(shelf);
  if (!pinOf(pin.game, all)) all.push(pin);
  try {
    shelf.setItem(KEY, JSON.stringify(all.slice(-MOST)));
    unstored = [];
  } catch {
    unstored = all.slice(-MOST);
  }
}

/** @param {Shelf} shelf @returns {Pin[]} */
function read(shelf) {
  try {
    const stored = JSON.parse(shelf.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isPin) : [];
  } catch {
    return [];
  }
}

/** @param {any} one */
function isPin(one) {
  return [one?.game, one?.commitment, one?.text, one?.player].every((part) => typeof part === "string");
}

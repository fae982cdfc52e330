/**
 * Recomputes every roll of a finished game from what the server committed itself to before the start.
 * The algorithm is described for players on the page "How fair?"; docs/rules.md has it in full.
 */

/** @import {GameRecord} from "./api.js" */
/**
 * @typedef {{rolls: number, wrong: {seat: number, round: number, roll: number}[], isCommitmentKept: boolean,
 *   isKeyOfGame: boolean, areBotsTextsKnown: boolean}} Verdict
 */

/** The text of every bot. Another one would be of the server's choice. */
const BOT_TEXT = "bot";

/** False on plain http from another machine: browsers give cryptography only to secure pages. */
export function canCheckDice() {
  return globalThis.crypto?.subtle !== undefined;
}

/**
 * @param {GameRecord} record
 * @returns {Promise<Verdict>}
 */
export async function checkDice(record) {
  const { proof } = record;
  const secret = fromHex(proof.secret);
  const commitment = toHex(await crypto.subtle.digest("SHA-256", secret));
  const key = await gameKey(secret, proof.texts, proof.game);
  const rolls = rollsOf(record);
  /** @type {Verdict["wrong"]} */
  const wrong = [];
  for (const roll of rolls) {
    const drawn = await facesOf(key, [roll.seat, roll.round, roll.roll], roll.dice.length);
    const isDrawn = roll.dice.every(
      (face, die) => face === (roll.held.includes(die) ? roll.before.dice[die] : drawn[die]),
    );
    if (!isDrawn || !isInOrder(roll)) wrong.push({ seat: roll.seat, round: roll.round, roll: roll.roll });
  }
  return {
    rolls: rolls.length,
    wrong,
    isCommitmentKept: commitment === proof.commitment,
    isKeyOfGame: isKeyOfGame(record),
    areBotsTextsKnown: areBotsTextsKnown(record),
  };
}

/**
 * HMAC-SHA256 over the seats' texts and the game id, each led by its length in two bytes.
 * @param {Uint8Array<ArrayBuffer>} secret
 * @param {string[]} texts
 * @param {string} game
 */
export async function gameKey(secret, texts, game) {
  return hmac(await hmacKey(secret), concat([...texts, game].map(withLength)));
}

/**
 * One face for each die, also for held ones: what is held never shifts what comes.
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {[seat: number, round: number, roll: number]} moment
 * @param {number} count
 */
export async function facesOf(key, moment, count) {
  const cryptoKey = await hmacKey(key);
  /** @type {number[]} */
  const faces = [];
  for (let block = 0; faces.length < count; block += 1) {
    const bytes = await hmac(cryptoKey, encode([...moment, block].join(":")));
    faces.push(
      ...Array.from(
        bytes.filter((byte) => byte < 252),
        (byte) => (byte % 6) + 1,
      ),
    );
  }
  return faces.slice(0, count);
}

/** @typedef {{roll: number, dice: number[]}} Turn the rolls so far, and the dice of the last one */

/** @type {Turn} */
const NEW_TURN = { roll: 0, dice: [] };

/**
 * Every roll with its seat's round and the turn as it was before. The log doesn't number the rounds: a seat's round
 * is one more than its turns that are over. An undo takes back the last entry and the passes after it.
 * @param {GameRecord} record
 */
function rollsOf(record) {
  /** @type {{seat: number, type: string, turn: Turn}[]} */
  const turnsOver = [];
  let turn = NEW_TURN;
  const rolls = [];
  for (const event of record.log) {
    if (event.type === "filled" || event.type === "passed") {
      turnsOver.push({ ...event, turn });
      turn = NEW_TURN;
    } else if (event.type === "undone") {
      const last = turnsOver.findLastIndex(({ type }) => type === "filled");
      turn = turnsOver[last]?.turn ?? NEW_TURN;
      turnsOver.length = Math.max(0, last);
    } else if (event.type === "rolled") {
      const round = turnsOver.filter(({ seat }) => seat === event.seat).length + 1;
      rolls.push({ ...event, round, before: turn });
      turn = event;
    }
  }
  return rolls;
}

/**
 * Whether it is the next roll of its turn, and holds only dice that lie there.
 * @param {{roll: number, held: number[], before: Turn}} roll
 */
function isInOrder({ roll, held, before }) {
  return (
    roll === before.roll + 1 &&
    new Set(held).size === held.length &&
    held.every((die) => before.dice[die] !== undefined)
  );
}

/**
 * Whether the key is made of this game's id and of one text for each seat, and of nothing that was added.
 * @param {GameRecord} record
 */
function isKeyOfGame({ id, seats, proof }) {
  return proof.game === id && proof.texts.length === seats.length;
}

/** @param {GameRecord} record */
function areBotsTextsKnown({ seats, proof }) {
  return seats.every(({ seat, ended }) => ended !== "bot" || proof.texts[seat] === BOT_TEXT);
}

/** @param {string} text */
function withLength(text) {
  const bytes = encode(text);
  return concat([new Uint8Array([bytes.length >> 8, bytes.length & 255]), bytes]);
}

/** @param {Uint8Array<ArrayBuffer>} secret */
function hmacKey(secret) {
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/**
 * @param {CryptoKey} key
 * @param {Uint8Array<ArrayBuffer>} text
 */
async function hmac(key, text) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, text));
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function encode(text) {
  return new Uint8Array(new TextEncoder().encode(text));
}

/** @param {Uint8Array<ArrayBuffer>[]} parts */
function concat(parts) {
  return new Uint8Array(parts.flatMap((part) => Array.from(part)));
}

/** @param {string} hex */
export function fromHex(hex) {
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

/** @param {ArrayBuffer} buffer */
function toHex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a dishonest server can do with a text that it has seen, and what the device that sent it says of the result. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { compared, pinned, pins } from "../../app/web/js/dice_pins.js";
import { checkDice } from "../../app/web/js/dice_proof.js";
import { join, ready, sayText } from "../../app/web/js/protocol.js";
import { EMPTY } from "../../app/web/js/state.js";
import { aLobby, aTable } from "./tables.js";

/** @import {Model} from "../../app/web/js/state.js" */

const SECRET = Buffer.alloc(32, 7);
const YOU = { player: "p1", name: "Lija" };

/** A browser's storage. @param {boolean} [isFull] */
function aShelf(isFull = false) {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
      if (isFull) throw new Error("full");
      kept.set(key, value);
    },
  };
}

/** @param {string} game @param {Buffer} secret @returns {Model} */
function aModel(game, secret) {
  const table = aLobby({ dice_proof: { game, commitment: commitmentOf(secret), secret: null } });
  return { ...EMPTY, table, you: /** @type {any} */ (YOU) };
}

/** @param {Buffer} secret */
function commitmentOf(secret) {
  return createHash("sha256").update(secret).digest("hex");
}

/** @param {Buffer} secret @param {string[]} texts @param {string} game */
function firstRoll(secret, texts, game) {
  const parts = [...texts, game].map((text) => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from([0, bytes.length]), bytes]);
  });
  const key = createHmac("sha256", secret).update(Buffer.concat(parts)).digest();
  const bytes = [...createHmac("sha256", key).update("0:1:1:0").digest()];
  return bytes
    .filter((byte) => byte < 252)
    .map((byte) => (byte % 6) + 1)
    .slice(0, 5);
}

/**
 * A record whose own proof is in order: the server made it so.
 * @param {{game?: string, secret?: Buffer, texts: string[], players?: string[]}} made
 * @returns {any}
 */
function aRecord({ game = "g1", secret = SECRET, texts, players = ["p1", "p2"] }) {
  return {
    id: game,
    variant: aTable().variant,
    seats: players.map((player, seat) => ({ seat, player, name: player, ended: "played" })),
    log: [{ type: "rolled", seat: 0, roll: 1, dice: firstRoll(secret, texts, game), held: [] }],
    proof: { game, commitment: commitmentOf(secret), secret: secret.toString("hex"), texts },
  };
}

/** The first number that gives five sixes. @param {(number: number) => number[]} roll */
function ground(roll) {
  for (let number = 0; ; number += 1) if (roll(number).every((face) => face === 6)) return number;
}

/** A device that has sent its text to game g1. */
function aDevice() {
  const shelf = aShelf();
  const text = String(pinned(join(), aModel("g1", SECRET), shelf).text);
  return { shelf, text };
}

test("an honest game: the commitment is the pinned one and the text is in it", async () => {
  const { shelf, text } = aDevice();
  const record = aRecord({ texts: [text, "theirs"] });
  assert.deepEqual((await checkDice(record)).wrong, []);
  assert.deepEqual(compared(record, pins(shelf)), ["same", "text_in"]);
});

test("a secret ground after the text was known gives five sixes and a proof in order, and is called out", async () => {
  const { shelf, text } = aDevice();
  const secretOf = (/** @type {number} */ number) => {
    const secret = Buffer.alloc(32);
    secret.writeUInt32BE(number);
    return secret;
  };
  const number = ground((one) => firstRoll(secretOf(one), [text, "theirs"], "g1"));
  const record = aRecord({ secret: secretOf(number), texts: [text, "theirs"] });
  assert.deepEqual(record.log[0].dice, [6, 6, 6, 6, 6]);
  const verdict = await checkDice(record);
  assert.deepEqual([verdict.wrong, verdict.isCommitmentKept], [[], true]);
  assert.deepEqual(compared(record, pins(shelf)), ["not_same", "text_in"]);
});

test("a text ground in the place of one's own is called out", () => {
  const { shelf } = aDevice();
  const number = ground((one) => firstRoll(SECRET, [`t${one}`, "theirs"], "g1"));
  const record = aRecord({ texts: [`t${number}`, "theirs"] });
  assert.deepEqual(compared(record, pins(shelf)), ["same", "text_other"]);
});

test("one's text at another's seat doesn't count", () => {
  const { shelf, text } = aDevice();
  assert.deepEqual(compared(aRecord({ texts: ["ground", text] }), pins(shelf)), ["same", "text_other"]);
  const without = aRecord({ texts: [text, "theirs"], players: ["p3", "p2"] });
  assert.deepEqual(compared(without, pins(shelf)), ["same", "text_missing"]);
});

test("a game's id ground under the pinned commitment is called out by the text", () => {
  const { shelf, text } = aDevice();
  const number = ground((one) => firstRoll(SECRET, [text, "theirs"], `g-${one}`));
  const record = aRecord({ game: `g-${number}`, texts: [text, "theirs"] });
  assert.deepEqual(compared(record, pins(shelf)), ["moved"]);
});

test("a device that sent no text says that it can't tell", () => {
  assert.deepEqual(compared(aRecord({ texts: ["a", "b"] }), pins(aShelf())), ["unknown"]);
  const { shelf } = aDevice();
  assert.deepEqual(compared(aRecord({ game: "g9", texts: ["a", "b"] }), pins(shelf)), ["unknown"]);
});

test("a game has one text and one pin, however often it is asked for, also under another commitment", () => {
  const { shelf, text } = aDevice();
  assert.equal(pinned(join("a further seat"), aModel("g1", SECRET), shelf).text, text);
  assert.equal(pinned(ready(true, "new"), aModel("g1", Buffer.alloc(32, 8)), shelf).text, text);
  assert.deepEqual(pins(shelf), [{ game: "g1", commitment: commitmentOf(SECRET), text, player: "p1" }]);
  const other = pinned(ready(true, "new"), aModel("g2", SECRET), shelf);
  assert.equal(other.text, "new");
});

test("what carries no text for the dice is left alone", () => {
  const shelf = aShelf();
  for (const command of [ready(true), ready(false), sayText("hello")])
    assert.equal(pinned(command, aModel("g1", SECRET), shelf), command);
  assert.deepEqual(pins(shelf), []);
});

test("the latest pins stay, and a broken store is an empty one", () => {
  const shelf = aShelf();
  for (let game = 0; game < 310; game += 1) pinned(join(), aModel(`g${game}`, SECRET), shelf);
  assert.deepEqual([pins(shelf).length, pins(shelf).at(-1)?.game], [300, "g309"]);
  shelf.setItem("yamb.pins", "{");
  assert.deepEqual(pins(shelf), []);
});

test("where nothing can be stored a pin lasts as long as the page", () => {
  const shelf = aShelf(true);
  const { text } = pinned(join(), aModel("g-unstored", SECRET), shelf);
  assert.equal(pinned(join(), aModel("g-unstored", SECRET), shelf).text, text);
});

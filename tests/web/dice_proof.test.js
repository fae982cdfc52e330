/** The dice of a record, drawn again: against vectors computed apart, and against a forged log. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { checkDice, facesOf, fromHex, gameKey } from "../../app/web/js/dice_proof.js";
import { aTable } from "./tables.js";

const SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const TEXTS = ["seven blue herons", "čaša"];
const GAME = "g7d1";

/** The same by node's own functions, written down a second time. */
function key() {
  const parts = [...TEXTS, GAME].map((text) => {
    const bytes = Buffer.from(text, "utf8");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return createHmac("sha256", Buffer.from(SECRET, "hex")).update(Buffer.concat(parts)).digest();
}

/** @param {string} name @param {number} count */
function faces(name, count) {
  const bytes = createHmac("sha256", key()).update(`${name}:0`).digest();
  return [...bytes]
    .filter((byte) => byte < 252)
    .map((byte) => (byte % 6) + 1)
    .slice(0, count);
}

/** @param {number[]} dice @returns {any} */
function aRecord(dice) {
  const held = [0, 2];
  const first = faces("1:1:1", 5);
  const log = /** @type {import("../../app/web/js/protocol.js").GameEvent[]} */ ([
    { type: "rolled", seat: 0, roll: 1, dice: faces("0:1:1", 5), held: [] },
    { type: "filled", seat: 0, column: "free", row: "max", score: 20 },
    { type: "rolled", seat: 1, roll: 1, dice: first, held: [] },
    {
      type: "rolled",
      seat: 1,
      roll: 2,
      dice: faces("1:1:2", 5).map((face, die) => (held.includes(die) ? (first[die] ?? 0) : face)),
      held,
    },
    { type: "passed", seat: 1 },
    { type: "filled", seat: 0, column: "free", row: "min", score: 9 },
    { type: "passed", seat: 1 },
    { type: "undone", seat: 0 },
    { type: "rolled", seat: 0, roll: 1, dice, held: [] },
  ]);
  const commitment = createHash("sha256").update(Buffer.from(SECRET, "hex")).digest("hex");
  return {
    id: GAME,
    variant: aTable().variant,
    seats: ["p1", "p2"].map((player, seat) => ({ seat, player, name: player, ended: "played" })),
    standings: [],
    sheets: [],
    started_at: 0,
    ended_at: 0,
    reason: "sheets_full",
    log,
    proof: { secret: SECRET, commitment, texts: TEXTS, game: GAME },
  };
}

test("the key and the faces are those of the description", async () => {
  const made = await gameKey(fromHex(SECRET), TEXTS, GAME);
  assert.equal(Buffer.from(made).toString("hex"), key().toString("hex"));
  assert.deepEqual(await facesOf(made, [0, 1, 1], 6), faces("0:1:1", 6));
});

test("more faces than a block holds come from the next block", async () => {
  const made = await facesOf(new Uint8Array(32), [0, 1, 1], 40);
  assert.equal(made.length, 40);
  assert.ok(made.every((face) => face >= 1 && face <= 6));
});

test("an honest record passes, held dice included, round by round", async () => {
  const verdict = await checkDice(aRecord(faces("0:2:1", 5)));
  assert.deepEqual(verdict, {
    rolls: 4,
    wrong: [],
    isCommitmentKept: true,
    isKeyOfGame: true,
    areBotsTextsKnown: true,
  });
});

test("a changed die is found, and where", async () => {
  const [first = 1, ...rest] = faces("0:2:1", 5);
  const verdict = await checkDice(aRecord([(first % 6) + 1, ...rest]));
  assert.deepEqual(verdict.wrong, [{ seat: 0, round: 2, roll: 1 }]);
});

test("a secret that doesn't fit the commitment is found", async () => {
  const record = aRecord(faces("0:2:1", 5));
  record.proof.commitment = "00".repeat(32);
  assert.equal((await checkDice(record)).isCommitmentKept, false);
});

test("the first roll of a turn holds nothing: the faces of the player before are no held dice", async () => {
  const record = aRecord(faces("0:2:1", 5));
  const first = record.log[0];
  const second = record.log[2];
  second.dice = first.dice;
  second.held = [0, 1, 2, 3, 4];
  assert.deepEqual((await checkDice(record)).wrong[0], { seat: 1, round: 1, roll: 1 });
});

test("dice that are held twice or that aren't there are no held dice", async () => {
  for (const held of [[0, 0], [5], [-1]]) {
    const record = aRecord(faces("0:2:1", 5));
    const right = faces("1:1:2", 5).map((face, die) => (held.includes(die) ? record.log[2].dice[die] : face));
    Object.assign(record.log[3], { held, dice: right });
    assert.deepEqual((await checkDice(record)).wrong, [{ seat: 1, round: 1, roll: 2 }], String(held));
  }
});

test("a roll is the next one of its turn: nobody chooses among the faces of several", async () => {
  const record = aRecord(faces("0:2:7", 5));
  record.log.at(-1).roll = 7;
  assert.deepEqual((await checkDice(record)).wrong, [{ seat: 0, round: 2, roll: 7 }]);
  const again = aRecord(faces("0:2:1", 5));
  again.log.splice(1, 0, structuredClone(again.log[0]));
  assert.deepEqual((await checkDice(again)).wrong[0], { seat: 0, round: 1, roll: 1 });
});

test("after an undo the turn that is taken back goes on with its next roll", async () => {
  const record = aRecord([]);
  const [turn, filled] = record.log;
  const dice = [turn.dice[0], ...faces("0:1:2", 5).slice(1)];
  record.log = [
    turn,
    filled,
    { type: "undone", seat: 0 },
    { type: "rolled", seat: 0, roll: 2, dice, held: [0] },
  ];
  assert.deepEqual((await checkDice(record)).wrong, []);
});

test("a key made of another game's id, or of more texts than seats, is found", async () => {
  assert.equal((await checkDice({ ...aRecord(faces("0:2:1", 5)), id: "g-other" })).isKeyOfGame, false);
  const record = aRecord(faces("0:2:1", 5));
  record.seats.pop();
  assert.equal((await checkDice(record)).isKeyOfGame, false);
});

test("a bot's text is the known one, so that no server chooses it", async () => {
  const record = aRecord(faces("0:2:1", 5));
  record.seats[1] = { seat: 1, player: "bot1", name: "Bot 1", ended: "bot" };
  assert.equal((await checkDice(record)).areBotsTextsKnown, false);
  record.proof.texts = [TEXTS[0], "bot"];
  assert.equal((await checkDice(record)).areBotsTextsKnown, true);
});

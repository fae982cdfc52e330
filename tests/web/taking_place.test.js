/** What a page does by itself before the start, and what it leaves to the player. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reduce } from "../../app/web/js/state.js";
import { nextStep } from "../../app/web/js/taking_place.js";
import { standInNotes, tallyText } from "../../app/web/js/views/rematch.js";
import { useCatalogue } from "../../app/web/js/words.js";
import { aLobby, aModel, aSeat, aTable } from "./tables.js";

useCatalogue("en", JSON.parse(readFileSync(new URL("../../app/web/words/en.json", import.meta.url), "utf8")));

const NOTHING = { join: false, bots: 0, rematch: null };
const ME = aSeat({ ready: false });
const BOT = aSeat({ seat: 1, player: "bot1", kind: "bot" });

/** @param {import("../../app/web/js/protocol.js").Seat[]} seats @param {object} [room] */
function lobby(seats, room = {}) {
  return aModel(aLobby({ seats }, room));
}

test("a game against bots is made step by step, and started", () => {
  const wish = { ...NOTHING, bots: 1 };
  const step = (/** @type {import("../../app/web/js/protocol.js").Seat[]} */ seats) =>
    nextStep(lobby(seats, { max_seats: 2 }), wish)?.type;
  assert.equal(step([]), "join");
  assert.equal(step([ME]), "add_bot");
  assert.equal(step([ME, BOT]), "ready");
  assert.equal(step([aSeat(), BOT]), "start");
});

test("a table of one starts without being asked", () => {
  assert.equal(nextStep(lobby([], { max_seats: 1 }), NOTHING)?.type, "join");
  assert.equal(nextStep(lobby([ME], { max_seats: 1 }), NOTHING)?.type, "ready");
  assert.equal(nextStep(lobby([aSeat()], { max_seats: 1 }), NOTHING)?.type, "start");
});

test("where others may come the player himself says when he is ready", () => {
  assert.equal(nextStep(lobby([], { max_seats: 4 }), NOTHING), null);
  assert.equal(nextStep(lobby([], { max_seats: 4 }), { ...NOTHING, join: true })?.type, "join");
  assert.equal(nextStep(lobby([ME], { max_seats: 4 }), NOTHING), null);
  assert.equal(nextStep(aModel(), { ...NOTHING, join: true }), null);
});

test("after a wished rematch the player is ready with a fresh text, and nobody else is", () => {
  const seats = [aSeat({ ready: false, text: "" }), aSeat({ seat: 1, player: "p2", ready: false, text: "" })];
  const model = lobby(seats, { previous_game: "g1" });
  const step = nextStep(model, { ...NOTHING, rematch: "g1" });
  assert.equal(step?.type, "ready");
  assert.match(String(step?.text), /^[a-z\d]{24}$/);
  assert.notEqual(nextStep(model, { ...NOTHING, rematch: "g1" })?.text, step?.text);
  assert.equal(nextStep(model, NOTHING), null);
  assert.equal(nextStep(model, { ...NOTHING, rematch: "g0" }), null);
});

test("the next game begins with nothing of the last one on the screen", () => {
  const { room, seats } = aLobby({}, { previous_game: "g1" });
  const update = {
    type: /** @type {const} */ ("update"),
    version: 11,
    at: 1,
    room,
    seats,
    sheets: [],
    turn: null,
    result: null,
  };
  const after = reduce(aModel(), { ...update, events: [{ type: "rematch", game: "g2" }] });
  assert.equal(after.version, 11);
  assert.deepEqual(after.table?.sheets, []);
  assert.equal(after.lastEntry, null);
  assert.equal(after.you?.player, "p1");
});

test("the running tally names the player himself as You, the most wins first", () => {
  const tally = [
    { player: "p1", name: "Lija", wins: 2 },
    { player: "p2", name: "Medo", wins: 3 },
  ];
  const table = aTable();
  const model = aModel({ ...table, room: { ...table.room, tally } });
  assert.equal(tallyText(model), "Table so far: Medo: 3, You: 2");
  assert.equal(tallyText(aModel({ ...model.table, seats: [aSeat()] })), "");
});

test("a result that a bot played a part in says so", () => {
  const seats = [
    aSeat({ bot_turns: 2 }),
    aSeat({ seat: 1, name: "Medo", left: true }),
    aSeat({ seat: 2, name: "Zec", bot_turns: 3 }),
    aSeat({ seat: 3, name: "Bot 1", kind: "bot", bot_turns: 40 }),
  ];
  assert.deepEqual(standInNotes(seats), [
    "Medo left: a bot finished the game. It stands on no leaderboard for Medo.",
    "A bot played in 3 turns for Zec: the result stands on no leaderboard.",
  ]);
});

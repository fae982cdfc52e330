/** The others at the table: who is here, who plays for whom, and what is said of it. */

/** @import {GameEvent, Presence} from "../../app/web/js/protocol.js" */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isSentAway, isToldInWords, presenceLine, seatMark, spectators } from "../../app/web/js/presence.js";
import { spokenLine } from "../../app/web/js/speech.js";
import { hasLeft, isMyTurn, reduce } from "../../app/web/js/state.js";
import { standInLine } from "../../app/web/js/views/stand_in.js";
import { useCatalogue } from "../../app/web/js/words.js";
import { aModel, aSeat, aTable, aTurn } from "./tables.js";

useCatalogue("en", JSON.parse(readFileSync(new URL("../../app/web/words/en.json", import.meta.url), "utf8")));

/** @param {Record<string, Presence>} states @param {number} [watching] */
function told(states, watching = 0) {
  const players = Object.entries(states).map(([player, state]) => ({ player, state }));
  return { type: /** @type {const} */ ("presence"), players, spectators: watching };
}

const HERE = reduce(aModel(), told({ p1: "here", p2: "here" }));

test("a player who loses the connection is told of once, and when he is back", () => {
  const away = reduce(HERE, told({ p1: "here", p2: "reconnecting" }));
  assert.equal(presenceLine(HERE, away, "normal"), "Medo is reconnecting.");
  assert.equal(presenceLine(away, reduce(away, told({ p1: "here", p2: "reconnecting" }, 1)), "normal"), "");
  assert.equal(presenceLine(away, HERE, "normal"), "Medo is back.");
});

test("my own state is never told to me, and the first list that comes is no news", () => {
  const lost = reduce(HERE, told({ p1: "gone", p2: "here" }));
  assert.equal(presenceLine(HERE, lost, "full"), "");
  assert.equal(presenceLine(aModel(), reduce(aModel(), told({ p2: "gone" })), "normal"), "");
});

test("a page out of sight is told of only to those who want to hear everything", () => {
  const away = reduce(HERE, told({ p1: "here", p2: "away" }));
  assert.equal(presenceLine(HERE, away, "normal"), "");
  assert.equal(presenceLine(away, HERE, "normal"), "");
  assert.equal(presenceLine(HERE, away, "full"), "Medo is away.");
});

test("presence and what was said outlive a snapshot, and are outside of the version", () => {
  const said = {
    type: /** @type {const} */ ("said"),
    request: "r",
    player: "p2",
    name: "Medo",
    text: "hi",
    at: 1,
  };
  const after = reduce(reduce(HERE, told({ p2: "gone" }, 3)), said);
  assert.equal(after.version, HERE.version);
  const you = { player: "p1", name: "Lija" };
  const welcome = {
    type: /** @type {const} */ ("welcome"),
    protocol: 2,
    epoch: "e2",
    version: 9,
    now: 1,
    you,
  };
  const again = reduce(after, { ...welcome, state: aTable() });
  assert.equal(spectators(again), 3);
  assert.deepEqual(again.talk, [said]);
  assert.equal(seatMark(again, 1), "gone");
});

test("of a long talk the latest two hundred stay", () => {
  let model = HERE;
  for (let at = 0; at < 205; at += 1) model = reduce(model, emoted(`e${at}`, at));
  assert.equal(model.talk.length, 200);
  assert.equal(model.talk[0]?.at, 5);
});

/**
 * @param {string} request
 * @param {number} at
 * @param {string} [player]
 */
const emoted = (request, at, player = "p2") =>
  /** @type {const} */ ({ type: "emoted", request, player, name: "Medo", emote: "hello", at });

test("what is passed on twice, by two workers, is shown once", () => {
  const once = reduce(HERE, emoted("e1", 1));
  assert.equal(reduce(once, emoted("e1", 2)), once);
  assert.equal(reduce(once, emoted("e2", 2)).talk.length, 2);
  assert.equal(reduce(once, emoted("e1", 2, "p1")).talk.length, 2);
});

test("the sign of a seat: a bot, a bot in a player's place, and who isn't here", () => {
  const bot = aModel(aTable({ seats: [aSeat(), aSeat({ seat: 1, player: "bot1", kind: "bot" })] }));
  assert.equal(seatMark(bot, 1), "bot");
  const left = aModel(aTable({ seats: [aSeat(), aSeat({ seat: 1, player: "p2", left: true })] }));
  assert.equal(seatMark(reduce(left, told({ p2: "gone" })), 1), "stand_in");
  assert.equal(seatMark(aModel(aTable({ turn: aTurn({ bot: true }) })), 0), "stand_in");
  assert.equal(seatMark(reduce(HERE, told({ p2: "reconnecting" })), 1), "reconnecting");
  assert.equal(seatMark(reduce(HERE, told({ p1: "away" })), 0), null);
});

test("a sign that says others have to wait, or whom they play with, comes with its words", () => {
  const signs = /** @type {const} */ (["stand_in", "left", "reconnecting", "gone", "away", "bot", null]);
  assert.deepEqual(signs.filter(isToldInWords), ["stand_in", "left", "reconnecting", "gone"]);
});

test("only the player whom the host sent away is told so", () => {
  const kicked = /** @type {const} */ ({ type: "kicked", seat: 1, player: "p2", name: "Medo" });
  assert.equal(isSentAway(aModel(aTable(), "p2"), [kicked]), true);
  assert.equal(isSentAway(aModel(aTable(), "p1"), [kicked]), false);
  assert.equal(isSentAway(aModel(aTable(), "p2"), []), false);
});

test("who has left isn't to move, and is told that a bot plays on", () => {
  const left = aModel(aTable({ seats: [aSeat({ left: true }), aSeat({ seat: 1, player: "p2" })] }));
  assert.equal(isMyTurn(left), false);
  assert.ok(hasLeft(left));
  assert.equal(standInLine(left), "You left: a bot plays on for you");
});

test("what is asked of the others is told in other words to the player himself", () => {
  const offer = { seat: 0, reason: /** @type {const} */ ("gone"), since: 1 };
  const table = aTable({ turn: aTurn({ offer }) });
  assert.equal(standInLine(aModel(table, "p2")), "Lija is not here just now");
  assert.equal(standInLine(aModel(table)), "The others are waiting for you");
  assert.equal(standInLine(aModel()), "");
});

test("with real dice nobody plays on for who has left, and nobody says so", () => {
  const table = aTable({
    turn: null,
    seats: [aSeat(), aSeat({ seat: 1, player: "p2", name: "Medo", left: true })],
  });
  const model = aModel({ ...table, room: { ...table.room, own_dice: true } });
  assert.equal(seatMark(model, 1), "left");
  assert.equal(spokenLine(model, [{ type: "seat_left", seat: 1 }], false), "Medo leaves the table.");
});

/** @type {[GameEvent, string, string][]} event, what Lija (seat 0) hears, what Medo hears */
const HEARD = [
  [{ type: "bot_added", seat: 1, name: "Bot 1" }, "Bot 1 takes a seat.", "Bot 1 takes a seat."],
  [
    { type: "seat_left", seat: 1 },
    "Medo leaves the game. A bot plays on.",
    "You left the game. A bot plays on for you.",
  ],
  [{ type: "seat_returned", seat: 1 }, "Medo takes the seat back.", "The seat is yours again."],
  [{ type: "host_passed", player: "p2", name: "Medo" }, "Medo is the host now.", "You are the host now."],
  [
    { type: "kicked", seat: 1, player: "p2", name: "Medo" },
    "Medo was removed from the table.",
    "The host removed you from the table.",
  ],
  [
    { type: "bot_chosen", seat: 1, turn: 4, by: 0 },
    "A bot plays this turn for Medo.",
    "A bot plays this turn for you. Any move of yours stops it.",
  ],
  [{ type: "waited", seat: 1, turn: 4, by: 0 }, "The table waits for Medo.", "The others wait for you."],
  [
    { type: "called_out", seat: 1, turn: 4, reason: "deadline" },
    "The time of Medo for this turn is up.",
    "Your time for this turn is up.",
  ],
  [{ type: "chat_set", on: false }, "The chat is off.", "The chat is off."],
  [{ type: "postponed", ms: 5 }, "", ""],
  [
    { type: "kept", seat: 1, kept: true },
    "",
    "This game is kept on your device and enters no leaderboard for you.",
  ],
];

for (const [event, lija, medo] of HEARD) {
  test(`what is said of ${event.type}`, () => {
    assert.equal(spokenLine(aModel(), [event], false), lija);
    assert.equal(spokenLine(aModel(aTable(), "p2"), [event], false), medo);
  });
}

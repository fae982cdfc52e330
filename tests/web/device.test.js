/** Games of a device: their order in the list, and files that may come from anywhere. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOf, gamesIn, WrongFile } from "../../app/web/js/device_file.js";
import { boardsOf, placed, scoreOf, timeOf } from "../../app/web/js/device_scores.js";
import { aTable } from "./tables.js";

const NOVEMBER = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
const ZEROS = { upper: 0, bonus: 0, middle: null, lower: 0, total: 0 };

/** A game that Lija has kept, in seat 1. @returns {any} */
function aGame() {
  const seats = ["Medo", "Lija"].map((name, seat) => ({ seat, player: `p${seat}`, name, ended: "played" }));
  const totals = [12, 25];
  const record = {
    id: "g7d1",
    board: "classic-5x4",
    variant: aTable().variant,
    seats: [seats[0], { ...seats[1], kept: true }],
    started_at: 1,
    ended_at: NOVEMBER,
    reason: "sheets_full",
    undo: "off",
    standings: [
      { seat: 1, place: 1, total: 25 },
      { seat: 0, place: 2, total: 12 },
    ],
    sheets: totals.map((total, seat) => ({
      seat,
      total,
      cells: { free: { max: total } },
      sums: { free: { ...ZEROS, total } },
    })),
    log: [
      { type: "rolled", seat: 0, roll: 1, dice: [1, 2, 3, 4, 5], held: [] },
      { type: "filled", seat: 0, column: "free", row: "max", score: 12 },
    ],
    proof: { game: "g7d1", commitment: "ab".repeat(32), secret: "cd".repeat(32), texts: ["a", "b"] },
  };
  return { seat: 1, record };
}

test("a score is that of one's own seat", () => {
  assert.deepEqual(scoreOf(aGame()), {
    id: "g7d1",
    board: "classic-5x4",
    dice: 5,
    columns: ["down", "free", "announced", "maximum"],
    name: "Lija",
    score: 25,
    ended_at: NOVEMBER,
  });
});

test("the list is of one board, the best first, equal scores by the earlier end and sharing the place", () => {
  const score = scoreOf(aGame());
  const scores = [
    { ...score, id: "late", ended_at: 3 },
    { ...score, id: "b", ended_at: 2 },
    { ...score, id: "a", ended_at: 2 },
    { ...score, id: "best", score: 900 },
    { ...score, id: "least", score: 1 },
    { ...score, id: "other", board: "papir-solo" },
  ];
  const list = placed(scores, { board: "classic-5x4" });
  assert.deepEqual(
    list.map(({ place, id }) => [place, id]),
    [
      [1, "best"],
      [2, "a"],
      [2, "b"],
      [2, "late"],
      [5, "least"],
    ],
  );
  assert.deepEqual(
    boardsOf(scores).map((one) => one.board),
    ["classic-5x4", "papir-solo"],
  );
});

test("a month is that of the game's end in UTC, to its last millisecond", () => {
  assert.deepEqual([timeOf("month", NOVEMBER), timeOf("month", NOVEMBER + 1)], ["2026-11", "2026-12"]);
  assert.deepEqual([timeOf("today", NOVEMBER), timeOf("all", NOVEMBER)], ["2026-11-30", null]);
  const scores = [scoreOf(aGame()), { ...scoreOf(aGame()), id: "later", ended_at: NOVEMBER + 1 }];
  const list = placed(scores, { board: "classic-5x4", time: timeOf("2026-11", NOVEMBER) });
  assert.deepEqual(
    list.map((one) => one.id),
    ["g7d1"],
  );
});

test("what was written to a file is read as it was", () => {
  const games = [aGame(), { ...aGame(), seat: 0 }];
  assert.deepEqual(gamesIn(fileOf(games)), games);
  assert.deepEqual(gamesIn(fileOf([])), []);
});

test("the replay of a kept game stays on its device: the server makes it of the record again", () => {
  const replay = { game: "g7d1", seats: [], variant: aTable().variant, steps: [] };
  assert.deepEqual(gamesIn(fileOf([{ ...aGame(), replay }])), [aGame()]);
});

test("a field more from a later version is no reason to refuse a game", () => {
  const game = aGame();
  game.record.weather = { sky: "blue" };
  assert.equal(gamesIn(fileOf([game])).length, 1);
});

/** @param {string} text @returns {[string, number]} */
function wrong(text) {
  try {
    gamesIn(text);
  } catch (error) {
    assert.ok(error instanceof WrongFile);
    return [error.code, error.game];
  }
  return ["none", 0];
}

test("what is no file of games says what it is instead", () => {
  assert.deepEqual(wrong("hello"), ["not_json", 0]);
  assert.deepEqual(wrong(""), ["not_json", 0]);
  for (const text of ["[]", "null", "7", '"x"', "{}", '{"kind": "yamb games", "version": 1}'])
    assert.deepEqual(wrong(text), ["not_ours", 0]);
  assert.deepEqual(wrong('{"kind": "yamb games", "version": 2, "games": []}'), ["newer", 0]);
  assert.deepEqual(wrong('{"kind": "yamb games", "version": "x", "games": []}'), ["not_ours", 0]);
  assert.deepEqual(wrong(fileOf([aGame(), /** @type {any} */ ({ seat: 0 })])), ["wrong_game", 2]);
});

/** Every place of a value, as the steps to it. @param {any} value @param {string[]} [path] @returns {string[][]} */
function places(value, path = []) {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => places(value[key], [...path, key]))];
}

/** @param {any} whole @param {string[]} path @param {unknown} value */
function replaced(whole, path, value) {
  const copy = structuredClone(whole);
  const last = path.at(-1) ?? "";
  const inside = path.slice(0, -1).reduce((part, key) => part[key], copy);
  inside[last] = value;
  return copy;
}

/** Told on no page: they may be whatever they like. */
const UNREAD =
  /^record\.(undo|variant\.(last_cell_rolls|max_hold|auto_fill|turns|columns\.\d\.(window|split).*|middle\.floor)|seats\.\d\.kept|log\.\d\.(score|column|row))/;

test("a game with any part replaced by nonsense is refused whole", () => {
  const game = aGame();
  const paths = places(game).filter((path) => path.length > 0 && !UNREAD.test(path.join(".")));
  assert.ok(paths.length > 100);
  for (const path of paths)
    for (const nonsense of [{ x: [] }, -1.5, "<b> nonsense &".repeat(20)])
      assert.deepEqual(
        wrong(fileOf([replaced(game, path, nonsense)])),
        ["wrong_game", 1],
        `${path.join(".")}: ${JSON.stringify(nonsense)}`,
      );
});

test("parts that don't belong together are no game", () => {
  const changes = /** @type {[string[], unknown][]} */ ([
    [["seat"], 2],
    [["record", "sheets"], []],
    [["record", "standings", "0", "total"], 26],
    [["record", "standings", "0", "seat"], 0],
    [["record", "sheets", "0", "seat"], 1],
    [["record", "proof", "texts"], ["a"]],
    [["record", "ended_at"], 8.64e15 + 1],
    [["record", "id"], "../../etc"],
    [["record", "log", "0", "dice"], [7]],
  ]);
  for (const [path, value] of changes)
    assert.deepEqual(wrong(fileOf([replaced(aGame(), path, value)])), ["wrong_game", 1], path.join("."));
});

test("a record, a list, JSON Lines and a player's export are taken in, each at one's own seat", () => {
  const game = aGame();
  const { board: _board, ...exported } = game.record;
  const text = JSON.stringify(exported);
  const forms = [
    JSON.stringify(game.record),
    text,
    `[${text}]`,
    `${text}\n`,
    JSON.stringify(exported, null, 2),
  ];
  for (const form of forms) assert.equal(gamesIn(form, "p1")[0]?.seat, 1);
  const two = `${text}\n${text.replace('"id":"g7d1"', '"id":"g7d2"')}\n`;
  assert.deepEqual(
    gamesIn(two, "p0").map(({ seat, record }) => [seat, record.id, record.board]),
    [
      [0, "g7d1", game.record.variant.id],
      [0, "g7d2", game.record.variant.id],
    ],
  );
  const all = JSON.stringify({ player: { id: "p1" }, account: null, sessions: [], games: [exported] });
  assert.equal(gamesIn(all, "somebody else")[0]?.seat, 1);
});

test("a record of which nobody knows whose game it is says so, and so does a damaged one", () => {
  const { record } = aGame();
  assert.deepEqual(wrong(JSON.stringify(record)), ["no_seat", 1]);
  assert.deepEqual(wrong(JSON.stringify([record, 7])), ["no_seat", 1]);
  assert.deepEqual(wrong(JSON.stringify({ ...record, log: 7 })), ["wrong_game", 1]);
  assert.deepEqual(wrong("[7]"), ["wrong_game", 1]);
  record.seats[0].ended = "bot";
  assert.equal(gamesIn(JSON.stringify(record))[0]?.seat, 1);
});

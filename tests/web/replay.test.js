/** Replays: sheets laid over each other, positions of addresses and entries, sentences. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  entryOf,
  lastEntry,
  markAt,
  positionIn,
  positionOfEntry,
  rollsOf,
  sheetsByPosition,
  totalsByRound,
} from "../../app/web/js/replay.js";
import { eventLine, modelOf, moveLine, stepLine } from "../../app/web/js/replay_words.js";
import { useCatalogue } from "../../app/web/js/words.js";
import { aTable } from "./tables.js";

/** @typedef {import("../../app/web/js/replay.js").Step} Step */

useCatalogue("en", JSON.parse(readFileSync(new URL("../../app/web/words/en.json", import.meta.url), "utf8")));

/** @param {number} total */
function sumsOf(total) {
  return { upper: total, bonus: 0, middle: null, lower: 0, total };
}

/** @param {number} seat @param {string} row @param {number} score */
function filled(seat, row, score) {
  return { type: /** @type {const} */ ("filled"), seat, column: "free", row, score };
}

/** @param {number} seat @param {number} roll @param {number[]} dice @param {number[]} held */
function rolled(seat, roll, dice, held) {
  return { type: /** @type {const} */ ("rolled"), seat, roll, dice, held };
}

/** @param {Partial<Step>} changes @returns {Step} */
function aStep(changes) {
  return { seat: 0, round: 1, events: [], announced: null, columns: {}, total: 0, ...changes };
}

/** Lija takes an entry back and makes another, Medo passes and then crosses out. */
function aReplay() {
  const taken = [
    rolled(0, 1, [6, 6, 1, 3, 6], []),
    filled(0, "max", 22),
    { type: /** @type {const} */ ("undone"), seat: 0 },
    rolled(0, 2, [6, 6, 6, 3, 6], [0, 1, 4]),
    filled(0, "sixes", 24),
  ];
  const names = ["Lija", "Medo"];
  return {
    game: "g7d1",
    seats: names.map((name, seat) => ({ seat, player: `p${seat}`, name, ended: "played" })),
    variant: aTable().variant,
    steps: [
      aStep({
        events: taken,
        columns: { free: { cells: { sixes: 24 }, sums: sumsOf(24) } },
        total: 24,
      }),
      aStep({ seat: 1, events: [{ type: "passed", seat: 1 }] }),
      aStep({
        round: 2,
        events: [filled(0, "ones", 1)],
        columns: { free: { cells: { sixes: 24, ones: 1 }, sums: sumsOf(25) } },
        total: 25,
      }),
      aStep({
        seat: 1,
        round: 2,
        events: [filled(1, "twos", 0)],
        columns: { free: { cells: { twos: 0 }, sums: sumsOf(0) } },
      }),
    ],
  };
}

test("a sheet at a position is what the steps up to it made of it", () => {
  const sheets = sheetsByPosition(aReplay());
  assert.equal(sheets.length, 5);
  assert.deepEqual(
    sheets.map(([lija]) => lija?.total),
    [0, 24, 24, 25, 25],
  );
  assert.deepEqual(sheets[0]?.[0], { seat: 0, total: 0, cells: {}, sums: {} });
  assert.deepEqual(sheets[1]?.[0]?.cells, { free: { sixes: 24 } });
  assert.deepEqual(sheets[4]?.[1], {
    seat: 1,
    total: 0,
    cells: { free: { twos: 0 } },
    sums: { free: sumsOf(0) },
  });
  assert.equal(sheets[2]?.[0], sheets[1]?.[0]);
});

test("a column that a step empties is gone, and the sheets before it stay as they were", () => {
  const replay = aReplay();
  replay.steps.push(aStep({ round: 0, events: [{ type: "cleared", seat: 0 }], columns: { free: null } }));
  const sheets = sheetsByPosition(replay);
  assert.deepEqual(sheets[5]?.[0], { seat: 0, total: 0, cells: {}, sums: {} });
  assert.deepEqual(sheets[4]?.[0]?.cells, { free: { sixes: 24, ones: 1 } });
});

test("a position of an address is moved to where there is one", () => {
  const wanted = {
    0: 0,
    3: 3,
    4: 4,
    5: 4,
    999999999: 4,
    Infinity: 4,
    1e300: 4,
    "-1": 0,
    "-Infinity": 0,
    2.9: 2,
  };
  for (const [text, position] of Object.entries(wanted)) assert.equal(positionIn(text, 4), position, text);
  for (const text of ["", "x", "NaN", "3x", " ", "../", "null"]) assert.equal(positionIn(text, 4), 0, text);
  assert.equal(positionIn(null, 4), null);
  assert.ok(Object.is(positionIn("-0.5", 4), 0));
});

test("an entry is the last one of its step, and none where it was taken back or another thing was done", () => {
  const { steps } = aReplay();
  assert.deepEqual(
    steps.map((step) => entryOf(step)?.row ?? null),
    ["sixes", null, "ones", "twos"],
  );
  const undone = aStep({ events: [filled(0, "max", 22), { type: "undone", seat: 0 }] });
  assert.equal(entryOf(undone), null);
  assert.equal(entryOf(undefined), null);
});

test("the last entry of a seat is marked until something else is done on its sheet", () => {
  const replay = aReplay();
  assert.equal(lastEntry(replay, 0, 0), null);
  assert.deepEqual(
    [1, 2, 3, 4].map((at) => lastEntry(replay, at, 0)?.row),
    ["sixes", "sixes", "ones", "ones"],
  );
  assert.deepEqual(
    [2, 3, 4].map((at) => lastEntry(replay, at, 1)?.row),
    [undefined, undefined, "twos"],
  );
});

test("a written cell leads to the step that wrote what stands there now", () => {
  const replay = aReplay();
  replay.steps.push(aStep({ events: [filled(0, "sixes", 18)] }));
  const sixes = { column: "free", row: "sixes" };
  assert.equal(positionOfEntry(replay, 4, 0, sixes), 1);
  assert.equal(positionOfEntry(replay, 5, 0, sixes), 5);
  assert.equal(positionOfEntry(replay, 5, 1, sixes), null);
  assert.equal(positionOfEntry(replay, 0, 0, sixes), null);
  assert.equal(positionOfEntry(replay, 5, 0, { column: "free", row: "max" }), null);
});

test("of each roll is told what the next one kept", () => {
  const [first] = aReplay().steps;
  assert.deepEqual(
    rollsOf(/** @type {Step} */ (first)).map(({ rolled: { roll }, kept }) => [roll, kept]),
    [
      [1, [0, 1, 4]],
      [2, []],
    ],
  );
});

test("a bot is marked in its own seat always, in a player's place from its turn on", () => {
  const { seats, ...rest } = aReplay();
  const ends = ["bot", "bot_from_turn_3", "left", "bot_from_turn_x"];
  const replay = {
    ...rest,
    seats: ends.map((ended, seat) => ({ ...seats[0], seat, player: "p", name: "x", ended })),
  };
  assert.deepEqual(
    [0, 2, 3].map((at) => markAt(replay, at, 0)),
    ["bot", "bot", "bot"],
  );
  assert.deepEqual(
    [0, 2, 3].map((at) => markAt(replay, at, 1)),
    [null, null, "stand_in"],
  );
  assert.deepEqual([markAt(replay, 3, 2), markAt(replay, 3, 3), markAt(replay, 3, 9)], [null, null, null]);
});

test("totals stand by round, and who has no more rounds keeps what he had", () => {
  const replay = aReplay();
  replay.steps.push(aStep({ round: 3, total: 40 }));
  assert.deepEqual(totalsByRound(replay), [
    { round: 1, totals: [24, 0] },
    { round: 2, totals: [25, 0] },
    { round: 3, totals: [40, 0] },
  ]);
  assert.deepEqual(totalsByRound({ ...replay, steps: [] }), []);
});

/** @param {number} position */
function told(position) {
  const replay = aReplay();
  const sheets = sheetsByPosition(replay)[position] ?? [];
  const model = modelOf(replay, sheets, (seat) => replay.seats[seat]?.name ?? "");
  return { model, step: /** @type {Step} */ (replay.steps[position - 1]) };
}

test("a step is told in one line, and what was taken back without a total that wasn't", () => {
  const { model, step } = told(1);
  assert.equal(
    stepLine(model, step, "normal"),
    "Lija: 22, max, free. Lija takes the last entry back. Lija writes 24 in sixes, free. Total 24.",
  );
  assert.match(stepLine(model, step, "full"), /Roll 2: six, six, six, three, six\. Held: six, six, six\./);
  assert.equal(stepLine(told(2).model, told(2).step, "normal"), "Medo passes: no cell can open.");
  assert.equal(stepLine(told(4).model, told(4).step, "short"), "Medo crosses out twos, free.");
});

test("in the list a step is what it wrote, or else what happened", () => {
  const lines = [1, 2, 3, 4].map((position) => moveLine(told(position).model, told(position).step));
  assert.deepEqual(lines, [
    "Lija: 24 · Sixes, free",
    "Medo passes: no cell can open.",
    "Lija: 1 · Ones, free",
    "Medo: 0 · Twos, free",
  ]);
});

test("each event of a step has its own line", () => {
  const { model, step } = told(1);
  const lines = step.events
    .filter(({ type }) => type !== "rolled")
    .map((event) => eventLine(model, step, event));
  assert.deepEqual(lines, [
    "Lija: 22, max, free.",
    "Lija takes the last entry back.",
    "Lija writes 24 in sixes, free. Total 24.",
  ]);
});

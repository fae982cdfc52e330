/** Each state of a cell, from the sheet and the legal actions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { cellState, isTarget } from "../../app/web/js/cell_state.js";
import { countedPlaces } from "../../app/web/js/legal.js";
import { aTable, aTurn } from "./tables.js";

/** @param {Partial<import("../../app/web/js/cell_state.js").SheetLook>} [changes] */
function aLook(changes = {}) {
  const { variant, sheets } = aTable();
  const sheet = /** @type {NonNullable<(typeof sheets)[0]>} */ (sheets[0]);
  const mode = /** @type {const} */ ("fill");
  return {
    sheet,
    variant,
    legal: aTurn().legal,
    mode,
    armed: null,
    announced: null,
    due: [],
    last: null,
    ...changes,
  };
}

const CASES = [
  ["a written cell", "down", "ones", {}, "written", 3],
  ["a legal cell", "free", "sixes", {}, "legal", 18],
  ["a legal zero", "down", "twos", {}, "legal-zero", 0],
  ["a closed cell", "down", "max", {}, "closed", null],
  ["a cell of the maximum column", "maximum", "ones", {}, "auto", 3],
  ["an announceable cell", "announced", "max", { mode: "announce" }, "announceable", null],
  ["a legal cell in announce mode", "free", "sixes", { mode: "announce" }, "closed", null],
  ["a legal cell on another's turn", "free", "sixes", { legal: null }, "closed", null],
];

for (const [name, column, row, changes, kind, score] of CASES) {
  test(`${name} is ${kind}`, () => {
    const state = cellState(aLook(/** @type {object} */ (changes)), {
      column: String(column),
      row: String(row),
    });
    assert.deepEqual([state.kind, state.score], [kind, score]);
  });
}

test("a crossed out cell is a zero, not an empty one", () => {
  const sheet = { seat: 0, total: 0, cells: { free: { max: 0 } }, sums: {} };
  assert.equal(cellState(aLook({ sheet }), { column: "free", row: "max" }).kind, "zero");
});

test("in a replay a written cell leads to its turn, an empty one nowhere", () => {
  const sheet = { seat: 0, total: 5, cells: { free: { max: 0, ones: 5 } }, sums: {} };
  const look = aLook({ sheet, legal: null, isRecord: true });
  const kinds = ["ones", "max", "twos"].map((row) => cellState(look, { column: "free", row }).kind);
  assert.deepEqual(kinds, ["entry", "entry-zero", "closed"]);
  assert.deepEqual(kinds.map(isTarget), [true, true, false]);
});

test("next in its column but not legal now", () => {
  const legal = { ...aTurn().legal, open: {} };
  assert.equal(cellState(aLook({ legal }), { column: "down", row: "twos" }).kind, "next");
});

test("marks: armed, announced, due, last", () => {
  const cell = { column: "free", row: "sixes" };
  const state = cellState(aLook({ armed: cell, announced: cell, due: [cell], last: cell }), cell);
  assert.ok(state.isArmed && state.isAnnounced && state.isDue && state.isLast);
});

test("an empty cell where a column can begin says which way it runs, a written one doesn't", () => {
  const { variant } = aTable();
  const starts = { free: /** @type {const} */ ({ sixes: "up", max: "down" }) };
  const look = aLook({ variant: { ...variant, starts } });
  const startOf = (/** @type {string} */ row, changes = {}) =>
    cellState({ ...look, ...changes }, { column: "free", row }).start;
  assert.deepEqual(
    ["ones", "sixes", "max"].map((row) => startOf(row)),
    [null, "up", "down"],
  );
  assert.equal(startOf("sixes", { legal: null }), "up");
  const sheet = { seat: 0, total: 18, cells: { free: { sixes: 18 } }, sums: {} };
  assert.equal(startOf("sixes", { sheet }), null);
});

test("the dice that count are found by their faces, of several the first", () => {
  const turn = aTurn({ dice: [6, 2, 6, 6, 2] });
  const places = (/** @type {number[]} */ counted) =>
    countedPlaces({ ...turn, legal: { ...turn.legal, counted: { full: counted } } }, "full");
  assert.deepEqual(places([2, 2, 6, 6, 6]), [0, 1, 2, 3, 4]);
  assert.deepEqual(places([2, 6, 6]), [0, 1, 2]);
  assert.deepEqual(countedPlaces(turn, "full"), []);
});

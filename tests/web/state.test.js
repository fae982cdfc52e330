/** The model follows the messages: parts replaced, sheets by seat, gaps noticed, nothing taken twice. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { canUndo, EMPTY, isMyTurn, mySeat, nameOf, reduce } from "../../app/web/js/state.js";
import { aModel, aTable, aTurn } from "./tables.js";

/**
 * @param {number} version
 * @param {object} [parts]
 * @param {import("../../app/web/js/protocol.js").GameEvent[]} [events]
 */
function anUpdate(version, parts = {}, events = []) {
  return { type: /** @type {const} */ ("update"), version, at: 1, events, ...parts };
}

test("a welcome is the whole state", () => {
  const model = aModel();
  assert.equal(model.version, 10);
  assert.equal(model.table?.room.code, "KAFANA");
  assert.equal(mySeat(model)?.seat, 0);
  assert.ok(isMyTurn(model));
});

test("an update replaces the parts that it brings and leaves the others", () => {
  const before = aModel();
  const after = reduce(before, anUpdate(11, { turn: aTurn({ roll: 2 }) }));
  assert.equal(after.table?.turn?.roll, 2);
  assert.equal(after.table?.seats, before.table?.seats);
});

test("an update brings only the sheets that changed", () => {
  const sheet = { seat: 1, total: 5, cells: { free: { fives: 5 } }, sums: {} };
  const after = reduce(aModel(), anUpdate(11, { sheets: [sheet] }));
  assert.equal(after.table?.sheets.length, 2);
  assert.equal(after.table?.sheets[0]?.total, 3);
  assert.equal(after.table?.sheets[1]?.total, 5);
});

test("an update with an empty list of sheets takes all of them away", () => {
  assert.deepEqual(reduce(aModel(), anUpdate(11, { sheets: [] })).table?.sheets, []);
  assert.equal(reduce(aModel(), anUpdate(11)).table?.sheets.length, 2);
});

test("an update that was seen before changes nothing", () => {
  const model = aModel();
  assert.equal(reduce(model, anUpdate(10, { turn: null })), model);
});

test("an update beyond the next is not applied but remembered as a gap", () => {
  const after = reduce(aModel(), anUpdate(12, { turn: null }));
  assert.equal(after.version, 10);
  assert.ok(after.isBehind);
  assert.notEqual(after.table?.turn, null);
});

test("the missing update closes the gap", () => {
  const behind = reduce(aModel(), anUpdate(12));
  const after = reduce(behind, anUpdate(11));
  assert.equal(after.version, 11);
  assert.equal(after.isBehind, false);
});

test("a pong tells of what was missed in silence", () => {
  assert.ok(reduce(aModel(), { type: "pong", version: 11 }).isBehind);
  assert.equal(reduce(aModel(), { type: "pong", version: 10 }).isBehind, false);
});

test("an update before any welcome changes nothing", () => {
  assert.equal(reduce(EMPTY, anUpdate(3)), EMPTY);
});

test("the holds of the player to move are kept until he rolls", () => {
  const held = reduce(aModel(), { type: "holding", seat: 0, turn: 4, roll: 1, hold: [0, 1] });
  assert.deepEqual(held.holding?.hold, [0, 1]);
  assert.deepEqual(reduce(held, anUpdate(11, { seats: [] })).holding?.hold, [0, 1]);
  assert.equal(reduce(held, anUpdate(11, { turn: aTurn({ roll: 2 }) })).holding, null);
});

test("the last roll and the last entries are remembered", () => {
  const rolled = /** @type {const} */ ({ type: "rolled", seat: 0, roll: 3, dice: [1, 2, 3, 4, 5], held: [] });
  const filled = /** @type {const} */ ({ type: "filled", seat: 0, column: "free", row: "max", score: 15 });
  const after = reduce(aModel(), anUpdate(11, {}, [rolled, filled]));
  assert.equal(after.lastRoll, rolled);
  assert.deepEqual(after.lastFilled[0], { column: "free", row: "max" });
});

test("a visitor has no seat and no turn", () => {
  const model = aModel(aTable(), "p9");
  assert.equal(mySeat(model), null);
  assert.equal(isMyTurn(model), false);
  assert.equal(nameOf(model, 1), "Medo");
});

test("an undo is offered to the seat that wrote last and to nobody else", () => {
  const legal = { ...aTurn().legal, undo: true };
  const seatOf = (/** @type {number | null} */ seat) =>
    aModel(aTable({ turn: aTurn({ undo_seat: seat, legal }) }));
  const mine = mySeat(aModel())?.seat ?? 0;
  assert.equal(canUndo(seatOf(mine)), true);
  assert.equal(canUndo(seatOf(mine + 1)), false);
  assert.equal(canUndo(aModel(aTable({ turn: aTurn({ undo_seat: mine }) }))), false);
  assert.equal(canUndo(aModel(aTable({ turn: null }))), false);
});

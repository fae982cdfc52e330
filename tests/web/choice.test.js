/** What the player has chosen falls away with the moment that it was chosen for. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areTooMany,
  follow,
  heldForAnnounced,
  isOpen,
  NOTHING_CHOSEN,
  shownSeat,
  toggleHold,
  toggleValue,
} from "../../app/web/js/table_choice.js";
import { aModel, aTable, aTurn } from "./tables.js";

const SIXES = { column: "free", row: "sixes" };

test("an armed cell stays armed while the moment lasts", () => {
  const model = aModel();
  const armed = { ...follow(NOTHING_CHOSEN, model), armed: SIXES };
  assert.deepEqual(follow(armed, model).armed, SIXES);
});

test("a new roll disarms and takes the holds from the server", () => {
  const armed = { ...follow(NOTHING_CHOSEN, aModel()), armed: SIXES, hold: [0] };
  const after = follow(armed, aModel(aTable({ turn: aTurn({ roll: 2, held: [0, 1] }) })));
  assert.equal(after.armed, null);
  assert.deepEqual(after.hold, [0, 1]);
});

test("an announcement leaves the held dice held", () => {
  const held = { ...follow(NOTHING_CHOSEN, aModel()), hold: [0, 4], mode: /** @type {const} */ ("announce") };
  const after = follow(
    held,
    aModel(aTable({ turn: aTurn({ announced: { column: "announced", row: "sixes" } }) })),
  );
  assert.deepEqual(after.hold, [0, 4]);
  assert.equal(after.mode, "fill");
});

test("an announced number row holds its dice, as many as may be held, and lets others go", () => {
  const before = aTurn({ dice: [6, 6, 3, 1, 5, 2] });
  const after = (/** @type {string} */ row, changes = {}) =>
    aModel(aTable({ turn: { ...before, announced: { column: "announced", row }, ...changes } }));
  assert.deepEqual(heldForAnnounced(before, after("sixes")), [0, 1]);
  assert.deepEqual(heldForAnnounced(before, after("fours")), []);
  const roll = { legal: true, max_hold: 5, reason: null };
  const dice = [6, 6, 6, 6, 6, 6];
  const limited = after("sixes", { dice, legal: { ...before.legal, roll } });
  assert.deepEqual(heldForAnnounced({ ...before, dice }, limited), [0, 1, 2, 3, 4]);
  assert.equal(heldForAnnounced(before, after("full")), null);
  assert.equal(heldForAnnounced(null, after("sixes")), null, "the page was loaded again");
  const announced = { ...before, announced: { column: "announced", row: "sixes" } };
  assert.equal(heldForAnnounced(announced, after("sixes")), null, "what is let go by hand stays so");
  assert.equal(heldForAnnounced(before, after("sixes", { seat: 1 })), null);
});

test("only what the server lists is open, and only in my turn", () => {
  const choice = follow(NOTHING_CHOSEN, aModel());
  assert.ok(isOpen(choice, aModel(), SIXES));
  assert.ok(!isOpen(choice, aModel(), { column: "free", row: "ones" }));
  assert.ok(!isOpen(choice, aModel(aTable(), "p2"), SIXES));
  const announcing = { ...choice, mode: /** @type {const} */ ("announce") };
  assert.ok(isOpen(announcing, aModel(), { column: "announced", row: "max" }));
  assert.ok(!isOpen(announcing, aModel(), SIXES));
});

test("a die is held, released, and not held beyond the limit", () => {
  assert.deepEqual(toggleHold({ ...NOTHING_CHOSEN, hold: [3] }, 1, 5).hold, [1, 3]);
  assert.deepEqual(toggleHold({ ...NOTHING_CHOSEN, hold: [1, 3] }, 1, 5).hold, [3]);
  assert.deepEqual(toggleHold({ ...NOTHING_CHOSEN, hold: [0, 1] }, 2, 2).hold, [0, 1]);
});

test("all dice of a value are held together and released together", () => {
  const dice = [6, 6, 1, 3, 6];
  const held = toggleValue({ ...NOTHING_CHOSEN, hold: [2] }, dice, 6, 5);
  assert.deepEqual(held.hold, [0, 1, 2, 4]);
  assert.deepEqual(toggleValue(held, dice, 6, 5).hold, [2]);
});

test("my own turn brings my sheet back, another's doesn't", () => {
  const peeking = { ...NOTHING_CHOSEN, peek: 1 };
  assert.equal(shownSeat(follow(peeking, aModel(aTable({ turn: aTurn({ roll: 0 }) }))), aModel()), 0);
  assert.equal(follow(peeking, aModel(aTable({ turn: aTurn({ seat: 1, roll: 0 }) }))).peek, 1);
});

test("a visitor looks at the sheet of the player to move", () => {
  const model = aModel(aTable({ turn: aTurn({ seat: 1 }) }), "p9");
  assert.equal(shownSeat(NOTHING_CHOSEN, model), 1);
});

test("a die beyond the most that may be held is one too many, a held one is not", () => {
  const choice = { ...NOTHING_CHOSEN, hold: [0, 1, 2, 3, 4] };
  assert.equal(areTooMany(choice, [5], 5), true);
  assert.equal(areTooMany(choice, [4], 5), false);
  assert.equal(areTooMany(choice, [5], 6), false);
});

/** A variant in sentences, and as parameters to be changed: over all that ship, in every language. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  COLUMNS,
  changeRoll,
  changeRow,
  changeStep,
  draftOf,
  moved,
  withColumn,
  withDice,
  withRow,
  withStep,
} from "../../app/web/js/variant_draft.js";
import { rowScore, variantNumbers, variantSentences } from "../../app/web/js/variant_words.js";
import { columnName, LANGUAGES, rowName, useCatalogue } from "../../app/web/js/words.js";

/** @typedef {import("../../app/web/js/protocol.js").Variant} Variant */

/** @type {Variant[]} */
const PRESETS = JSON.parse(readFileSync(new URL("presets.json", import.meta.url), "utf8"));
const PAPIR = preset("papir");

/** @param {string} id @returns {Variant} */
function preset(id) {
  const found = PRESETS.find((one) => one.id === id);
  assert.ok(found);
  return found;
}

/** @param {string} tag */
function speak(tag) {
  const catalogue = new URL(`../../app/web/words/${tag}.json`, import.meta.url);
  useCatalogue(tag, JSON.parse(readFileSync(catalogue, "utf8")));
}

for (const { tag } of LANGUAGES) {
  test(`${tag}: every variant says its numbers, rows, columns and steps, and shows no key`, () => {
    speak(tag);
    for (const variant of PRESETS) {
      const text = variantSentences(variant).join(" ");
      const numbers = [variant.dice, variant.columns.length, variant.turns];
      const steps = variant.bonus_steps.flatMap((step) => [step.at_least, step.award]);
      for (const number of [...numbers, ...steps])
        assert.match(text, new RegExp(`\\b${number}\\b`), variant.id);
      for (const { row } of variant.rows) assert.ok(text.includes(rowName(row)), `${variant.id} ${row}`);
      for (const { column } of variant.columns)
        assert.ok(text.includes(columnName(column)), `${variant.id} ${column}`);
      assert.doesNotMatch(text, /\b(summary|column|row)\.\w|undefined|\{/, variant.id);
    }
  });
}

test("the big sheet in words", () => {
  speak("en");
  assert.deepEqual(variantSentences(PAPIR), [
    "6 dice, 10 columns, 117 turns each.",
    "Columns: Down, Free, Up, Announced, Hand, Directed, From the middle, Ends-in, Final, and Maximum.",
    "Rows: Ones, Twos, Threes, Fours, Fives, Sixes, Max, Min, Straight, Three of a kind, Full house, Poker, and Yamb.",
    "Straight: 66 / 56 / 46 after the first / second / third roll; Three of a kind: sum of the three + 30; Full house: sum of the five + 30; Poker: sum of the four + 40; Yamb: sum of the five + 50.",
    "From 60 points in the number rows of a column on, a bonus of 30.",
    "The middle counts Max minus Min, times the points in Ones of the same column.",
    "Directed: When the player before you announces, you must play the same row here on your next turn, with your own dice.",
    "From the middle: From Max up and from Min down.",
  ]);
  assert.equal(variantNumbers(PAPIR, ["notification"]), "6 dice · 9 columns · 104 turns each");
});

test("a table that can't play a column hears nothing of it", () => {
  speak("en");
  assert.doesNotMatch(variantSentences(PAPIR, ["notification"]).join(" "), /Directed/);
});

test("each parameter that differs is said, and only then", () => {
  speak("en");
  const bare = { ...PAPIR, bonus_steps: [], middle: { formula: "difference", floor: true } };
  const said = variantSentences({ ...bare, max_hold: 1, auto_fill: true, last_cell_rolls: 5 }).join(" ");
  for (const part of [
    "No bonus for the number rows.",
    "The middle counts Max minus Min.",
    "The middle never counts below 0.",
    "At most 1 die may be held.",
    "5 rolls for the last cell of a sheet.",
    "An announced cell fills itself after the last roll.",
  ]) {
    assert.ok(said.includes(part), part);
    assert.ok(!variantSentences(PAPIR).join(" ").includes(part), part);
  }
  assert.match(variantSentences({ ...PAPIR, max_hold: 0 }).join(" "), /No die may be held/);
  const unannounced = PAPIR.columns.filter((one) => !one.window);
  const silent = variantSentences({ ...PAPIR, auto_fill: true, columns: unannounced }).join(" ");
  assert.doesNotMatch(silent, /fills itself after/);
  const flat = { ...PAPIR, rows: PAPIR.rows.filter((one) => one.section === "lower") };
  assert.doesNotMatch(variantSentences(flat).join(" "), /middle counts|bonus of/);
});

test("what a row is worth is said, however a straight's values come", () => {
  speak("en");
  const said = (/** @type {string} */ id) => variantSentences(preset(id)).join(" ");
  assert.match(
    said("my-yahtzee"),
    /third roll, four in a row are enough; .*Poker: sum of all five dice \+ 40/,
  );
  assert.match(said("classic-5x4"), /Straight: 45 \/ 50 for 1-5 \/ 2-6/);
  // A database may give the keys of an object in another order.
  const turned = {
    row: "straight",
    section: /** @type {const} */ ("lower"),
    straight: { large: 50, small: 45 },
  };
  assert.equal(rowScore(turned), "45 / 50 for 1-5 / 2-6");
  const dear = PAPIR.rows.map((one) => (one.row === "poker" ? { ...one, bonus: 44 } : one));
  assert.notDeepEqual(variantSentences({ ...PAPIR, rows: dear }), variantSentences(PAPIR));
});

test("whom an announcement binds, and how, is said of every reach and duty", () => {
  speak("en");
  const said = ["next", "all"].flatMap((reach) =>
    ["must", "may"].map((duty) => {
      const columns = PAPIR.columns.map((one) =>
        one.column === "notification" ? { ...one, reach, duty } : one,
      );
      return variantSentences({ ...PAPIR, columns }).find((line) => line.startsWith("Directed"));
    }),
  );
  assert.equal(new Set(said).size, 4);
  assert.match(String(said[3]), /all the others may/);
});

test("counts take the forms of Serbian", () => {
  speak("sr-Latn");
  assert.equal(variantSentences(preset("classic-5x4"))[0], "5 kockica, 4 kolone, po 48 poteza.");
});

test("a draft has the parameters of its variant and nothing that follows from them", () => {
  for (const variant of PRESETS) {
    const draft = draftOf(variant);
    assert.deepEqual(Object.keys(draft).sort(), [
      "auto_fill",
      "bonus_steps",
      "columns",
      "dice",
      "last_cell_rolls",
      "max_hold",
      "middle",
      "rows",
    ]);
    assert.deepEqual(
      draft.rows.map((one) => one.row),
      variant.rows.map((one) => one.row),
    );
    for (const part of [...draft.rows, ...draft.columns])
      assert.ok(!("section" in part) && !("playable" in part), variant.id);
  }
});

test("rows switched on stand where they belong, max and min together", () => {
  const draft = draftOf(PAPIR);
  const without = ["fives", "max", "triling"].reduce((now, row) => withRow(now, row, false), draft);
  assert.equal(without.rows.length, 9);
  const back = ["triling", "min", "fives"].reduce((now, row) => withRow(now, row, true), without);
  assert.deepEqual(back.rows.slice(0, 8), draft.rows.slice(0, 8));
  assert.deepEqual(back.rows.at(-1), { row: "triling", bonus: 20 });
});

test("columns switched on come last, with parameters that can be played", () => {
  const empty = { ...draftOf(PAPIR), columns: [] };
  const all = COLUMNS.reduce((now, column) => withColumn(now, column, true), empty);
  assert.deepEqual(
    all.columns.map((one) => one.column),
    COLUMNS,
  );
  assert.deepEqual(all.columns.find((one) => one.column === "late_announced")?.window, [1, 2]);
  assert.deepEqual(withColumn(all, "up", false).columns.length, COLUMNS.length - 1);
});

test("a list keeps its members when one moves, and its ends hold", () => {
  assert.deepEqual(moved(["a", "b", "c"], 1, -1), ["b", "a", "c"]);
  assert.deepEqual(moved(["a", "b", "c"], 1, 1), ["a", "c", "b"]);
  assert.deepEqual(moved(["a", "b"], 0, -1), ["a", "b"]);
  assert.deepEqual(moved(["a", "b"], 1, 1), ["a", "b"]);
});

test("with other dice as many can be held, as far as there are so many", () => {
  assert.equal(withDice(draftOf(PAPIR), 5).max_hold, 5);
  assert.equal(withDice(draftOf(preset("classic-5x4")), 6).max_hold, 6);
  assert.equal(withDice(draftOf(preset("my-yahtzee")), 5).max_hold, 5);
  assert.equal(withDice({ ...draftOf(PAPIR), max_hold: 2 }, 5).max_hold, 2);
});

test("values are changed one at a time, and the old draft stays as it was", () => {
  const draft = draftOf(PAPIR);
  const before = structuredClone(draft);
  const changed = changeRoll(changeRow(draft, "yamb", { bonus: 77 }), 1, 60);
  assert.deepEqual(changed.rows.find((one) => one.row === "straight")?.straight, {
    by_roll: [66, 60, 46],
    shortest: 5,
  });
  assert.equal(changed.rows.find((one) => one.row === "yamb")?.bonus, 77);
  assert.deepEqual(changeStep(withStep(draft), 1, { award: 44 }).bonus_steps, [
    { at_least: 60, award: 30 },
    { at_least: 70, award: 44 },
  ]);
  assert.deepEqual(draft, before);
});

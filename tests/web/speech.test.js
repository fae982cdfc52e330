/** Live region texts equal the templates; reasons are sentences. */

/** @import {Filled, Rolled} from "../../app/web/js/protocol.js" */
/** @import {Verbosity} from "../../app/web/js/preferences.js" */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { announcementText } from "../../app/web/js/announcement.js";
import {
  boardTitle,
  closedSentence,
  reasonSentence,
  rollSentence,
  spokenLine,
  variantTitle,
  winnerSentence,
} from "../../app/web/js/speech.js";
import { useCatalogue } from "../../app/web/js/words.js";
import { aModel, aTable, aTurn } from "./tables.js";

useCatalogue("en", JSON.parse(readFileSync(new URL("../../app/web/words/en.json", import.meta.url), "utf8")));

const SIXES_DUE = { column: "notification", row: "sixes" };

test("my roll is read as words, with what is held", () => {
  assert.equal(
    rollSentence({ roll: 2, dice: [3, 3, 6, 1, 3, 5], held: [0, 1, 4] }),
    "Roll 2: three, three, six, one, three, five. Held: three, three, three.",
  );
});

test("a choice of columns is named by its game, any other variant by what it is made of", () => {
  const variant = { ...aTable().variant, id: "x-1372509cc017615c" };
  assert.equal(variantTitle({ ...variant, base: "swedish-6" }), "Swedish: own columns");
  assert.equal(variantTitle({ ...variant, base: "papir" }), "Big sheet: own columns");
  assert.equal(variantTitle({ ...variant, id: "papir-solo", base: "papir" }), "Big sheet alone, 9 columns");
  assert.equal(variantTitle(variant), "Own rules · 5 dice, 4 columns");
  const shared = { ...variant, base: variant.id, code: "2DS8K-W0C5X" };
  assert.equal(variantTitle(shared), "Own rules · 5 dice, 4 columns · 2DS8K-W0C5X");
});

test("a leaderboard is named by its variant, that of a choice by its game and columns", () => {
  const columns = ["free", "hand"];
  const own = { variant: "x-1372509cc017615c", base: "swedish-6", code: "2DS8K-W0C5X", dice: 6, columns };
  assert.equal(boardTitle(own), "Swedish: Free, Hand");
  const solo = { variant: "papir-solo", base: "papir", code: null, dice: 6, columns };
  assert.equal(boardTitle(solo), "Big sheet alone, 9 columns");
  const custom = { ...own, base: own.variant, dice: 5 };
  assert.equal(boardTitle(custom), "Own rules · 5 dice, 2 columns · 2DS8K-W0C5X");
});

test("a late announcement that is over is told in its own words", () => {
  assert.match(reasonSentence("not_announced", "late_announced"), /^Late announcement: .* own time/);
  assert.match(reasonSentence("not_announced", "announced"), /right after the first roll/);
});

/** @param {Rolled} rolled @param {Verbosity} verbosity */
function heard(rolled, verbosity) {
  return spokenLine(aModel(), [rolled], false, verbosity);
}

test("another's roll is silent, but for those who want to hear everything", () => {
  /** @type {Rolled} */
  const rolled = { type: "rolled", seat: 1, roll: 2, dice: [1, 1, 4, 1, 1], held: [0, 1] };
  assert.equal(heard(rolled, "short"), "");
  assert.equal(heard(rolled, "normal"), "");
  assert.equal(heard(rolled, "full"), "Medo: Roll 2: one, one, four, one, one. Held: one, one.");
});

test("short speech has the dice, the entry and the turn, and neither held dice nor totals nor rounds", () => {
  /** @type {Rolled} */
  const rolled = { type: "rolled", seat: 0, roll: 2, dice: [3, 3, 6, 1, 3], held: [0, 1] };
  /** @type {Filled} */
  const filled = { type: "filled", seat: 1, column: "free", row: "max", score: 24 };
  assert.equal(heard(rolled, "short"), "three, three, six, one, three.");
  assert.equal(spokenLine(aModel(), [filled], true, "short"), "Medo: 24, max, free. Your turn.");
  const crossed = { ...filled, score: 0 };
  assert.equal(spokenLine(aModel(), [crossed], false, "short"), "Medo crosses out max, free.");
});

test("full speech tells one's own game as normal speech does", () => {
  /** @type {Filled} */
  const filled = { type: "filled", seat: 0, column: "free", row: "max", score: 24 };
  const normal = spokenLine(aModel(), [filled], true);
  assert.equal(normal, "Lija writes 24 in max, free. Total 3. Your turn, round 2 of 48.");
  assert.equal(spokenLine(aModel(), [filled], true, "full"), normal);
});

test("an announcement", () => {
  const announced = /** @type {const} */ ({ type: "announced", seat: 1, column: "announced", row: "sixes" });
  assert.equal(spokenLine(aModel(), [announced], false), "Medo announces sixes.");
});

test("an entry, with the total after it", () => {
  const filled = /** @type {const} */ ({
    type: "filled",
    seat: 0,
    column: "announced",
    row: "sixes",
    score: 24,
  });
  assert.equal(spokenLine(aModel(), [filled], false), "Lija writes 24 in sixes, announced. Total 3.");
});

test("an entry that brings my turn is said with it, as one", () => {
  const filled = /** @type {const} */ ({ type: "filled", seat: 1, column: "free", row: "max", score: 24 });
  const line = spokenLine(aModel(), [filled], true);
  assert.equal(line, "Medo writes 24 in max, free. Total 0. Your turn, round 2 of 48.");
});

test("why a cell is closed", () => {
  assert.equal(closedSentence(aModel(), { column: "down", row: "sixes" }), "Down: fill Twos first");
  assert.equal(
    closedSentence(aModel(), { column: "hand", row: "sixes" }),
    "Hand: only right after the first roll",
  );
  assert.equal(closedSentence(aModel(), { column: "down", row: "ones" }), "Ones, down: filled already");
  assert.equal(
    closedSentence(aModel(aTable(), "p2"), { column: "free", row: "max" }),
    "Not your turn: Lija plays",
  );
});

test("a refusal without details still is a sentence, and an unknown one names its code", () => {
  assert.equal(reasonSentence("out_of_order"), "Other rows of this column come first");
  assert.equal(reasonSentence("out_of_order", "down", ["threes"]), "Down: fill Threes first");
  assert.equal(reasonSentence("brand_new"), "The server refused that (brand_new)");
});

test("who wins, and by how much", () => {
  const lija = { name: "Lija", place: 1, total: 912 };
  assert.equal(winnerSentence([{ name: "Medo", place: 2, total: 881 }, lija]), "Lija wins by 31");
  assert.equal(winnerSentence([lija, { name: "Medo", place: 1, total: 912 }]), "A tie at 912 points");
  assert.equal(winnerSentence([lija]), "912 points");
});

test("the banner says first what the player himself owes", () => {
  const bound = { duty: /** @type {const} */ ("must"), cells: [{ ...SIXES_DUE, by: 1 }], by: 1 };
  const mine = aModel(aTable({ turn: aTurn({ bound }) }));
  assert.equal(
    announcementText(mine, 0),
    "Medo announced Sixes: play it now in Directed; the rest is closed.",
  );
  assert.equal(announcementText(mine, 1), "Lija must play Sixes in Directed.");
});

test("the banner tells all calls, each with who announced it", () => {
  const ones = { column: "notification", row: "ones" };
  for (const duty of /** @type {const} */ (["must", "may"])) {
    const cells = [
      { ...SIXES_DUE, by: 1 },
      { ...ones, by: 0 },
    ];
    const model = aModel(aTable({ turn: aTurn({ bound: { duty, cells, by: 1 } }) }));
    const asks = {
      must: "Play one of them now in Directed; the rest is closed.",
      may: "You may play one of them in Directed this turn.",
    };
    assert.equal(announcementText(model, 0), `Medo announced Sixes. Lija announced Ones. ${asks[duty]}`);
    assert.equal(announcementText(model, 1), `Lija ${duty} play Sixes or Ones in Directed.`);
  }
});

test("two calls that wait for a player's next turn are both in the banner, one row once", () => {
  const duty = /** @type {const} */ ("may");
  const pending = [
    { seat: 0, by: 1, duty, ...SIXES_DUE },
    { seat: 0, by: 2, duty, ...SIXES_DUE },
    { seat: 0, by: 1, duty, column: "notification", row: "full" },
  ];
  const model = aModel(aTable({ turn: aTurn({ seat: 1, pending }) }));
  assert.equal(
    announcementText(model, 0),
    "Medo announced Sixes. Medo announced Full house. On your turn you may play one of them in Directed.",
  );
});

test("the banner of who is bound on his next turn, and of the others", () => {
  const pending = [{ seat: 0, by: 1, duty: /** @type {const} */ ("must"), ...SIXES_DUE }];
  const announced = { column: "announced", row: "sixes" };
  const model = aModel(aTable({ turn: aTurn({ seat: 1, announced, pending }) }));
  assert.equal(announcementText(model, 0), "Medo announced Sixes: on your turn play it in Directed.");
  assert.equal(announcementText(model, 1), "You announced Sixes.");
  assert.equal(announcementText(model, null), "Medo announced Sixes.");
  assert.equal(announcementText(aModel(), 0), "");
});

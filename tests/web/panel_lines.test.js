/** The score panel's lines: figures in the language, the parts that the sheet has, my seat first. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { mineFirst, panelLines } from "../../app/web/js/panel_lines.js";
import { useCatalogue } from "../../app/web/js/words.js";

/** @param {string} tag */
function speak(tag) {
  const path = new URL(`../../app/web/words/${tag}.json`, import.meta.url);
  useCatalogue(tag, JSON.parse(readFileSync(path, "utf8")));
}

beforeEach(() => speak("en"));

/** @param {number} now @param {number} attainable @param {number} perfect */
function points(now, attainable, perfect) {
  const shareOf = (/** @type {number} */ value) => (perfect ? Math.max(value, 0) / perfect : 0);
  return { now, now_share: shareOf(now), attainable, attainable_share: shareOf(attainable) };
}

/** @param {number} [seat] */
function aPanel(seat = 0) {
  return {
    seat,
    upper: points(63, 1300, 1350),
    middle: points(-8, 1242, 1250),
    lower: points(200, 3160, 3160),
    total: points(255, 5702, 5760),
    perfect: { upper: 1350, middle: 1250, lower: 3160, total: 5760 },
  };
}

test("every part has its points and shares, now and still possible", () => {
  assert.deepEqual(
    panelLines(aPanel()).map(({ name, figures }) => [name, ...figures]),
    [
      ["Upper", "63", "4.7%", "1,300", "96.3%"],
      ["Middle", "-8", "0.0%", "1,242", "99.4%"],
      ["Lower", "200", "6.3%", "3,160", "100.0%"],
      ["Total", "255", "4.4%", "5,702", "99.0%"],
    ],
  );
});

test("figures are written as the language writes them", () => {
  speak("sr-Latn");
  const [upper] = panelLines(aPanel());
  assert.equal(upper?.name, "Gore");
  assert.deepEqual(upper?.figures, ["63", "4,7%", "1.300", "96,3%"]);
});

test("a part that the sheet does not have has no line", () => {
  const panel = aPanel();
  panel.perfect.middle = 0;
  assert.deepEqual(
    panelLines(panel).map(({ part }) => part),
    ["upper", "lower", "total"],
  );
});

test("my panel stands first, the others in seat order", () => {
  const panels = [aPanel(2), aPanel(0), aPanel(1)];
  assert.deepEqual(
    mineFirst(panels, 1).map(({ seat }) => seat),
    [1, 0, 2],
  );
  assert.deepEqual(
    mineFirst(panels, null).map(({ seat }) => seat),
    [0, 1, 2],
  );
});

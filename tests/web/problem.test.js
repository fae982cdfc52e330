/** What went wrong is said of what was asked for, and of nothing else. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Problem } from "../../app/web/js/api.js";
import { problemText } from "../../app/web/js/views/problem.js";
import { useCatalogue } from "../../app/web/js/words.js";

useCatalogue("en", JSON.parse(readFileSync(new URL("../../app/web/words/en.json", import.meta.url), "utf8")));

/** @param {string} field */
function malformed(field) {
  return new Problem(422, "invalid", "", [{ field, sentence: "String should match pattern" }]);
}

test("where nothing can be, nothing is", () => {
  for (const field of ["player", "game", "variant", "around"]) {
    assert.equal(problemText(malformed(field)), "There is nothing at this address.");
  }
});

test("a field that has words of its own is told by them", () => {
  assert.equal(problemText(malformed("name")), "A name has 1 to 24 visible characters.");
});

test("of anything else nothing is said about names", () => {
  assert.equal(problemText(malformed("max_seats")), "That cannot be used.");
  assert.equal(problemText(new Problem(422, "wrong_cursor", "")), "That cannot be used.");
  assert.equal(
    problemText(new Problem(422, "unknown_columns", "", [{ field: "variant", sentence: "" }])),
    "A sheet of these columns cannot be played",
  );
});

/** The catalogues: same keys, the plural forms of each locale, no key without a text. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { chooseLanguage, LANGUAGES, t, tn, useCatalogue } from "../../app/web/js/words.js";

const ROOT = new URL("../../", import.meta.url);
const PLURAL = /\.(zero|one|two|few|many|other)$/;

/** @param {string} tag */
function catalogue(tag) {
  return JSON.parse(readFileSync(new URL(`app/web/words/${tag}.json`, ROOT), "utf8"));
}

/** @param {Record<string, string>} words */
function baseKeys(words) {
  return new Set(Object.keys(words).map((key) => key.replace(PLURAL, "")));
}

function sources() {
  const folder = new URL("app/web/js/", ROOT);
  const files = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".js"));
  return files.map((name) => readFileSync(new URL(String(name), folder), "utf8")).join("\n");
}

/** The codes of a table of docs/protocol.md. */
function refusalCodes() {
  const protocol = readFileSync(new URL("docs/protocol.md", ROOT), "utf8");
  const section = protocol.slice(protocol.indexOf("## Refusals"), protocol.indexOf("## Close codes"));
  return Array.from(section.matchAll(/^\| `(\w+)` \|/gm), (match) => match[1]);
}

/** The ids of the table of variants in docs/rules.md. @returns {string[]} */
function variantIds() {
  const rules = readFileSync(new URL("docs/rules.md", ROOT), "utf8");
  const table = rules.slice(rules.indexOf("| id | dice |")).split("\n\n")[0] ?? "";
  return Array.from(table.matchAll(/^\| ([a-z\d-]+) \| \d/gm), (match) => String(match[1]));
}

for (const { tag } of LANGUAGES) {
  test(`${tag} has the keys of English`, () => {
    assert.deepEqual([...baseKeys(catalogue(tag))].sort(), [...baseKeys(catalogue("en"))].sort());
  });

  test(`${tag} has exactly the plural forms of its locale`, () => {
    const words = catalogue(tag);
    const wanted = [...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort();
    const counted = new Set(
      Object.keys(words).flatMap((key) => (PLURAL.test(key) ? [key.replace(PLURAL, "")] : [])),
    );
    for (const base of counted) {
      const forms = Object.keys(words).filter((key) => key.replace(PLURAL, "") === base && PLURAL.test(key));
      assert.deepEqual(forms.map((key) => key.split(".").pop()).sort(), wanted, base);
    }
  });

  test(`${tag} has no empty text and the same placeholders as English`, () => {
    const [words, english] = [catalogue(tag), catalogue("en")];
    for (const [key, text] of Object.entries(words)) {
      assert.notEqual(String(text).trim(), "", key);
      const other = english[key];
      if (other) assert.deepEqual(placeholders(String(text)), placeholders(other), key);
    }
  });

  test(`${tag} has a title for every variant of the rules`, () => {
    const ids = variantIds();
    assert.equal(ids.length, 12);
    for (const id of ids) {
      assert.ok(catalogue(tag)[`variant.${id}`], id);
      assert.ok(catalogue(tag)[`variant.group.${id.split("-")[0]}`], id);
    }
  });

  test(`${tag} has a text for every refusal of the protocol`, () => {
    const codes = refusalCodes();
    assert.ok(codes.length > 30);
    for (const code of codes) assert.ok(catalogue(tag)[`refusal.${code}`], code);
  });
}

test("every key that the code names stands in the catalogue", () => {
  const keys = baseKeys(catalogue("en"));
  const named = Array.from(sources().matchAll(/\btn?\(\s*"([\w.-]+)"/g), (match) => String(match[1]));
  assert.ok(named.length > 100);
  for (const key of named) assert.ok(keys.has(key), key);
});

test("every row and column of the protocol has its names", () => {
  const rows = "ones twos threes fours fives sixes max min two_pairs triling straight full poker yamb".split(
    " ",
  );
  const columns = (
    "down up free announced late_announced hand notification from_middle ends_in both_ends every_other final " +
    "maximum"
  ).split(" ");
  const words = catalogue("en");
  for (const row of rows)
    assert.ok(words[`row.${row}`] && words[`row.short.${row}`] && words[`row.rule.${row}`], row);
  for (const column of columns)
    assert.ok(words[`column.${column}`] && words[`column.rule.${column}`], column);
});

test("a count takes the form of its locale", () => {
  useCatalogue("sr-Latn", catalogue("sr-Latn"));
  assert.equal(tn("summary.dice", 1), "1 kockica");
  assert.equal(tn("summary.dice", 3), "3 kockice");
  assert.equal(tn("summary.dice", 5), "5 kockica");
  assert.equal(tn("summary.dice", 21), "21 kockica");
});

test("an unknown key shows itself instead of nothing", () => {
  useCatalogue("en", catalogue("en"));
  assert.equal(t("no.such.key"), "no.such.key");
});

test("the browser's languages choose the catalogue", () => {
  assert.equal(chooseLanguage(["de-DE", "sr-RS"]), "sr-Latn");
  assert.equal(chooseLanguage(["sh"]), "sr-Latn");
  assert.equal(chooseLanguage(["en-GB", "sr"]), "en");
  assert.equal(chooseLanguage(["xx"]), "en");
});

/** @param {string} text */
function placeholders(text) {
  return Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1]).sort();
}

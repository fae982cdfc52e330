/** What a strict content security policy and the set-up of the files ask for. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../app/web/", import.meta.url);
const INDEX = readFileSync(new URL("index.html", WEB), "utf8");

test("no script and no style stands in the page itself", () => {
  assert.doesNotMatch(INDEX, /<style|style=|\son\w+=/);
  for (const [tag] of INDEX.matchAll(/<script[^>]*>/g)) assert.match(tag, /\ssrc="/);
});

test("every file that the page names is there", () => {
  const names = Array.from(INDEX.matchAll(/(?:href|src)="\/web\/([^"]+)"/g), (match) => String(match[1]));
  assert.ok(names.length >= 5);
  for (const name of names) assert.ok(existsSync(new URL(name, WEB)), name);
});

test("the live regions stand in the page from the start, and zoom is free", () => {
  assert.match(INDEX, /id="spoken" role="status"/);
  assert.match(INDEX, /id="alarm" role="alert"/);
  assert.doesNotMatch(INDEX, /maximum-scale|user-scalable/);
});

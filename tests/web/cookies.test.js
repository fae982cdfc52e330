/** A browser that keeps no cookies, with the network in the test's hands. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, mock, test } from "node:test";
import { problemText } from "../../app/web/js/views/problem.js";
import { useCatalogue } from "../../app/web/js/words.js";

useCatalogue("en", JSON.parse(readFileSync(new URL("../../app/web/words/en.json", import.meta.url), "utf8")));

const LIJA = { player: "p1", name: "Lija", tag: null, user_name: null };
let keepsCookies = false;
let guests = 0;
let isSignedIn = false;

/** A server that knows the player by a cookie, if the browser keeps it. */
function answer(/** @type {string} */ address) {
  if (address === "/api/guests") {
    guests += 1;
    isSignedIn = keepsCookies;
    return Response.json(LIJA, { status: 201 });
  }
  return Response.json(isSignedIn ? LIJA : null);
}

beforeEach(() => {
  guests = 0;
  isSignedIn = false;
  mock.method(globalThis, "fetch", (/** @type {string} */ address) => Promise.resolve(answer(address)));
});

afterEach(() => mock.restoreAll());

/** What a page does that was just loaded. @param {string} name */
async function freshPlayAs(name) {
  const fresh = `../../app/web/js/api.js?${name}`;
  return (await import(fresh)).playAs;
}

test("a browser that keeps the cookie makes one guest", async () => {
  keepsCookies = true;
  const playAs = await freshPlayAs("kept");
  assert.deepEqual(await playAs("Lija"), LIJA);
  assert.deepEqual(await playAs("Lija"), LIJA);
  assert.equal(guests, 1);
});

test("a browser that blocks cookies is told so, and makes no further guests", async () => {
  keepsCookies = false;
  const playAs = await freshPlayAs("blocked");
  for (let tries = 0; tries < 3; tries += 1)
    await assert.rejects(playAs("Lija"), { code: "cookies_blocked", status: 401 });
  assert.equal(guests, 1);
});

test("the sentence names cookies", async () => {
  const { Problem } = await import("../../app/web/js/api.js");
  assert.match(problemText(new Problem(401, "cookies_blocked", "")), /blocks cookies for this page/);
});

/** REST, with the network in the test's hands. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { signIn } from "../../app/web/js/account_api.js";
import { makeRoom, Problem } from "../../app/web/js/api.js";

/** @type {any[]} */
let asked = [];
/** @type {(() => Promise<Response>)[]} */
let answers = [];

beforeEach(() => {
  asked = [];
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(globalThis, "fetch", (/** @type {string} */ _address, /** @type {RequestInit} */ options) => {
    asked.push(JSON.parse(String(options.body)));
    return (answers.shift() ?? nothing)();
  });
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

const nothing = () => Promise.reject(new TypeError("no network"));
const unavailable = () => Promise.resolve(Response.json({ code: "unavailable" }, { status: 503 }));
const made = () => Promise.resolve(Response.json({ code: "KAFANA" }, { status: 201 }));
const wrong = () => Promise.resolve(Response.json({ code: "unknown_variant" }, { status: 422 }));

/** Until it is settled, time passes. @param {Promise<unknown>} work */
async function settle(work) {
  let isSettled = false;
  work.catch(() => {}).finally(() => (isSettled = true));
  while (!isSettled) {
    await new Promise((go) => setImmediate(go));
    mock.timers.tick(1_000);
  }
  return work;
}

test("a room without an answer is asked for again by the same request", async () => {
  answers = [nothing, unavailable, made];
  assert.deepEqual(await settle(makeRoom("papir", 4)), { code: "KAFANA" });
  assert.equal(asked.length, 3);
  assert.match(asked[0].request, /^[a-z0-9]{20}$/);
  assert.deepEqual(new Set(asked.map((body) => body.request)).size, 1);
});

test("two rooms are asked for by two requests", async () => {
  answers = [made, made];
  await makeRoom("papir", 4);
  await makeRoom("papir", 4);
  assert.notEqual(asked[0].request, asked[1].request);
});

test("without an answer after three tries it is given up", async () => {
  answers = [];
  await assert.rejects(
    settle(makeRoom("papir", 4)),
    (problem) => problem instanceof Problem && problem.status === 0,
  );
  assert.equal(asked.length, 3);
});

test("what is wrong is not asked for again", async () => {
  answers = [wrong];
  await assert.rejects(
    settle(makeRoom("poker", 4)),
    (problem) => problem instanceof Problem && problem.status === 422,
  );
  assert.equal(asked.length, 1);
});

test("a refusal says after how many seconds the same may succeed, and which fields are wrong", async () => {
  const errors = [{ field: "password", sentence: "the password is wrong" }];
  const headers = { "retry-after": "840" };
  answers = [
    () => Promise.resolve(Response.json({ code: "too_many_attempts", errors }, { status: 429, headers })),
  ];
  await assert.rejects(signIn({ user_name: "lija", password: "x" }), (problem) => {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.wait, problem.errors], [840, errors]);
    return true;
  });
});

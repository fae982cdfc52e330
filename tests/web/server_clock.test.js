/** The server's time on a device whose clock is wrong. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, hearTime, secondsLeft } from "../../app/web/js/server_clock.js";
import { EMPTY, reduce } from "../../app/web/js/state.js";
import { aModel, aTable } from "./tables.js";

test("a welcome tells how far the device's clock is off", () => {
  assert.equal(hearTime(null, { type: "welcome", now: 100_000 }, 40_000), 60_000);
  assert.equal(secondsLeft(130_000, 60_000, 40_000), 30);
  assert.equal(secondsLeft(130_000, 60_000, 90_000), 0);
});

test("an update that comes late doesn't set the clock back, a quicker one mends it", () => {
  const skew = hearTime(null, { type: "welcome", now: 100_000 }, 40_000);
  assert.equal(hearTime(skew, { type: "update", at: 20_000 }, 41_000), 60_000);
  assert.equal(hearTime(skew, { type: "update", at: 101_400 }, 41_000), 60_400);
  assert.equal(hearTime(skew, { type: "pong" }, 41_000), 60_000);
});

test("the model learns the server's time with what it hears, and only then", () => {
  assert.equal(aModel().skew, null);
  const you = { player: "p1", name: "Lija" };
  const welcome = {
    type: /** @type {const} */ ("welcome"),
    protocol: 2,
    epoch: "e",
    version: 1,
    now: 500,
    you,
  };
  const model = reduce(EMPTY, { ...welcome, state: aTable() }, 200);
  assert.equal(model.skew, 300);
  assert.equal(reduce(model, { type: "pong", version: 1 }, 900).skew, 300);
});

test("a clock shows minutes and seconds", () => {
  assert.equal(clockText(125), "2:05");
  assert.equal(clockText(40), "0:40");
  assert.equal(clockText(0), "0:00");
});

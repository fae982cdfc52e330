/** What is pressed before the last answer is there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EarlyPresses } from "../../app/web/js/early_presses.js";
import { keep } from "../../app/web/js/protocol.js";

/** A line whose answers come when the test says so. */
function aLine() {
  const line = {
    isConnected: true,
    isBusy: false,
    /** @type {import("../../app/web/js/protocol.js").Command[]} */
    sent: [],
    isLive: () => line.isConnected,
    isReady: () => line.isConnected && !line.isBusy,
    command: (/** @type {import("../../app/web/js/protocol.js").Command} */ command) => {
      line.sent.push(command);
      line.isBusy = true;
      return true;
    },
  };
  return line;
}

test("each press waits for the answer of the one before", () => {
  const line = aLine();
  const presses = new EarlyPresses(line);
  const commands = [keep(true), keep(false), keep(true)];
  for (const command of commands)
    assert.equal(
      presses.give(() => command),
      true,
    );
  for (const [index] of commands.entries()) {
    assert.deepEqual(line.sent, commands.slice(0, index + 1));
    line.isBusy = false;
    presses.send();
  }
  assert.deepEqual(line.sent, commands);
});

test("what is no longer meant gives way to the next", () => {
  const line = aLine();
  const presses = new EarlyPresses(line);
  const wanted = keep(true);
  line.isBusy = true;
  presses.give(() => null);
  presses.give(() => wanted);
  assert.deepEqual(line.sent, []);
  line.isBusy = false;
  presses.send();
  assert.deepEqual(line.sent, [wanted]);
});

test("without a connection nothing is promised and nothing is kept", () => {
  const line = aLine();
  const presses = new EarlyPresses(line);
  line.isBusy = true;
  presses.give(() => keep(true));
  line.isConnected = false;
  presses.send();
  assert.equal(
    presses.give(() => keep(true)),
    false,
  );
  line.isConnected = true;
  line.isBusy = false;
  presses.send();
  assert.deepEqual(line.sent, []);
});

test("a storm of presses is bounded", () => {
  const line = aLine();
  const presses = new EarlyPresses(line);
  for (let press = 0; press < 100; press += 1) presses.give(() => keep(true));
  for (let answer = 0; answer < 100; answer += 1) {
    line.isBusy = false;
    presses.send();
  }
  assert.equal(line.sent.length, 9);
});

/** The socket's conversation, with time and network in the test's hands. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ANSWER_LIMIT_MS,
  BLOCKED_WAIT_MS,
  backOff,
  Connection,
  PING_EVERY_MS,
} from "../../app/web/js/connection.js";
import { EMPTY, reduce } from "../../app/web/js/state.js";
import { aTable } from "./tables.js";

class FakeSocket {
  readyState = 1;
  /** @type {any[]} */
  sent = [];
  /** @type {(() => void) | null} */
  onopen = null;
  /** @type {((event: {data: string}) => void) | null} */
  onmessage = null;
  /** @type {((event: {code: number}) => void) | null} */
  onclose = null;
  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  /** @param {object} message */
  hear(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** @param {number} code */
  die(code) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

/** A connection, its sockets, and a clock that the test turns. */
function aLine() {
  /** @type {FakeSocket[]} */
  const sockets = [];
  /** @type {{at: number, action: () => void, id: number}[]} */
  let timers = [];
  const clock = { now: 0, id: 0 };
  const page = { isHidden: false, isServerThere: false };
  let model = EMPTY;
  /** @type {[string, number | null][]} */
  const statuses = [];
  /** @type {any[]} */
  const messages = [];
  const line = new Connection(
    "ws://here",
    {
      seen: () => model,
      onMessage: (message) => {
        messages.push(message);
        model = reduce(model, message);
      },
      onStatus: (status, code) => statuses.push([status, code]),
      isAway: () => page.isHidden,
      isServerThere: () => Promise.resolve(page.isServerThere),
    },
    {
      open: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return /** @type {any} */ (socket);
      },
      later: (action, ms) => {
        clock.id += 1;
        timers.push({ at: clock.now + ms, action, id: clock.id });
        return clock.id;
      },
      forget: (id) => {
        timers = timers.filter((timer) => timer.id !== id);
      },
      now: () => clock.now,
      chance: () => 1,
    },
  );
  const pass = (/** @type {number} */ ms) => {
    const end = clock.now + ms;
    for (;;) {
      const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      timers = timers.filter((timer) => timer !== next);
      clock.now = next.at;
      next.action();
    }
    clock.now = end;
  };
  /** All that is due runs once, late, as a browser does with hidden pages. */
  const sleep = (/** @type {number} */ ms) => {
    clock.now += ms;
    const due = timers.filter((timer) => timer.at <= clock.now);
    timers = timers.filter((timer) => timer.at > clock.now);
    for (const timer of due) timer.action();
  };
  const last = () => /** @type {FakeSocket} */ (sockets.at(-1));
  return { line, page, sockets, statuses, messages, pass, sleep, last, model: () => model };
}

function aWelcome(version = 5) {
  const you = { player: "p1", name: "Lija" };
  return { type: "welcome", protocol: 2, epoch: "e1", version, you, state: aTable() };
}

function aLiveLine() {
  const one = aLine();
  one.line.connect();
  one.last().onopen?.();
  one.last().hear(aWelcome());
  return one;
}

const ROLL = { type: "act", request: "r1", seat: 0, turn: 4, roll: 1, action: { type: "roll", hold: [] } };

test("the first message is hello, and the welcome makes the line live", () => {
  const one = aLine();
  one.line.connect();
  one.last().onopen?.();
  assert.deepEqual(one.last().sent, [{ type: "hello", protocol: 2 }]);
  assert.equal(one.line.isFree(), false);
  one.last().hear(aWelcome());
  assert.ok(one.line.isFree());
});

test("after a loss hello tells what was seen, and only the pong ends the banner", () => {
  const one = aLiveLine();
  one.last().die(1006);
  assert.deepEqual(one.statuses.at(-1), ["lost", 1006]);
  one.pass(300);
  assert.equal(one.sockets.length, 2);
  one.last().onopen?.();
  assert.deepEqual(one.last().sent[0], { type: "hello", protocol: 2, epoch: "e1", version: 5 });
  one.last().hear({ type: "update", version: 6, at: 1, events: [] });
  assert.equal(one.statuses.at(-1)?.[0], "lost");
  one.last().hear({ type: "pong", version: 6 });
  assert.equal(one.statuses.at(-1)?.[0], "live");
});

test("one command at a time: the second waits for the first one's answer", () => {
  const one = aLiveLine();
  assert.ok(one.line.command(ROLL));
  assert.equal(one.line.command({ ...ROLL, request: "r2" }), false);
  one.last().hear({ type: "ok", request: "r1", version: 6 });
  assert.ok(one.line.command({ ...ROLL, request: "r2" }));
});

test("a command without an answer is sent again under the same request id after the resync", () => {
  const one = aLiveLine();
  one.line.command(ROLL);
  one.last().die(1006);
  one.pass(10_000);
  one.last().onopen?.();
  assert.ok(!one.last().sent.some((message) => message.type === "act"));
  one.last().hear({ type: "pong", version: 5 });
  assert.deepEqual(
    one.last().sent.filter((message) => message.type === "act"),
    [ROLL],
  );
});

test("a command that kills every connection is given up in the end", () => {
  const one = aLiveLine();
  one.line.command(ROLL);
  for (let tries = 0; tries < 8; tries += 1) {
    one.last().die(1011);
    one.pass(10_000);
    one.last().onopen?.();
    one.last().hear({ type: "pong", version: 5 });
  }
  assert.ok(one.line.isFree());
  assert.equal(one.messages.filter((message) => message.type === "refused").length, 1);
});

test("a command that the store didn't answer is repeated by itself", () => {
  const one = aLiveLine();
  one.line.command(ROLL);
  one.last().hear({ type: "refused", request: "r1", code: "unavailable", sentence: "", retry: true });
  assert.equal(one.line.isFree(), false);
  one.pass(1_000);
  assert.equal(one.last().sent.filter((message) => message.type === "act").length, 2);
});

test("it pings with its version, and silence for the limit is a loss", () => {
  const one = aLiveLine();
  one.pass(PING_EVERY_MS);
  assert.deepEqual(one.last().sent.at(-1), { type: "ping", version: 5 });
  one.pass(ANSWER_LIMIT_MS);
  assert.equal(one.sockets.length, 2);
});

test("a hidden page whose timers come late isn't taken for a dead line", () => {
  const one = aLiveLine();
  one.pass(PING_EVERY_MS);
  one.last().hear({ type: "pong", version: 5 });
  one.sleep(60_000);
  assert.equal(one.sockets.length, 1);
  assert.deepEqual(one.last().sent.at(-1), { type: "ping", version: 5 });
});

test("a page that hides says so at once, with every ping and after coming back", () => {
  const one = aLiveLine();
  one.page.isHidden = true;
  one.line.tellPresence();
  assert.deepEqual(one.last().sent.at(-1), { type: "presence", away: true });
  one.pass(PING_EVERY_MS);
  assert.deepEqual(one.last().sent.at(-1), { type: "ping", version: 5, away: true });
  one.last().die(1006);
  one.pass(10_000);
  one.last().onopen?.();
  assert.deepEqual(one.last().sent.at(-1), { type: "presence", away: true });
  one.page.isHidden = false;
  one.line.tellPresence();
  assert.deepEqual(one.last().sent.at(-1), { type: "presence", away: false });
});

test("answers keep it alive", () => {
  const one = aLiveLine();
  for (let beats = 0; beats < 10; beats += 1) {
    one.pass(PING_EVERY_MS);
    one.last().hear({ type: "pong", version: 5 });
  }
  assert.equal(one.sockets.length, 1);
});

test("a gap asks at once for what is missing", () => {
  const one = aLiveLine();
  one.last().hear({ type: "update", version: 7, at: 1, events: [] });
  assert.deepEqual(one.last().sent.at(-1), { type: "ping", version: 5 });
  one.last().hear({ type: "update", version: 6, at: 1, events: [] });
  one.last().hear({ type: "update", version: 7, at: 1, events: [] });
  assert.equal(one.model().version, 7);
});

test("a page that comes back finds out at once whether its socket still lives", () => {
  const one = aLiveLine();
  one.pass(1_000);
  one.line.wake();
  assert.deepEqual(one.last().sent.at(-1), { type: "ping", version: 5 });
  one.pass(1_600);
  assert.equal(one.sockets.length, 2);
});

test("when the network comes back a waiting line doesn't wait any longer", () => {
  const one = aLiveLine();
  one.last().die(1006);
  one.line.wake();
  assert.equal(one.sockets.length, 2);
});

for (const code of [4400, 4401, 4403, 4404, 4410, 4413]) {
  test(`close code ${code} is final`, () => {
    const one = aLiveLine();
    one.last().die(code);
    one.pass(60_000);
    assert.equal(one.sockets.length, 1);
    assert.deepEqual(one.statuses.at(-1), ["closed", code]);
  });
}

for (const code of [1001, 1012, 4408, 4429, 4430, 4431]) {
  test(`after close code ${code} it comes back`, () => {
    const one = aLiveLine();
    one.last().die(code);
    one.pass(10_000);
    assert.equal(one.sockets.length, 2);
  });
}

test("a page of another protocol stops at once, whether or not the server closes", () => {
  const one = aLine();
  one.line.connect();
  one.last().onopen?.();
  const detail = { field: "protocol" };
  one.last().hear({ type: "refused", request: null, code: "malformed", sentence: "", retry: false, detail });
  one.pass(60_000);
  one.line.wake();
  assert.equal(one.sockets.length, 1);
  assert.deepEqual(one.statuses.at(-1), ["outdated", null]);
  assert.deepEqual(one.messages, []);
});

/** An opening fails, and the answer to whether the server is there has come. @param {ReturnType<typeof aLine>} one */
async function failToOpen(one) {
  one.last().die(1006);
  await Promise.resolve();
}

test("three failed openings while the server answers: the network lets no sockets through", async () => {
  const one = aLine();
  one.page.isServerThere = true;
  one.line.connect();
  for (let opening = 1; opening < 3; opening += 1) {
    await failToOpen(one);
    assert.equal(one.statuses.at(-1)?.[0], "lost");
    one.pass(10_000);
  }
  await failToOpen(one);
  assert.equal(one.statuses.at(-1)?.[0], "blocked");
  const sockets = one.sockets.length;
  one.pass(BLOCKED_WAIT_MS - 1);
  assert.equal(one.sockets.length, sockets);
  one.pass(1);
  assert.equal(one.sockets.length, sockets + 1);
  assert.equal(one.statuses.at(-1)?.[0], "blocked");
  await failToOpen(one);
  assert.equal(one.statuses.at(-1)?.[0], "blocked");
  one.line.wake();
  one.last().onopen?.();
  one.last().hear(aWelcome());
  assert.equal(one.statuses.at(-1)?.[0], "live");
});

test("while the server is away, and when it comes back, no network is blamed", async () => {
  const one = aLiveLine();
  one.last().die(1006);
  for (let opening = 0; opening < 8; opening += 1) {
    one.page.isServerThere = opening >= 6;
    one.pass(10_000);
    await failToOpen(one);
  }
  assert.equal(one.statuses.at(-1)?.[0], "lost");
});

test("sockets that open and end are no blocked network", async () => {
  const one = aLine();
  one.page.isServerThere = true;
  one.line.connect();
  for (let opening = 0; opening < 5; opening += 1) {
    one.last().onopen?.();
    await failToOpen(one);
    one.pass(10_000);
  }
  assert.equal(one.statuses.at(-1)?.[0], "lost");
});

test("a page that was left doesn't come back", () => {
  const one = aLiveLine();
  one.line.close();
  one.pass(60_000);
  assert.equal(one.sockets.length, 1);
});

test("the back-off grows from a quarter second to ten, with full jitter", () => {
  assert.equal(backOff(0, 1), 250);
  assert.equal(backOff(3, 1), 2_000);
  assert.equal(backOff(3, 0), 250);
  assert.equal(backOff(20, 1), 10_000);
});

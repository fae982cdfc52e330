/** The address of a leaderboard's page is what is asked for, and comes back as it was. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, earlierMonths, filtersOf, placeAddressOf } from "../../app/web/js/board_filters.js";

const FIRST = filtersOf(new URLSearchParams(), "papir");

/** @param {string} address */
function read(address) {
  const query = new URL(address, "http://test").searchParams;
  return filtersOf(query, query.get("variant") ?? "");
}

test("filters come back from the address that they make", () => {
  /** @type {Partial<typeof FIRST>[]} */
  const cases = [
    {},
    { period: "today", mode: "players", mine: true },
    { period: "2026-10", cursor: "abc" },
    { around: "g7d1", seat: 0 },
  ];
  for (const one of cases) assert.deepEqual(read(addressOf({ ...FIRST, ...one })), { ...FIRST, ...one });
});

test("what can't be asked for is left at what is asked first", () => {
  const query = new URLSearchParams("period=2026-13&mode=best&player=p1&seat=-1");
  assert.deepEqual(filtersOf(query, "papir"), FIRST);
});

test("a cursor leads on from the page around a game, and a place is shown among everybody", () => {
  const around = { ...FIRST, mine: true, around: "g1", seat: 1 };
  assert.equal(
    addressOf({ ...around, cursor: "c" }),
    "/leaderboards?variant=papir&period=all&player=me&cursor=c",
  );
  assert.equal(
    placeAddressOf({ ...around, cursor: "c" }, { game: "g2", seat: 0 }),
    "/leaderboards?variant=papir&period=all&around=g2&seat=0",
  );
});

test("the twelve months before this one are offered, and the one that is asked for", () => {
  const months = earlierMonths(Date.UTC(2026, 0, 31), "2020-05");
  assert.deepEqual([months[0], months[11], months[12]], ["2025-12", "2025-01", "2020-05"]);
  assert.equal(earlierMonths(Date.UTC(2026, 0, 31), "2025-06").length, 12);
});

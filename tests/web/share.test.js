/** Addresses that only the own computer can open. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnlyHere } from "../../app/web/js/views/share.js";

test("the own computer's names are told from those that others can open", () => {
  for (const name of ["localhost", "yamb.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
    assert.equal(isOnlyHere(name), true, name);
  for (const name of ["192.168.1.20", "127.example.org", "localhost.example.org", "[fe80::1]"])
    assert.equal(isOnlyHere(name), false, name);
});

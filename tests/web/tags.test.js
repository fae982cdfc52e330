import assert from "node:assert/strict";
import test from "node:test";
import { nameOf, nameOfPlayer } from "../../app/web/js/state.js";
import { seatTag, tagOf } from "../../app/web/js/tags.js";
import { aLobby, aModel, aSeat } from "./tables.js";

test("a guest has his tag, an account its user name, and nobody else has anything", () => {
  assert.equal(tagOf({ tag: "2kx7", user_name: null }), "#2kx7");
  assert.equal(tagOf({ tag: null, user_name: "lija.99" }), "@lija.99");
  assert.equal(tagOf({ tag: null, user_name: null }), "");
  assert.equal(tagOf({}), "");
});

test("a seat has the tag of who sits there, but not a bot's and no further one of the same player", () => {
  const seats = [
    aSeat({ player: "p3vq8m2kx7" }),
    aSeat({ seat: 1, player: "p3vq8m2kx7", name: "Baba" }),
    aSeat({ seat: 2, player: "p8wn2c5tza", user_name: "miro" }),
    aSeat({ seat: 3, player: "bot1", kind: "bot" }),
  ];
  assert.deepEqual(
    seats.map((seat) => seatTag(seat, seats)),
    ["#2kx7", "", "@miro", ""],
  );
});

test("at a table a name stands alone, unless two bear it", () => {
  const seats = [
    aSeat({ player: "p3vq8m2kx7", name: "Lija" }),
    aSeat({ seat: 1, player: "p8wn2c5tza", name: "ＬＩＪＡ", user_name: "lija" }),
    aSeat({ seat: 2, player: "p5wn2c5tzb", name: "Medo" }),
    aSeat({ seat: 3, player: "bot1", name: "Bot 1", kind: "bot" }),
    aSeat({ seat: 4, player: "p5wn2c5tzc", name: "Bot 1" }),
  ];
  const model = aModel(aLobby({ seats }));
  assert.deepEqual(
    seats.map(({ seat }) => nameOf(model, seat)),
    ["Lija #2kx7", "ＬＩＪＡ @lija", "Medo", "Bot 1", "Bot 1 #5tzc"],
  );
  assert.equal(nameOf(model, 7), "");
  assert.equal(nameOfPlayer(model, { player: "p8wn2c5tza", name: "ＬＩＪＡ" }), "ＬＩＪＡ @lija");
  assert.equal(nameOfPlayer(model, { player: "p7", name: "Lija" }), "Lija");
});

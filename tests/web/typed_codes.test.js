import assert from "node:assert/strict";
import test from "node:test";
import { roomCodeIn, variantNameIn } from "../../app/web/js/typed_codes.js";

const ROOM = [
  "KAFANA",
  "kafana",
  "  KAFANA ",
  "KAF ANA",
  "KAF-ANA",
  "KAFANA.",
  "http://127.0.0.1:8000/rooms/KAFANA",
  "https://yamb.example/rooms/kafana/",
  "https://yamb.example/rooms/KAFANA?x=1",
  "https://yamb.example/rooms/KAFANA#a",
  "Come to https://yamb.example/rooms/KAFANA now",
  "KAFANA?x=1",
  "/rooms/KAF%20ANA",
];
const VARIANT = [
  "7KQ2M-4XD9T",
  " 7KQ2M-4XD9T. ",
  "https://yamb.example/variants/7KQ2M-4XD9T",
  "https://yamb.example/variants/7KQ2M-4XD9T/?room=KAFANA#a",
  "7KQ2M-4XD9T?room=KAFANA",
];

for (const typed of ROOM)
  test(`the code of a room is found in ${typed}`, () => assert.equal(roomCodeIn(typed), "KAFANA"));

for (const typed of VARIANT)
  test(`the code of a variant is found in ${typed}`, () => assert.equal(variantNameIn(typed), "7KQ2M-4XD9T"));

test("what can't be unquoted stays as it was typed", () => {
  assert.equal(variantNameIn("%zz"), "%zz");
  assert.equal(roomCodeIn("%E0%A4%A"), "EAA");
});

/** The first page: a name, and the ways into a game. Two taps from here to the first roll of a solo game. */

import { findRoom, getMe, makeRoom, playAs } from "../api.js";
import { h, setAttribute, setText, show } from "../dom.js";
import { preferences, remember } from "../preferences.js";
import { go } from "../router.js";
import { alarm, setTitle } from "../shell.js";
import { variantName } from "../speech.js";
import { roomCodeIn } from "../typed_codes.js";
import { t, tn } from "../words.js";
import { nameField, takeName } from "./name_field.js";
import { problemText } from "./problem.js";
import { SoloChoice } from "./solo_choice.js";

const MOST_SEATS = 8;
const MOST_BOTS = 3;
const OWN_DICE_VARIANT = "papir";

/** @returns {import("../router.js").Page} */
export function homePage() {
  setTitle("");
  const { field, input } = nameField();
  const problem = h("p", { class: "problem", hidden: true });
  const start = starter(input, problem);
  const proceed = h("div", { hidden: true });
  const element = h(
    "div",
    { class: "page home" },
    h("h1", {}, "Yamb"),
    h("p", { class: "lead" }, t("home.lead")),
    field,
    problem,
    proceed,
    h(
      "div",
      { class: "stack" },
      friendsButton(start),
      joinForm(start),
      soloForm(start),
      ownDiceButton(start),
    ),
    h(
      "nav",
      { class: "links", "aria-label": t("menu.pages") },
      h("a", { href: "/leaderboards" }, t("home.scores")),
      h("a", { href: "/rules" }, t("home.rules")),
      h("a", { href: "/variants" }, t("builder.title")),
      h("a", { href: "/fair" }, t("home.fair")),
      h("a", { href: "/me", "data-testid": "me-link" }, t("me.title")),
    ),
  );
  void offerToContinue(proceed);
  void fillKnownName(input);
  return { element };
}

/**
 * Everything here begins with a player, so with a name.
 * @param {HTMLInputElement} input
 * @param {HTMLElement} problem
 */
function starter(input, problem) {
  return async (/** @type {() => Promise<void>} */ action) => {
    const name = takeName(input);
    if (name === null) return;
    show(problem, false);
    try {
      await playAs(name);
      await action();
    } catch (error) {
      const text = problemText(error);
      setText(problem, text);
      show(problem, true);
      alarm(text);
    }
  };
}

/** @typedef {ReturnType<typeof starter>} Start */

/** @param {Start} start */
function friendsButton(start) {
  const button = h(
    "button",
    { type: "button", class: "primary tall", "data-testid": "play-friends" },
    t("home.friends"),
  );
  button.addEventListener("click", () =>
    once(button, () =>
      start(async () => {
        const { code } = await makeRoom(preferences.soloVariant, MOST_SEATS);
        go(`/rooms/${code}`, { state: { join: true } });
      }),
    ),
  );
  return button;
}

/** Real dice, and the phone as the score sheet: the large sheet has been made for it. @param {Start} start */
function ownDiceButton(start) {
  const button = h("button", { type: "button", "data-testid": "own-dice" }, t("home.own_dice"));
  button.addEventListener("click", () =>
    once(button, () =>
      start(async () => {
        const { code } = await makeRoom(OWN_DICE_VARIANT, MOST_SEATS, { own_dice: true });
        go(`/rooms/${code}`, { state: { join: true } });
      }),
    ),
  );
  return button;
}

/** @param {Start} start */
function soloForm(start) {
  const known = h("option", { value: preferences.soloVariant }, variantName(preferences.soloVariant));
  const select = h("select", { id: "solo-variant", "data-testid": "solo-variant" }, known);
  const against = opponents();
  const bots = () => Number(against.value);
  const solo = new SoloChoice(select, () => bots() === 0);
  const button = h("button", { type: "button", "data-testid": "solo" });
  const name = () => setText(button, t(bots() === 0 ? "home.solo" : "home.against_bots"));
  against.addEventListener("change", () => {
    remember({ soloBots: bots() });
    solo.alone();
    name();
  });
  name();
  button.addEventListener("click", () =>
    once(button, () =>
      start(async () => {
        const { code } = await makeRoom(select.value, 1 + bots(), { columns: solo.chosen() });
        go(`/rooms/${code}`, { state: { join: true, bots: bots() } });
      }),
    ),
  );
  const label = h("label", { for: "solo-variant", class: "vh" }, t("home.solo_variant"));
  const againstLabel = h("label", { for: "solo-bots" }, t("home.bots"));
  return h(
    "div",
    {},
    h("div", { class: "pair" }, button, label, select),
    h("p", { class: "field inline" }, againstLabel, against),
    solo.element,
  );
}

/** Nobody, or up to three bots. */
function opponents() {
  const options = Array.from({ length: MOST_BOTS + 1 }, (_none, count) =>
    h(
      "option",
      { value: count, selected: count === preferences.soloBots },
      count === 0 ? t("home.bots_none") : tn("home.bots_count", count),
    ),
  );
  return h("select", { id: "solo-bots", "data-testid": "solo-bots" }, ...options);
}

/** @param {Start} start */
function joinForm(start) {
  const code = h("input", {
    id: "join-code",
    "data-testid": "join-code",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 200,
    required: true,
    placeholder: t("home.code_example"),
  });
  const label = h("label", { for: "join-code" }, t("home.join_code"));
  const button = h("button", { type: "submit", "data-testid": "join-go" }, t("home.join"));
  const form = h("form", { class: "join" }, label, h("div", { class: "pair" }, code, button));
  code.addEventListener("input", () => code.setCustomValidity(""));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // People paste the whole link as often as the code.
    const typed = roomCodeIn(code.value);
    void start(async () => {
      if ((await findRoom(typed)) !== null) return go(`/rooms/${typed}`);
      code.setCustomValidity(t("home.no_room", { code: typed }));
      code.reportValidity();
      alarm(t("home.no_room", { code: typed }));
    });
  });
  return form;
}

/** @param {HTMLElement} place */
async function offerToContinue(place) {
  const code = preferences.room;
  if (code === null) return;
  const room = await findRoom(code).catch(() => undefined);
  if (room === undefined) return;
  if (room === null || room.phase === "finished") {
    remember({ room: null });
    return;
  }
  place.append(
    h(
      "a",
      { class: "button tall", href: `/rooms/${code}`, "data-testid": "continue" },
      t("home.continue", { code }),
    ),
  );
  show(place, true);
}

/** @param {HTMLInputElement} input */
async function fillKnownName(input) {
  const before = input.value;
  const me = await getMe().catch(() => null);
  if (me && input.value === before) input.value = me.name;
}

/**
 * A second tap while the first is on its way would make a second room.
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} action
 */
async function once(button, action) {
  if (button.getAttribute("aria-busy") === "true") return;
  setAttribute(button, "aria-busy", "true");
  await action().finally(() => setAttribute(button, "aria-busy", null));
}

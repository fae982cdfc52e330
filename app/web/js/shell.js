/**
 * What every page shares: the bar, the connection banner, the live regions, dialogs and the way between pages.
 * The live regions are in index.html from the start: one made on the fly is not read aloud.
 */

import { fill, h, setAttribute, setText } from "./dom.js";
import { preferences, remember } from "./preferences.js";
import { sign } from "./signs.js";
import { unlockSounds } from "./sounds.js";
import { t } from "./words.js";

/** Sentences that come within this time are said as one, after the dice have come to rest. */
const MERGE_MS = 400;

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @type {string[]} */
let unsaid = [];

/** Politely, once, merged with what comes at the same time. @param {string} line */
export function say(line) {
  if (line === "") return;
  if (unsaid.length === 0) setTimeout(sayAll, MERGE_MS);
  unsaid.push(line);
}

function sayAll() {
  const region = byId("spoken");
  const text = unsaid.join(" ");
  unsaid = [];
  // The same words twice are a change only if the text differs.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** At once: a refused command. The lost connection has its own alert. @param {string} line */
export function alarm(line) {
  const region = byId("alarm");
  region.textContent = region.textContent === line ? `${line}\u00a0` : line;
}

/** @param {string} text empty: all is well */
export function showConnection(text) {
  setText(byId("connection"), text);
}

/**
 * "Your turn - Yamb - room KAFANA": state first, for tabs that show only a few letters.
 * @param {string} state
 * @param {string} [place]
 */
export function setTitle(state, place = "") {
  document.title = [state, "Yamb", place].filter(Boolean).join(" - ");
}

/**
 * @param {(Node | string)[]} start what stands at the left of the bar
 * @param {() => void} openMenu
 * @param {Node[]} [more] what stands before the sound and the menu
 */
export function drawBar(start, openMenu, more = []) {
  fill(byId("bar-start"), ...start);
  const menu = h("button", {
    type: "button",
    class: "icon",
    "data-testid": "menu",
    "aria-haspopup": "dialog",
    onclick: openMenu,
  });
  fill(menu, sign("menu"));
  setAttribute(menu, "aria-label", t("menu.open"));
  fill(byId("bar-end"), ...more, soundButton(), menu);
  setText(byId("skip"), t("page.skip"));
}

export function homeLink() {
  return h("a", { href: "/", class: "brand" }, sign("dice"), "Yamb");
}

function soundButton() {
  const button = h("button", { type: "button", class: "icon", "data-testid": "sound", onclick: toggleSound });
  drawSound(button);
  return button;
}

/** @param {Element} button */
function drawSound(button) {
  fill(button, sign(preferences.sound ? "sound" : "mute"));
  setAttribute(button, "aria-label", t("sound.label"));
  setAttribute(button, "aria-pressed", preferences.sound ? "true" : "false");
}

export function toggleSound() {
  remember({ sound: !preferences.sound });
  unlockSounds();
  const button = document.querySelector("[data-testid=sound]");
  if (button) drawSound(button);
}

/**
 * A modal dialog with a heading and a button to close it; gone from the page when closed.
 * @param {string} title
 * @param {Node[]} content
 * @param {() => void} [onClose]
 */
export function openDialog(title, content, onClose) {
  const heading = h("h2", { id: "dialog-title" }, title);
  const close = h("button", { type: "button", class: "icon", "aria-label": t("dialog.close") }, "×");
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "dialog-title" });
  dialog.append(
    h("div", { class: "dialog-head" }, heading, close),
    h("div", { class: "dialog-body" }, ...content),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The focus after a page change: the heading, or the page. */
export function focusPage() {
  const main = byId("main");
  const heading = main.querySelector("h1");
  if (heading) heading.tabIndex = -1;
  (heading ?? main).focus({ preventScroll: true });
}

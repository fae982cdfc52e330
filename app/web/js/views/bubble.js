/**
 * What was just said, for a moment over the table while the chat is closed. Only for the eye: it takes no taps, and the log of
 * the chat has the same words.
 */

import { setText, show } from "../dom.js";

const SHOWN_MS = 4_000;

export class Bubble {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    this.element = /** @type {HTMLElement} */ (document.getElementById("bubble"));
  }

  /** @param {string} text */
  show(text) {
    if (text === "") return;
    clearTimeout(this.#timer);
    setText(this.element, text);
    show(this.element, true);
    this.#timer = setTimeout(() => this.hide(), SHOWN_MS);
  }

  hide() {
    clearTimeout(this.#timer);
    show(this.element, false);
  }
}

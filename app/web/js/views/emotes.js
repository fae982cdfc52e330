/** Short messages that go as keys and are read by everybody in his own language, with the wait between two of them. */

import { fill, h, isOff, setAttribute, setOff, setText } from "../dom.js";
import { EMOTES } from "../protocol.js";
import { t, tn } from "../words.js";

/** As long as the server wants it (docs/protocol.md). */
const COOL_DOWN_MS = 3_000;

export class Emotes {
  #coolUntil = 0;

  /** @param {(name: string) => void} onEmote */
  constructor(onEmote) {
    this.onEmote = onEmote;
    this.buttons = h("div", { class: "emotes", role: "group" });
    this.cooling = h("p", { class: "muted chat-note", "data-testid": "emote-wait" });
    this.element = h("div", {}, this.buttons, this.cooling);
    this.relabel();
  }

  relabel() {
    setAttribute(this.buttons, "aria-label", t("chat.emotes"));
    fill(this.buttons, ...EMOTES.map((name) => this.#button(name)));
    this.#draw();
  }

  /** @param {string} name */
  #button(name) {
    const button = h("button", { type: "button", "data-testid": `emote-${name}` }, t(`emote.${name}`));
    button.addEventListener("click", () => {
      if (isOff(button)) return;
      this.#coolUntil = Date.now() + COOL_DOWN_MS;
      this.#draw();
      this.onEmote(name);
    });
    return button;
  }

  /** Counts the seconds down until the next one may go. */
  #draw() {
    const rest = Math.max(0, this.#coolUntil - Date.now());
    setText(this.cooling, rest > 0 ? tn("chat.cooling", Math.ceil(rest / 1_000)) : "");
    for (const button of this.buttons.children) setOff(button, rest > 0);
    if (rest > 0) setTimeout(() => this.#draw(), (rest % 1_000) + 1);
  }
}

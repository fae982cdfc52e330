/** All steps of a replay as a list: a tap shows the game after one of them. Made when it is first opened. */

import { fill, h, setAttribute } from "../dom.js";
import { t } from "../words.js";

export class ReplayMoves {
  #position = 0;
  /** @type {HTMLButtonElement[]} */
  #buttons = [];

  /**
   * @param {() => string[]} lines one for each step
   * @param {(position: number) => void} onGo
   */
  constructor(lines, onGo) {
    this.lines = lines;
    this.onGo = onGo;
    this.list = h("ol", { class: "replay-list", "data-testid": "replay-moves" });
    this.scroll = h(
      "div",
      { class: "replay-scroll", tabindex: 0, role: "group", "aria-label": t("replay.moves") },
      this.list,
    );
    this.element = h(
      "details",
      { class: "replay-moves" },
      h("summary", { "data-testid": "replay-moves-open" }, t("replay.moves")),
      this.scroll,
    );
    this.element.addEventListener("toggle", () => this.#opened());
    this.list.addEventListener("click", (event) => this.#clicked(event));
  }

  /** @param {number} position */
  update(position) {
    const before = this.#buttons[this.#position - 1];
    if (before) setAttribute(before, "aria-current", null);
    this.#position = position;
    const now = this.#buttons[position - 1];
    if (!now) return;
    setAttribute(now, "aria-current", "step");
    // Inside of its own box alone: the page stays where it is.
    const { top, bottom } = this.scroll.getBoundingClientRect();
    const box = now.getBoundingClientRect();
    if (box.top < top) this.scroll.scrollTop -= top - box.top;
    if (box.bottom > bottom) this.scroll.scrollTop += box.bottom - bottom;
  }

  #opened() {
    if (!this.element.open) return;
    if (this.#buttons.length === 0) {
      this.#buttons = this.lines().map((line, index) =>
        h(
          "button",
          { type: "button", "data-position": index + 1 },
          h("span", { class: "step-number" }, `${index + 1}.`),
          line,
        ),
      );
      fill(this.list, ...this.#buttons.map((button) => h("li", {}, button)));
    }
    this.update(this.#position);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const button = /** @type {Element} */ (event.target).closest("[data-position]");
    if (button instanceof HTMLElement) this.onGo(Number(button.dataset.position));
  }
}

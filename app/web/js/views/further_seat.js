/** A further seat at this device, for somebody who plays from it too. Only tables with real dice have it. */

import { h, isOff, setOff } from "../dom.js";
import { t } from "../words.js";

const LONGEST = 24;

export class FurtherSeat {
  /** @param {(name: string) => void} onName */
  constructor(onName) {
    this.input = h("input", {
      id: "further-name",
      "data-testid": "further-name",
      autocomplete: "off",
      maxlength: LONGEST,
      spellcheck: "false",
    });
    this.button = h("button", { type: "submit", "data-testid": "further-seat" }, t("lobby.further"));
    this.element = h(
      "form",
      { class: "join", hidden: true },
      h("label", { for: "further-name" }, t("lobby.further_label")),
      h("div", { class: "pair" }, this.input, this.button),
    );
    this.input.addEventListener("input", () => this.input.setCustomValidity(""));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#take(onName);
    });
  }

  /** @param {boolean} off */
  setOff(off) {
    setOff(this.button, off);
  }

  /** @param {(name: string) => void} onName */
  #take(onName) {
    const name = this.input.value.trim();
    if (isOff(this.button)) return;
    if (name === "") {
      this.input.setCustomValidity(t("name.missing"));
      this.input.reportValidity();
      return;
    }
    this.input.value = "";
    onName(name);
  }
}

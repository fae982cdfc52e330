/** The switch by which a player keeps the game on his own device, in the lobby and during the game. */

/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
import { canStore } from "../device_store.js";
import { h, setText, show } from "../dom.js";
import { keep } from "../protocol.js";
import { alarm } from "../shell.js";
import { mySeat } from "../state.js";
import { t } from "../words.js";

export class KeepSwitch {
  /** Whether this device is being asked if it stores anything. */
  #isAsking = false;

  /**
   * @param {Model} model
   * @param {Line} line
   */
  constructor(model, line) {
    this.line = line;
    this.box = h("input", {
      type: "checkbox",
      "data-testid": "keep",
      "aria-describedby": "keep-about",
    });
    this.box.addEventListener("change", () => this.#choose(this.box.checked));
    this.problem = h("p", { class: "problem" });
    this.element = h(
      "div",
      { class: "keep" },
      h("label", { class: "check" }, this.box, h("span", {}, t("keep.switch"))),
      h("p", { class: "muted", id: "keep-about" }, t("keep.about")),
    );
    this.update(model);
  }

  /** @param {Model} model */
  update(model) {
    const seat = mySeat(model);
    show(this.element, seat !== null && !seat.left && model.table?.room.own_dice === false);
    if (!this.#isAsking && !this.line.isAnswerDue()) this.box.checked = seat?.kept ?? false;
  }

  /** A game that can't be stored here would be nowhere: neither on a board nor on the device. @param {boolean} isKept */
  async #choose(isKept) {
    this.problem.remove();
    this.#isAsking = true;
    const isPossible = !isKept || (await canStore());
    this.#isAsking = false;
    if (isPossible && this.line.give(() => keep(isKept))) return;
    this.box.checked = !isKept;
    if (!isPossible) this.#tell(t("keep.refused"));
  }

  /** @param {string} text */
  #tell(text) {
    setText(this.problem, text);
    this.element.append(this.problem);
    alarm(text);
  }
}

/** The time that is left for a turn, where the table's pace gives it one. */

/** @import {Model} from "../state.js" */
import { fill, h, hiddenText, setAttribute, show } from "../dom.js";
import { clockText, secondsLeft } from "../server_clock.js";
import { alarm } from "../shell.js";
import { sign } from "../signs.js";
import { play } from "../sounds.js";
import { isMyTurn } from "../state.js";
import { t, tn } from "../words.js";

/** From here on it is said aloud, once, to the player whose time it is. */
const LOW_S = 20;

export class TurnClock {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The deadline of which the player has been warned. @type {number | null} */
  #warnedOf = null;
  /** @type {Model | null} */
  #model = null;

  constructor() {
    this.element = h("span", { class: "clock", "data-testid": "clock", hidden: true });
  }

  /** @param {Model} model */
  update(model) {
    this.#model = model;
    this.#tick();
  }

  leave() {
    clearTimeout(this.#timer);
  }

  /** Seconds that are left, or null where no clock runs. */
  get left() {
    const deadline = this.#model?.table?.turn?.deadline ?? null;
    return deadline === null || !this.#model ? null : secondsLeft(deadline, this.#model.skew, Date.now());
  }

  #tick() {
    clearTimeout(this.#timer);
    const { left } = this;
    show(this.element, left !== null);
    if (left === null || !this.#model) return;
    const isLow = left <= LOW_S;
    setAttribute(this.element, "data-low", isLow);
    const text = clockText(left);
    if (this.element.dataset.text !== text)
      fill(this.element, sign("clock"), hiddenText(`${t("clock.label")} `), text);
    this.element.dataset.text = text;
    if (isLow && left > 0) this.#warn(this.#model, left);
    if (left > 0) this.#timer = setTimeout(() => this.#tick(), 1_000);
  }

  /**
   * @param {Model} model
   * @param {number} left
   */
  #warn(model, left) {
    const deadline = model.table?.turn?.deadline ?? null;
    if (!isMyTurn(model) || this.#warnedOf === deadline) return;
    this.#warnedOf = deadline;
    play("clock");
    alarm(tn("clock.low", left));
  }
}

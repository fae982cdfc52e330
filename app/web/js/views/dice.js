/**
 * The row of dice: toggle buttons in fixed places. Order never changes by itself, people remember positions.
 */

/** @import {Rolled} from "../protocol.js" */
import { h, isOff, setAttribute, setOff } from "../dom.js";
import { dieFace, showFace, sign } from "../signs.js";
import { t } from "../words.js";

/**
 * @typedef {object} DiceLook
 * @property {number} count
 * @property {number[]} dice empty before the first roll
 * @property {number[]} hold
 * @property {boolean} canHold
 * @property {number[] | null} counted the dice that count for the armed cell
 * @property {string} label
 * @property {string} rollKey changes with every roll
 * @property {Rolled | null} past the last roll of a turn that is over, shown faded until the next one
 */

export class DiceView {
  /** @type {{button: HTMLButtonElement, face: Element}[]} */
  #dice = [];
  #rollKey = "";

  /**
   * @param {(position: number) => void} onToggle
   * @param {(position: number) => void} onToggleValue
   * @param {string} testId
   */
  constructor(onToggle, onToggleValue, testId = "die") {
    this.onToggle = onToggle;
    this.onToggleValue = onToggleValue;
    this.testId = testId;
    this.element = h("div", { class: "dice", role: "group" });
  }

  /** @param {DiceLook} look */
  update(look) {
    while (this.#dice.length < look.count) this.#add(this.#dice.length);
    setAttribute(this.element, "aria-label", look.label);
    setAttribute(this.element, "data-count", look.count);
    this.element.classList.toggle("past", look.dice.length === 0);
    const isNewRoll = look.rollKey !== this.#rollKey && look.dice.length > 0 && this.#rollKey !== "";
    this.#rollKey = look.rollKey;
    const span = look.counted && { from: Math.min(...look.counted), to: Math.max(...look.counted) };
    for (const [position, die] of this.#dice.entries()) {
      this.#draw(position, die, look, isNewRoll);
      const isCounted = look.counted?.includes(position) ?? false;
      die.button.classList.toggle("counted", isCounted);
      die.button.classList.toggle("spare", look.counted !== null && !isCounted);
      die.button.classList.toggle("bridge", Boolean(span && position >= span.from && position < span.to));
    }
  }

  /** @param {number} position */
  #add(position) {
    const face = dieFace();
    const attributes = { type: "button", class: "die", "data-testid": `${this.testId}-${position}` };
    const button = h("button", attributes, face, sign("pin", "pin"));
    button.addEventListener("click", () => !isOff(button) && this.onToggle(position));
    button.addEventListener("dblclick", () => !isOff(button) && this.onToggleValue(position));
    this.#dice.push({ button, face });
    this.element.append(button);
  }

  /**
   * @param {number} position
   * @param {{button: HTMLButtonElement, face: Element}} die
   * @param {DiceLook} look
   * @param {boolean} isNewRoll
   */
  #draw(position, { button, face }, look, isNewRoll) {
    const value = look.dice[position] ?? 0;
    const isHeld = value > 0 && look.hold.includes(position);
    showFace(face, value || (look.past?.dice[position] ?? 0));
    setAttribute(button, "data-face", value);
    setAttribute(button, "aria-pressed", isHeld ? "true" : "false");
    const says = value === 0 ? t("die.not_rolled") : t(`face.${value}`);
    setAttribute(button, "aria-label", t("die.name", { position: position + 1, face: says }));
    setOff(button, !look.canHold);
    button.classList.toggle("held", isHeld);
    if (isNewRoll && !isHeld) restart(button, "rolling");
  }
}

/**
 * @param {HTMLElement} element
 * @param {string} className
 */
function restart(element, className) {
  element.classList.remove(className);
  void element.offsetWidth;
  element.classList.add(className);
}

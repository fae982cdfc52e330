/** First, back, play, forward, last; how fast; and a slider over the whole game. */

import { fill, h, isOff, setAttribute, setOff, setText } from "../dom.js";
import { preferences, remember } from "../preferences.js";
import { sign } from "../signs.js";
import { t } from "../words.js";

/** How long a step is shown at the usual speed. */
const STEP_MS = 2_000;
export const SPEEDS = /** @type {const} */ ([1, 2, 4]);

/** @typedef {"first" | "back" | "forward" | "last"} Way */
const WAYS = /** @type {const} */ (["first", "back", "forward", "last"]);

export class ReplayControls {
  /** @type {number | null} */
  #timer = null;

  /**
   * @param {object} actions
   * @param {(way: Way) => void} actions.onWay
   * @param {(position: number) => void} actions.onSlide
   * @param {() => boolean} actions.onTick one step further by itself; whether there are more to come
   */
  constructor(actions) {
    this.actions = actions;
    this.buttons = new Map(WAYS.map((way) => [way, wayButton(way, () => this.#press(way))]));
    this.play = h("button", { type: "button", class: "framed", "data-testid": "replay-play" });
    this.play.addEventListener("click", () => (this.#timer === null ? this.start() : this.stop()));
    this.slider = h("input", { type: "range", min: 0, step: 1, "data-testid": "replay-slider" });
    this.slider.addEventListener("input", () => actions.onSlide(Number(this.slider.value)));
    this.label = h("p", { class: "replay-position", "data-testid": "replay-position" });
    const [first, back, forward, last] = this.buttons.values();
    this.element = h(
      "div",
      { class: "replay-controls", role: "group", "aria-label": t("replay.controls") },
      h("div", { class: "replay-buttons" }, first, back, this.play, forward, last, speedChoice()),
      this.slider,
      this.label,
    );
    this.#drawPlay();
  }

  /**
   * @param {number} position
   * @param {number} last
   * @param {string} label
   */
  update(position, last, label) {
    setAttribute(this.slider, "max", last);
    this.slider.value = String(position);
    setAttribute(this.slider, "aria-label", t("replay.slider"));
    setAttribute(this.slider, "aria-valuetext", label);
    setText(this.label, label);
    for (const [way, button] of this.buttons)
      setOff(button, position === (way === "first" || way === "back" ? 0 : last));
  }

  start() {
    this.#tick();
    this.#drawPlay();
  }

  stop() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#drawPlay();
  }

  #tick() {
    this.#timer = null;
    if (!this.actions.onTick()) return this.stop();
    this.#timer = setTimeout(() => this.#tick(), STEP_MS / preferences.replaySpeed);
  }

  /** @param {Way} way */
  #press(way) {
    const button = this.buttons.get(way);
    if (button && !isOff(button)) this.actions.onWay(way);
  }

  #drawPlay() {
    const does = this.#timer === null ? "play" : "pause";
    fill(this.play, sign(does));
    setAttribute(this.play, "aria-label", t(`replay.${does}`));
    setAttribute(this.play, "title", t(`replay.${does}`));
  }
}

/**
 * @param {Way} way
 * @param {() => void} onPress
 */
function wayButton(way, onPress) {
  const name = t(`replay.${way}`);
  const attributes = { type: "button", "aria-label": name, title: name, "data-testid": `replay-${way}` };
  return h("button", { ...attributes, onclick: onPress }, sign(way));
}

function speedChoice() {
  const options = SPEEDS.map((speed) =>
    h("option", { value: speed, selected: speed === preferences.replaySpeed }, t("replay.times", { speed })),
  );
  const choice = h("select", { "aria-label": t("replay.speed"), "data-testid": "replay-speed" }, ...options);
  choice.addEventListener("change", () => remember({ replaySpeed: Number(choice.value) }));
  return choice;
}

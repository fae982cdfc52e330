/**
 * The players as chips in the bar: colour and initial, name, total, whose turn, roll. A tap shows that sheet;
 * a tap on the chip of the sheet that is shown opens the score panel.
 */

/** @import {Turn} from "../protocol.js" */
/** @import {SeatMark} from "../presence.js" */
/** @import {Model} from "../state.js" */
import { fill, h, hiddenText, setAttribute } from "../dom.js";
import { isToldInWords, seatMark } from "../presence.js";
import { sign } from "../signs.js";
import { mySeat, nameOf, sheetOf } from "../state.js";
import { formatNumber, t } from "../words.js";

/** As many as there are seats at the largest table; colours and their order are in tokens.css. */
const COLOURS = 8;

/**
 * The colour of a seat, with the initial of its player or, where something is to be known of him, the sign of that.
 * @param {number} seat
 * @param {string} name
 * @param {import("../presence.js").SeatMark | null} [mark]
 */
export function playerMark(seat, name, mark = null) {
  const initial = Array.from(name.trim())[0]?.toUpperCase() ?? "?";
  return h(
    "span",
    { class: "player-mark", "data-colour": seat % COLOURS, "data-mark": mark, "aria-hidden": "true" },
    mark === null ? initial : sign(mark),
  );
}

export class Chips {
  /** @type {Map<number, HTMLButtonElement>} */
  #buttons = new Map();

  /** @param {{onPeek: (seat: number) => void, onPanel: (() => void) | null}} actions null: no panel here */
  constructor(actions) {
    this.actions = actions;
    this.element = h("div", { class: "chips", role: "group" });
  }

  /**
   * @param {Model} model
   * @param {number} shown the seat whose sheet is on the screen
   */
  update(model, shown) {
    const seats = model.table?.seats ?? [];
    setAttribute(this.element, "aria-label", t("chips.label"));
    setAttribute(this.element, "data-count", seats.length);
    if (this.#buttons.size !== seats.length) this.#build(seats.map((one) => one.seat));
    for (const { seat } of seats) this.#draw(model, seat, seat === shown);
  }

  /** @param {number[]} seats */
  #build(seats) {
    this.#buttons.clear();
    for (const seat of seats) {
      const button = h("button", { type: "button", class: "chip", "data-testid": `chip-${seat}` });
      button.addEventListener("click", () => this.#clicked(button, seat));
      this.#buttons.set(seat, button);
    }
    fill(this.element, ...this.#buttons.values());
  }

  /**
   * @param {Element} button
   * @param {number} seat
   */
  #clicked(button, seat) {
    if (button.getAttribute("aria-pressed") === "true") this.actions.onPanel?.();
    else this.actions.onPeek(seat);
  }

  /**
   * @param {Model} model
   * @param {number} seat
   * @param {boolean} isShown
   */
  #draw(model, seat, isShown) {
    const button = /** @type {HTMLButtonElement} */ (this.#buttons.get(seat));
    const turn = model.table?.turn;
    const isOnTurn = turn?.seat === seat;
    const isMine = mySeat(model)?.seat === seat;
    const name = isMine ? t("you") : nameOf(model, seat);
    const total = formatNumber(sheetOf(model, seat).total);
    const mark = seatMark(model, seat);
    const drawn = JSON.stringify([name, total, isOnTurn, turn?.roll, isShown, mark]);
    if (button.dataset.drawn === drawn) return;
    button.dataset.drawn = drawn;
    setAttribute(button, "aria-pressed", isShown ? "true" : "false");
    setAttribute(button, "aria-haspopup", isShown && this.actions.onPanel ? "dialog" : null);
    button.classList.toggle("on-turn", isOnTurn);
    const lines = h(
      "span",
      { class: "chip-lines" },
      h("span", { class: "chip-name" }, name),
      " ",
      h("span", { class: "chip-total" }, total, ...(isOnTurn ? turnSign(turn) : [])),
    );
    const known = mark && markText(mark);
    setAttribute(button, "data-told", isToldInWords(mark) ? mark : null);
    fill(button, playerMark(seat, nameOf(model, seat), mark), lines, known);
    if (isOnTurn) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** Said with every sign, and to be read where the sign alone says too little. @param {SeatMark} mark */
function markText(mark) {
  const text = t(`presence.${mark}`);
  if (!isToldInWords(mark)) return hiddenText(`, ${text}`);
  return h("span", { class: "chip-state" }, hiddenText(", "), text);
}

/** @param {Turn} turn */
function turnSign({ roll, rolls }) {
  return [
    h("span", { class: "chip-roll", "aria-hidden": "true" }, `${roll}/${rolls}`),
    hiddenText(`, ${t("chips.on_turn", { roll, rolls })}`),
  ];
}

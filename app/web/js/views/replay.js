/**
 * The replay of a finished game: a position in it, and everything that is shown there. Steps by buttons, keys, the
 * slider, the list of turns and the written cells of the sheet; or by itself.
 */

/** @import {Cell, Sheet} from "../protocol.js" */
/** @import {Replay} from "../replay.js" */
import { fill, h, setText } from "../dom.js";
import { preferences } from "../preferences.js";
import {
  clamp,
  lastEntry,
  markAt,
  positionIn,
  positionOfEntry,
  sheetsByPosition,
  totalsByRound,
} from "../replay.js";
import { modelOf, moveLine, stepLine } from "../replay_words.js";
import { say } from "../shell.js";
import { formatNumber, t } from "../words.js";
import { ReplayControls } from "./replay_controls.js";
import { ReplayMoves } from "./replay_moves.js";
import { stepDetails } from "./replay_step.js";
import { totalsByRoundView } from "./replay_totals.js";
import { SheetView } from "./sheet.js";

/** The same keys as anywhere: arrows one step, Home and End to the ends. */
const KEYS = /** @type {const} */ ({ ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" });
const WIDE = "(min-width: 900px)";
/** Shorter than a step at the highest speed. */
const SPEAK_MS = 250;
/** What has these keys for itself. */
const OWN_KEYS = "input, select, textarea, dialog, [role=grid]";

export class ReplayView {
  #position = 0;
  /** Whose sheet is shown; null: that of who is to move. @type {number | null} */
  #chosen = null;
  /** @type {number | null} */
  #unsaid = null;

  /**
   * @param {Replay} replay
   * @param {{at: string | null, isOwnDice: boolean, nameOf: (seat: number) => string, onPosition: (position: number) => void}} options
   *   `at`: the position as an address names it
   */
  constructor(replay, options) {
    this.replay = replay;
    this.options = options;
    this.last = replay.steps.length;
    this.sheets = sheetsByPosition(replay);
    this.controls = new ReplayControls({
      onWay: (way) => this.#step(way),
      onSlide: (position) => this.go(position, true),
      onTick: () => this.#tick(),
    });
    this.moves = new ReplayMoves(
      () => this.#moveLines(),
      (position) => this.go(position),
    );
    this.moves.element.open = matchMedia(WIDE).matches;
    this.sheet = new SheetView({ onCell: (cell) => this.#cellTapped(cell), onColumn: () => {} });
    this.line = h("p", { class: "replay-line", "data-testid": "replay-line" });
    this.total = h("p", { class: "replay-total", "data-testid": "replay-total" });
    this.details = h("div", { class: "replay-step" });
    this.element = h(
      "div",
      { class: "replay" },
      h(
        "div",
        { class: "replay-main" },
        this.controls.element,
        this.line,
        this.#playerChoice(),
        this.sheet.element,
      ),
      h("div", { class: "replay-side" }, this.details, this.moves.element),
      this.#totals(),
    );
    this.keyed = (/** @type {KeyboardEvent} */ event) => this.#keyed(event);
    document.addEventListener("keydown", this.keyed);
    this.#position = positionIn(options.at, this.last) ?? 0;
    this.#draw();
  }

  get position() {
    return this.#position;
  }

  leave() {
    if (this.#unsaid !== null) clearTimeout(this.#unsaid);
    this.controls.stop();
    document.removeEventListener("keydown", this.keyed);
  }

  /**
   * @param {number} wanted
   * @param {boolean} [isBySlider] it tells its value by itself
   */
  go(wanted, isBySlider = false) {
    const position = clamp(wanted, this.last);
    if (position === this.#position) return;
    this.#position = position;
    if (position === this.last) this.controls.stop();
    this.#draw();
    this.#flash();
    this.#speakSoon(isBySlider);
    this.options.onPosition(position);
  }

  /** Who steps fast hears where he has come to, and not every turn on the way. @param {boolean} isBySlider */
  #speakSoon(isBySlider) {
    if (this.#unsaid !== null) clearTimeout(this.#unsaid);
    this.#unsaid = setTimeout(() => {
      this.#unsaid = null;
      say([isBySlider ? "" : this.#label(), this.#line(preferences.speech)].filter(Boolean).join(". "));
    }, SPEAK_MS);
  }

  /** @param {"first" | "back" | "forward" | "last"} way */
  #step(way) {
    const to = { first: 0, back: this.#position - 1, forward: this.#position + 1, last: this.last };
    this.go(to[way]);
  }

  /** From the end it plays from the beginning. */
  #tick() {
    this.go(this.#position === this.last ? 0 : this.#position + 1);
    return this.#position < this.last;
  }

  /** @param {KeyboardEvent} event */
  #keyed(event) {
    const way = KEYS[/** @type {keyof typeof KEYS} */ (event.code)];
    if (!way || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey)
      return;
    const target = /** @type {Element} */ (event.target);
    // Elsewhere on the page these keys scroll what has the focus.
    const isHere = this.element.closest("section")?.contains(target) || target.matches("body, main, h1");
    if (!isHere || target.closest(OWN_KEYS)) return;
    event.preventDefault();
    this.#step(way);
  }

  /** @param {Cell} cell */
  #cellTapped(cell) {
    const position = positionOfEntry(this.replay, this.#position, this.#shown(), cell);
    if (position !== null) this.go(position);
  }

  #playerChoice() {
    const options = [
      h("option", { value: "" }, t("replay.who_moves")),
      ...this.replay.seats.map(({ seat }) =>
        h("option", { value: seat }, t("sheet.of", { name: this.options.nameOf(seat) })),
      ),
    ];
    const choice = h("select", { id: "replay-seat", "data-testid": "replay-seat" }, ...options);
    choice.addEventListener("change", () => {
      this.#chosen = choice.value === "" ? null : Number(choice.value);
      this.#draw();
    });
    const isAlone = this.replay.seats.length === 1;
    const label = h("label", { for: "replay-seat", class: "vh" }, t("replay.sheet_of"));
    return h("div", { class: "replay-whose" }, this.total, !isAlone && label, !isAlone && choice);
  }

  #totals() {
    const players = this.replay.seats.map(({ seat }) => ({ seat, name: this.options.nameOf(seat) }));
    return totalsByRoundView(players, totalsByRound(this.replay));
  }

  #draw() {
    const { replay, options } = this;
    const position = this.#position;
    const step = replay.steps[position - 1];
    const seat = this.#shown();
    const name = options.nameOf(seat);
    const sheet = /** @type {Sheet} */ (this.#sheetsAt(position).find((one) => one.seat === seat));
    this.controls.update(position, this.last, this.#label());
    setText(this.line, this.#line("normal") || t("replay.begin"));
    setText(this.total, t("replay.total", { name, total: formatNumber(sheet.total) }));
    this.sheet.update(
      {
        sheet,
        variant: replay.variant,
        legal: null,
        mode: "fill",
        armed: null,
        announced: step?.seat === seat ? step.announced : null,
        due: [],
        last: lastEntry(replay, position, seat),
        isRecord: true,
      },
      t("sheet.of", { name }),
    );
    fill(this.details, ...(step ? this.#details(step) : []));
    this.moves.update(position);
  }

  /** @param {import("../replay.js").Step} step */
  #details(step) {
    const name = this.options.nameOf(step.seat);
    const title = this.options.isOwnDice ? name : t("replay.of_round", { name, round: step.round });
    const mark = markAt(this.replay, this.#position, step.seat);
    return stepDetails(this.#modelAt(this.#position), step, { name, mark, title });
  }

  #flash() {
    const cell = this.sheet.table.querySelector("td.last");
    if (!cell || this.replay.steps[this.#position - 1]?.seat !== this.#shown()) return;
    cell.classList.remove("flash");
    void (/** @type {HTMLElement} */ (cell).offsetWidth);
    cell.classList.add("flash");
  }

  #shown() {
    const step = this.replay.steps[Math.max(0, this.#position - 1)];
    return this.#chosen ?? step?.seat ?? this.replay.seats[0]?.seat ?? 0;
  }

  #label() {
    const key = this.options.isOwnDice ? "replay.entry" : "replay.turn";
    return t(key, { turn: formatNumber(this.#position), turns: formatNumber(this.last) });
  }

  /** @param {import("../preferences.js").Verbosity} verbosity */
  #line(verbosity) {
    const step = this.replay.steps[this.#position - 1];
    return step ? stepLine(this.#modelAt(this.#position), step, verbosity) : "";
  }

  #moveLines() {
    return this.replay.steps.map((step, index) => moveLine(this.#modelAt(index + 1), step));
  }

  /** @param {number} position */
  #modelAt(position) {
    return modelOf(this.replay, this.#sheetsAt(position), this.options.nameOf);
  }

  /** @param {number} position */
  #sheetsAt(position) {
    return /** @type {Sheet[]} */ (this.sheets[position]);
  }
}

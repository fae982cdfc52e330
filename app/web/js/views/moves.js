/**
 * Every legal move as a plain list of buttons: a whole game can be played from here, by switch, by voice,
 * or where a screen reader has trouble with grids. It stays open from move to move.
 */

/** @import {Cell, Turn} from "../protocol.js" */
/** @import {TableView} from "./table.js" */
import { fill, h, isOff, setOff, setText, show } from "../dom.js";
import { openDialog } from "../shell.js";
import { isMyTurn, mySeat, nameOf } from "../state.js";
import { cellName, columnName, spellFaces, t } from "../words.js";
import { DiceView } from "./dice.js";

/** @typedef {{key: string, text: string, column: string | null, isZero: boolean, act: () => void, isOff?: boolean}} Move */

export class MovesDialog {
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  /** @type {Cell | null} the zero that is being asked about */
  #asked = null;
  #drawn = "";

  /** @param {TableView} table */
  constructor(table) {
    this.table = table;
    this.state = h("p", { "data-testid": "moves-state" });
    this.dice = new DiceView(
      (position) => table.hold(position),
      (position) => table.holdValue(table.turn?.dice[position] ?? 0),
      "move-die",
    );
    this.filter = h("select", { id: "moves-filter", onchange: () => this.update() });
    this.list = h("ul", { class: "moves", "data-testid": "moves" });
    this.question = h("div", { class: "question", hidden: true });
  }

  open() {
    if (this.#dialog) return;
    const label = h("label", { for: "moves-filter" }, t("moves.filter"));
    this.#drawFilter();
    const content = [
      this.state,
      this.dice.element,
      h("p", { class: "field inline" }, label, this.filter),
      this.question,
      this.list,
    ];
    this.#dialog = openDialog(t("moves.title"), content, () => {
      this.#dialog = null;
      this.#asked = null;
      this.table.focus();
    });
    this.#drawn = "";
    this.update();
  }

  close() {
    this.#dialog?.close();
  }

  update() {
    const { turn, model, choice, line } = this.table;
    if (!this.#dialog || !turn) return;
    setText(this.state, stateLine(this.table));
    this.dice.update({
      count: model.table?.variant.dice ?? 5,
      dice: turn.dice,
      hold: isMyTurn(model) ? choice.hold : (model.holding?.hold ?? turn.held),
      canHold: this.table.canHold(),
      counted: null,
      label: t("moves.dice"),
      rollKey: "",
      past: null,
    });
    if (this.#asked && turn.legal.fill[this.#asked.column]?.[this.#asked.row] !== 0) this.#ask(null);
    const moves = this.#moves(turn).filter(
      (move) => this.filter.value === "" || move.column === this.filter.value || move.column === null,
    );
    const drawn = JSON.stringify([moves, line.isLive()]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const hadFocus = this.list.contains(document.activeElement);
    fill(this.list, ...moves.map((move) => h("li", {}, this.#button(move))));
    if (moves.length === 0) fill(this.list, h("li", {}, t("moves.none")));
    if (hadFocus) this.list.querySelector("button")?.focus();
  }

  #drawFilter() {
    const { table } = this.table.model;
    const columns = (table?.variant.columns ?? []).filter((one) => one.playable).map((one) => one.column);
    const options = columns.map((column) => h("option", { value: column }, columnName(column)));
    fill(this.filter, h("option", { value: "" }, t("moves.all")), ...options);
  }

  /** @param {Move} move */
  #button(move) {
    const button = h("button", { type: "button", "data-move": move.key }, move.text);
    setOff(button, !this.table.line.isLive());
    button.addEventListener("click", () => !isOff(button) && move.act());
    return button;
  }

  /**
   * The roll first, then what can be written by points, then what can be announced.
   * @param {Turn} turn
   * @returns {Move[]}
   */
  #moves(turn) {
    const { model } = this.table;
    if (!isMyTurn(model) || mySeat(model) === null) return this.#undo();
    return [...this.#rolls(turn), ...this.#entries(turn), ...this.#announcements(turn), ...this.#undo()];
  }

  /** @returns {Move[]} */
  #undo() {
    if (!this.table.canUndo()) return [];
    return [{ key: "undo", text: t("more.undo"), column: null, isZero: false, act: () => this.table.undo() }];
  }

  /** @param {Turn} turn @returns {Move[]} */
  #rolls(turn) {
    if (!turn.legal.roll.legal) return [];
    const text = t("dock.roll", { roll: turn.roll + 1, rolls: turn.rolls });
    return [{ key: "roll", text, column: null, isZero: false, act: () => this.table.roll() }];
  }

  /** @param {Turn} turn @returns {Move[]} */
  #entries(turn) {
    const entries = Object.entries(turn.legal.fill).flatMap(([column, rows]) =>
      Object.entries(rows).map(([row, score]) => ({ cell: { column, row }, score })),
    );
    entries.sort((a, b) => b.score - a.score);
    return entries.map(({ cell, score }) => ({
      key: `fill/${cell.column}/${cell.row}`,
      text: t(score === 0 ? "cell.cross_out" : "cell.write", { score, cell: cellName(cell) }),
      column: cell.column,
      isZero: score === 0,
      act: () => (score === 0 ? this.#ask(cell) : this.table.act({ type: "fill", ...cell })),
    }));
  }

  /** @param {Turn} turn @returns {Move[]} */
  #announcements(turn) {
    return Object.entries(turn.legal.announce ?? {}).flatMap(([column, rows]) =>
      rows.map((row) => ({
        key: `announce/${column}/${row}`,
        text: t("cell.announce", { cell: cellName({ column, row }) }),
        column,
        isZero: false,
        act: () => this.table.act({ type: "announce", column, row }),
      })),
    );
  }

  /** A zero always asks. @param {Cell | null} cell */
  #ask(cell) {
    this.#asked = cell;
    show(this.question, cell !== null);
    show(this.list, cell === null);
    if (cell === null) return;
    const yes = h(
      "button",
      { type: "button", class: "primary", "data-testid": "confirm-zero" },
      t("dock.cross_out_it"),
    );
    const no = h("button", { type: "button" }, t("dock.cancel"));
    yes.addEventListener("click", () => {
      this.#ask(null);
      this.table.act({ type: "fill", ...cell });
      this.#focusList();
    });
    no.addEventListener("click", () => {
      this.#ask(null);
      this.#focusList();
    });
    fill(
      this.question,
      h("p", {}, t("status.cross_out", { cell: cellName(cell) })),
      h("div", { class: "buttons" }, no, yes),
    );
    no.focus();
  }

  #focusList() {
    this.list.querySelector("button")?.focus();
  }
}

/** @param {TableView} table */
function stateLine({ turn, model }) {
  if (!turn) return "";
  const who = isMyTurn(model)
    ? t("title.your_turn")
    : t("status.turn_of", { name: nameOf(model, turn.seat) });
  const dice = turn.dice.length > 0 ? t("say.dice", { dice: spellFaces(turn.dice) }) : t("die.none");
  return `${who}. ${t("status.rolled", { roll: turn.roll, rolls: turn.rolls })}. ${dice}`;
}

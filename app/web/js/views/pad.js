/**
 * What is written into a cell when the dice are real: by a button for each value that the row can have, by typing,
 * or by tapping the dice that lie on the table. A zero and a replacement ask first.
 */

/** @import {Cell, SheetAction} from "../protocol.js" */
import { getValues } from "../api.js";
import { fill, h, setAttribute, setText, show } from "../dom.js";
import { alarm, openDialog } from "../shell.js";
import { dieFace, showFace } from "../signs.js";
import { cellName, listOr, rowName, t } from "../words.js";
import { problemText } from "./problem.js";

/**
 * @typedef {object} Asked what is to be written
 * @property {string} code of the room
 * @property {number} seat whose sheet it is
 * @property {Cell} cell
 * @property {number | null} score what stands there
 * @property {number[]} values what the row can have
 * @property {number} dice how many dice the variant has
 */

const FACES = [1, 2, 3, 4, 5, 6];

export class Pad {
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  /** @type {number[]} */
  #dice = [];

  /** What was typed, by seat and cell: closing the pad, by Escape too, loses nothing. @type {Map<string, string>} */
  #drafts = new Map();

  /** @param {(action: SheetAction) => void} onAction */
  constructor(onAction) {
    this.onAction = onAction;
  }

  /** @param {Asked} asked */
  open(asked) {
    this.close();
    this.#dice = [];
    const { cell, score } = asked;
    this.problem = h("p", { class: "problem", id: "pad-problem", hidden: true });
    this.body = h("div", { class: "pad", "data-testid": "pad" });
    const dialog = openDialog(cellName(cell), [this.body], () => {
      this.#dialog = null;
    });
    this.#dialog = dialog;
    fill(
      this.body,
      score !== null && h("p", {}, t("own.stands", { score })),
      this.#valueButtons(asked),
      this.#typing(asked),
      this.problem,
      this.#picker(asked),
      score !== null && this.#button("pad-empty", t("own.empty", { score }), () => this.#empty(asked, score)),
    );
    this.body.querySelector("button")?.focus();
  }

  close() {
    this.#dialog?.close();
  }

  /** @param {Asked} asked */
  #valueButtons(asked) {
    const buttons = asked.values.map((value) =>
      this.#button(`value-${value}`, String(value), () => this.#choose(asked, value)),
    );
    return h("div", { class: "pad-values", role: "group", "aria-label": t("own.can_be") }, ...buttons);
  }

  /** @param {Asked} asked */
  #typing(asked) {
    const input = h("input", {
      id: "pad-typed",
      "data-testid": "pad-typed",
      inputmode: "numeric",
      autocomplete: "off",
      "aria-describedby": "pad-problem",
    });
    const draft = this.#drafts.get(placeOf(asked)) ?? "";
    // What stands in the cell has been written, it is no draft any more.
    input.value = draft === String(asked.score) ? "" : draft;
    input.addEventListener("input", () => {
      this.#drafts.set(placeOf(asked), input.value);
      setAttribute(input, "aria-invalid", null);
      this.#complain("");
    });
    const form = h(
      "form",
      { class: "join" },
      h("label", { for: "pad-typed" }, t("own.type")),
      h(
        "div",
        { class: "pair" },
        input,
        h("button", { type: "submit", "data-testid": "pad-write" }, t("own.write")),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = input.value.trim();
      const value = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
      if (asked.values.includes(value)) return this.#choose(asked, value);
      setAttribute(input, "aria-invalid", "true");
      const values = listOr(asked.values.map(String));
      this.#complain(t("own.values", { row: rowName(asked.cell.row), values }));
      input.select();
    });
    return form;
  }

  /** The dice on the table, tapped one after the other; the server says what they give. @param {Asked} asked */
  #picker(asked) {
    const tapped = h("p", { class: "pad-dice", "data-testid": "pad-dice" });
    const found = h("div", { class: "buttons" });
    const draw = () => {
      fill(tapped, ...this.#dice.map((face) => h("span", { class: "pad-die" }, drawnFace(face))));
      setAttribute(tapped, "aria-label", this.#dice.join(" "));
    };
    const faces = FACES.map((face) =>
      this.#button(`face-${face}`, drawnFace(face), () => {
        if (this.#dice.length >= asked.dice) this.#dice = [];
        this.#dice.push(face);
        fill(found);
        draw();
        if (this.#dice.length === asked.dice) void this.#look(asked, found);
      }),
    );
    for (const [index, button] of faces.entries()) setAttribute(button, "aria-label", String(index + 1));
    const again = this.#button("pad-again", t("own.again"), () => {
      this.#dice = [];
      fill(found);
      draw();
    });
    return h(
      "fieldset",
      {},
      h("legend", {}, t("own.tap_dice", { dice: asked.dice })),
      h("div", { class: "pad-faces" }, ...faces),
      tapped,
      found,
      again,
    );
  }

  /**
   * @param {Asked} asked
   * @param {HTMLElement} found
   */
  async #look(asked, found) {
    const dice = [...this.#dice];
    try {
      const { rows } = await getValues(asked.code, dice);
      if (dice.join() !== this.#dice.join()) return;
      const buttons = (rows[asked.cell.row] ?? []).map((value) =>
        this.#button(`dice-value-${value}`, t("own.write_value", { value }), () =>
          this.#choose(asked, value),
        ),
      );
      fill(found, ...buttons);
      buttons[0]?.focus();
    } catch (error) {
      this.#complain(problemText(error));
    }
  }

  /**
   * @param {Asked} asked
   * @param {number} value
   */
  #choose(asked, value) {
    const { cell, score } = asked;
    if (score === value) return this.close();
    if (score !== null) {
      this.#ask(
        t("own.replace_question", { cell: cellName(cell), score }),
        t("own.replace", { score, value }),
        t("own.keep", { score }),
        { type: "fill", ...cell, score: value, replaces: score },
      );
    } else if (value === 0) {
      const question = t("status.cross_out", { cell: cellName(cell) });
      this.#ask(question, t("dock.cross_out_it"), t("dock.cancel"), { type: "fill", ...cell, score: 0 });
    } else this.#done({ type: "fill", ...cell, score: value });
  }

  /**
   * @param {Asked} asked
   * @param {number} score
   */
  #empty({ cell }, score) {
    const question = t("own.empty_question", { cell: cellName(cell), score });
    this.#ask(question, t("own.empty", { score }), t("own.keep", { score }), {
      type: "empty",
      ...cell,
      score,
    });
  }

  /**
   * @param {string} question
   * @param {string} yes
   * @param {string} no
   * @param {SheetAction} action
   */
  #ask(question, yes, no, action) {
    if (!this.body) return;
    const keep = this.#button("pad-keep", no, () => this.close());
    const doIt = this.#button("pad-confirm", yes, () => this.#done(action));
    doIt.className = "primary";
    fill(this.body, h("p", {}, question), h("div", { class: "buttons" }, keep, doIt));
    keep.focus();
  }

  /** @param {SheetAction} action */
  #done(action) {
    this.close();
    this.onAction(action);
  }

  /** @param {string} sentence */
  #complain(sentence) {
    if (!this.problem) return;
    setText(this.problem, sentence);
    show(this.problem, sentence !== "");
    if (sentence) alarm(sentence);
  }

  /**
   * @param {string} testId
   * @param {string | Node} content
   * @param {() => void} action
   */
  #button(testId, content, action) {
    return h("button", { type: "button", "data-testid": testId, onclick: action }, content);
  }
}

/** @param {Asked} asked */
function placeOf({ seat, cell }) {
  return `${seat}/${cell.column}/${cell.row}`;
}

/** @param {number} face */
function drawnFace(face) {
  const drawn = dieFace();
  showFace(drawn, face);
  return drawn;
}

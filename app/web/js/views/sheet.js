/**
 * One sheet as a native table: mine is a grid with buttons in the legal cells, the others' are plain tables.
 * The table is built once for a variant; afterwards only cells that look different are touched.
 */

/** @import {Cell, Sums, Variant} from "../protocol.js" */
/** @import {CellState, SheetLook} from "../cell_state.js" */
import { cellState, isTarget } from "../cell_state.js";
import { fill, h, hiddenText, setAttribute, setText } from "../dom.js";
import { sign } from "../signs.js";
import { brokenColumnName, cellName, columnName, has, language, rowName, t } from "../words.js";
import { SheetKeys } from "./sheet_keys.js";

const SECTIONS = /** @type {const} */ (["upper", "middle", "lower"]);

/** Columns up to which there is room for whole words on a phone. */
const FEW = 5;

/** @typedef {{onCell: (cell: Cell) => void, onColumn: (column: string) => void}} SheetActions */

export class SheetView {
  /** @type {Map<string, HTMLTableCellElement>} */
  #cells = new Map();
  /** @type {WeakMap<Element, string>} what each cell was drawn from */
  #drawn = new WeakMap();
  #built = "";
  /** @type {SheetKeys | null} */
  #keys = null;

  /** @param {SheetActions | null} actions null: only to be read */
  constructor(actions) {
    this.actions = actions;
    this.caption = h("caption", { class: "vh" });
    this.table = h("table", { class: "sheet", role: actions ? "grid" : null });
    this.element = h("div", { class: actions ? "sheet-scroll mine" : "sheet-scroll" }, this.table);
    if (!actions) {
      // What scrolls must be reached by keys; my own sheet is, by its cells.
      setAttribute(this.element, "tabindex", 0);
      setAttribute(this.element, "role", "group");
      return;
    }
    this.#keys = new SheetKeys(this.table);
    this.table.addEventListener("click", (event) => this.#clicked(event));
  }

  /**
   * @param {SheetLook} look
   * @param {string} caption
   * @param {string[]} dropped columns that this table can't play
   */
  update(look, caption, dropped = []) {
    const columns = look.variant.columns
      .map((one) => one.column)
      .filter((column) => !dropped.includes(column));
    const shape = [look.variant.id, look.variant.rows.length, language(), ...columns].join(" ");
    if (shape !== this.#built) this.#build(look.variant, columns);
    this.#built = shape;
    setText(this.caption, caption);
    if (!this.actions) setAttribute(this.element, "aria-label", caption);
    const focused = this.#keys?.focusedPlace() ?? null;
    for (const { row } of look.variant.rows) {
      for (const column of columns) this.#draw({ column, row }, cellState(look, { column, row }));
    }
    for (const column of columns) this.#drawSums(look, column);
    this.#keys?.refresh(focused);
  }

  /** @param {1 | -1} step */
  focusLegal(step) {
    this.#keys?.focusLegal(step);
  }

  focus() {
    this.#keys?.focus();
  }

  /** Not a sentence, only a nod that the tap was seen. @param {Cell} cell */
  shake(cell) {
    const td = this.#cells.get(keyOf(cell));
    td?.classList.remove("shake");
    void td?.offsetWidth;
    td?.classList.add("shake");
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {Element} */ (event.target);
    const header = target.closest("th[data-column]");
    if (header instanceof HTMLElement) this.actions?.onColumn(header.dataset.column ?? "");
    const at = target.closest("td[data-at]");
    if (!(at instanceof HTMLElement)) return;
    const [column = "", row = ""] = (at.dataset.at ?? "").split("/");
    this.#keys?.moveTo(at);
    this.actions?.onCell({ column, row });
  }

  /**
   * @param {Variant} variant
   * @param {string[]} columns
   */
  #build(variant, columns) {
    this.#cells.clear();
    const { names } = variant;
    const corner = h("th", { scope: "col", class: "corner" }, hiddenText(t("sheet.row")));
    const head = h(
      "thead",
      {},
      h("tr", {}, corner, ...columns.map((column) => columnHeader(column, names?.columns[column]))),
    );
    const bodies = SECTIONS.map((section) => {
      const rows = variant.rows.filter((one) => one.section === section);
      const lines = rows.map(({ row }) =>
        h(
          "tr",
          {},
          rowHeader(row, names?.rows[row]),
          ...columns.map((column) => this.#cell({ column, row })),
        ),
      );
      const sums = h(
        "tr",
        { class: "sum" },
        sumHeader(section),
        ...columns.map((column) => this.#sumCell(column, section)),
      );
      return h("tbody", { class: section }, ...lines, rows.length > 0 && sums);
    });
    fill(this.table, this.caption, head, ...bodies);
    this.element.style.setProperty("--columns", String(columns.length));
    setAttribute(this.element, "data-columns", columns.length);
    this.element.classList.toggle("few", columns.length <= FEW);
  }

  /** @param {Cell} cell */
  #cell(cell) {
    const td = h("td", { "data-at": keyOf(cell) });
    this.#cells.set(keyOf(cell), td);
    return td;
  }

  /**
   * @param {string} column
   * @param {string} section
   */
  #sumCell(column, section) {
    const td = h("td", {});
    this.#cells.set(`${column}/sum-${section}`, td);
    return td;
  }

  /**
   * @param {Cell} cell
   * @param {CellState} state
   */
  #draw(cell, state) {
    const td = /** @type {HTMLTableCellElement} */ (this.#cells.get(keyOf(cell)));
    const look = JSON.stringify(state);
    if (this.#drawn.get(td) === look) return;
    this.#drawn.set(td, look);
    td.className = classOf(state);
    const isButton = this.actions !== null && isTarget(state.kind);
    // One element for each cell carries data-cell: the one that is to be tapped.
    setAttribute(td, "data-cell", isButton ? null : keyOf(cell));
    const button = td.querySelector("button");
    if (isButton && button) drawButton(button, cell, state);
    else if (isButton)
      fill(td, drawButton(h("button", { type: "button", "data-cell": keyOf(cell) }), cell, state));
    else fill(td, ...content(state));
  }

  /**
   * @param {SheetLook} look
   * @param {string} column
   */
  #drawSums(look, column) {
    const sums = look.sheet.sums[column];
    for (const section of SECTIONS) {
      const td = this.#cells.get(`${column}/sum-${section}`);
      if (!td) continue;
      const isFull = look.variant.rows.every(
        (one) => one.section !== section || look.sheet.cells[column]?.[one.row] !== undefined,
      );
      const drawn = JSON.stringify([sums, isFull]);
      if (this.#drawn.get(td) === drawn) continue;
      this.#drawn.set(td, drawn);
      fill(td, ...sumContent(sums, section, isFull && look.variant.bonus_steps.length > 0));
    }
  }
}

/** @param {Cell} cell */
function keyOf(cell) {
  return `${cell.column}/${cell.row}`;
}

/** @param {string} column @param {string} [ownWord] what the variant's own description calls it */
function columnHeader(column, ownWord) {
  const badge = has(`column.badge.${column}`) ? t(`column.badge.${column}`) : "";
  const label = h(
    "div",
    { class: "column-label" },
    sign(column),
    badge && h("span", { class: "badge", "aria-hidden": "true" }, badge),
    h("span", { class: "word", "aria-hidden": "true" }, brokenColumnName(column)),
    hiddenText(columnName(column)),
  );
  return h(
    "th",
    { scope: "col", "data-column": column, title: ownWord },
    h("div", { class: "column-head" }, label),
  );
}

/** @param {string} row @param {string} [ownWord] */
function rowHeader(row, ownWord) {
  const short = h("span", { class: "short", "aria-hidden": "true" }, t(`row.short.${row}`));
  return h("th", { scope: "row", title: ownWord }, short, ...fullName(rowName(row)));
}

/** @param {string} section */
function sumHeader(section) {
  const short = h("span", { class: "short", "aria-hidden": "true" }, "Σ");
  return h("th", { scope: "row" }, short, ...fullName(t(`sum.${section}`)));
}

/** A name that is shown where there is room, and always said. @param {string} name */
function fullName(name) {
  return [h("span", { class: "full", "aria-hidden": "true" }, name), hiddenText(name)];
}

/** @param {CellState} state */
function classOf(state) {
  const marks = { armed: state.isArmed, announced: state.isAnnounced, due: state.isDue, last: state.isLast };
  const on = Object.entries(marks).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return [state.kind, ...on].join(" ");
}

/** @type {Partial<Record<CellState["kind"], string>>} */
const BUTTON_NAMES = {
  legal: "cell.write",
  "legal-zero": "cell.cross_out",
  announceable: "cell.announce",
  open: "cell.open",
  changeable: "cell.change",
  entry: "cell.entry",
  "entry-zero": "cell.entry_crossed",
};

/**
 * @param {HTMLButtonElement} button
 * @param {Cell} cell
 * @param {CellState} state
 */
function drawButton(button, cell, state) {
  const key = BUTTON_NAMES[state.kind] ?? "";
  const marks = [
    state.isAnnounced && t("mark.announced"),
    state.isDue && t("mark.due"),
    state.start && t(`mark.start.${state.start}`),
    state.isLast && t("mark.last"),
  ].filter(Boolean);
  const name = [t(key, { score: state.score ?? 0, cell: cellName(cell) }), ...marks].join(", ");
  setAttribute(button, "aria-label", name);
  setAttribute(button, "aria-pressed", state.isArmed ? "true" : "false");
  fill(
    button,
    state.start && sign(state.start, "start"),
    ...shownIn(state),
    state.isArmed && sign("tick", "mark-tick"),
    state.isAnnounced && sign("megaphone", "mark"),
  );
  return button;
}

/** @param {CellState} state */
function shownIn({ kind, score }) {
  if (kind === "announceable") return [sign("megaphone", "sign small")];
  if (kind === "entry-zero") return crossedOut();
  return [h("span", { class: "score" }, score === null ? "" : String(score))];
}

function crossedOut() {
  return [sign("cross", "crossed"), h("span", { class: "nought", "aria-hidden": "true" }, "0")];
}

/** @param {CellState} state */
function content(state) {
  const marks = [
    state.isAnnounced && sign("megaphone", "mark"),
    state.isAnnounced && hiddenText(`, ${t("mark.announced")}`),
    state.isDue && hiddenText(t("mark.due")),
    state.isLast && hiddenText(`, ${t("mark.last")}`),
  ];
  const score = state.score === null ? "" : String(state.score);
  switch (state.kind) {
    case "zero":
      return [...crossedOut(), hiddenText(t("cell.crossed")), ...marks];
    case "next":
      return [state.start ? startArrow(state.start) : dot(), ...marks];
    case "closed":
      return [state.start && startArrow(state.start), ...marks];
    default:
      return [score, ...marks];
  }
}

/** The cell is next in its column. */
function dot() {
  return h("span", {}, h("span", { class: "dot" }), hiddenText(t("mark.next")));
}

/** The column can begin here. @param {"up" | "down"} way */
function startArrow(way) {
  return h("span", {}, sign(way, "start alone"), hiddenText(t(`mark.start.${way}`)));
}

/**
 * @param {Sums | undefined} sums
 * @param {"upper" | "middle" | "lower"} section
 * @param {boolean} isBonusDecided
 */
function sumContent(sums, section, isBonusDecided) {
  const value = sums?.[section];
  if (!sums || value === null || value === undefined) return [];
  if (section !== "upper") return [String(value)];
  if (sums.bonus > 0) {
    return [
      h("span", { class: "narrow", "aria-hidden": "true" }, `${value + sums.bonus}+`),
      h("span", { class: "roomy", "aria-hidden": "true" }, `${value}+${sums.bonus}`),
      hiddenText(t("sum.with_bonus", { sum: value, bonus: sums.bonus })),
    ];
  }
  if (!isBonusDecided) return [String(value)];
  return [h("span", { "aria-hidden": "true" }, `${value}−`), hiddenText(t("sum.no_bonus", { sum: value }))];
}

/**
 * Moving in the grid by keys, with one tab stop (roving tabindex). Arrows, Home, End, PageUp, PageDown as in ui.
 */

/** @typedef {{line: number, place: number}} Place */

export class SheetKeys {
  /** @type {Place} */
  #place = { line: 0, place: 0 };

  /** @param {HTMLTableElement} table */
  constructor(table) {
    this.table = table;
    table.addEventListener("keydown", (event) => this.#keyed(event));
    table.addEventListener("focusin", (event) => this.#focused(event));
  }

  /** Where the focus is in this table, to be given back to `refresh` after cells were redrawn. */
  focusedPlace() {
    return this.table.contains(document.activeElement) ? this.#place : null;
  }

  /** @param {Place | null} focused */
  refresh(focused) {
    for (const element of this.table.querySelectorAll("td[tabindex]")) element.removeAttribute("tabindex");
    for (const button of this.table.querySelectorAll("button")) button.tabIndex = -1;
    const target = this.#targetAt(this.#place) ?? this.#targetAt({ line: 0, place: 0 });
    if (!target) return;
    target.tabIndex = 0;
    if (focused && document.activeElement !== target) target.focus({ preventScroll: true });
  }

  focus() {
    this.#targetAt(this.#place)?.focus();
  }

  /** @param {HTMLElement} cell */
  moveTo(cell) {
    const place = this.#placeOf(cell);
    if (place) this.#place = place;
    this.refresh(null);
  }

  /** @param {1 | -1} step */
  focusLegal(step) {
    const cells = this.#lines().flat();
    const legal = cells.filter((cell) => cell.querySelector("button"));
    if (legal.length === 0) return;
    const here = cells.indexOf(
      /** @type {HTMLTableCellElement} */ (this.#lines()[this.#place.line]?.[this.#place.place]),
    );
    const after = legal.filter((cell) =>
      step > 0 ? cells.indexOf(cell) > here : cells.indexOf(cell) < here,
    );
    const next = step > 0 ? (after[0] ?? legal[0]) : (after.at(-1) ?? legal.at(-1));
    if (next) this.#go(next);
  }

  /** @param {KeyboardEvent} event */
  #keyed(event) {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const cell = /** @type {Element} */ (event.target).closest("td");
    if (!cell) return;
    const next = this.#next(event);
    if (next) {
      event.preventDefault();
      event.stopPropagation();
      this.#go(next);
    } else if ((event.code === "Enter" || event.code === "Space") && event.target === cell) {
      event.preventDefault();
      cell.click();
    }
  }

  /** @param {KeyboardEvent} event */
  #next(event) {
    const lines = this.#lines();
    const { line, place } = this.#place;
    const last = lines.length - 1;
    const row = lines[line] ?? [];
    switch (event.code) {
      case "ArrowLeft":
        return row[Math.max(0, place - 1)];
      case "ArrowRight":
        return row[Math.min(row.length - 1, place + 1)];
      case "ArrowUp":
        return lines[Math.max(0, line - 1)]?.[place];
      case "ArrowDown":
        return lines[Math.min(last, line + 1)]?.[place];
      case "Home":
        return event.ctrlKey ? lines[0]?.[0] : row[0];
      case "End":
        return event.ctrlKey ? lines[last]?.at(-1) : row.at(-1);
      case "PageUp":
        return this.#sectionStart(-1);
      case "PageDown":
        return this.#sectionStart(1);
      default:
        return undefined;
    }
  }

  /** The same column in the first row of the section above or below. @param {1 | -1} step */
  #sectionStart(step) {
    const lines = this.#lines();
    const bodies = Array.from(this.table.tBodies).filter((body) => body.rows.length > 0);
    const here = bodies.findIndex((body) => body.contains(lines[this.#place.line]?.[0] ?? null));
    const body = bodies[Math.min(bodies.length - 1, Math.max(0, here + step))];
    return body?.rows[0]?.querySelectorAll("td")[this.#place.place];
  }

  /** @param {HTMLTableCellElement} cell */
  #go(cell) {
    this.#place = this.#placeOf(cell) ?? this.#place;
    this.refresh(null);
    this.focus();
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const cell = /** @type {Element} */ (event.target).closest("td");
    const place = cell && this.#placeOf(cell);
    if (!place) return;
    this.#place = place;
    this.refresh(null);
  }

  /** @param {Place} place @returns {HTMLElement | null} */
  #targetAt(place) {
    const cell = this.#lines()[place.line]?.[place.place];
    return cell?.querySelector("button") ?? cell ?? null;
  }

  /** @param {HTMLElement} cell @returns {Place | null} */
  #placeOf(cell) {
    for (const [line, cells] of this.#lines().entries()) {
      const place = cells.indexOf(/** @type {HTMLTableCellElement} */ (cell));
      if (place >= 0) return { line, place };
    }
    return null;
  }

  #lines() {
    return Array.from(this.table.tBodies).flatMap((body) =>
      Array.from(body.rows, (row) => Array.from(row.querySelectorAll("td"))),
    );
  }
}

/**
 * Up to three opponents' sheets beside mine on a wide screen. On a narrow one they are reached by the chips.
 */

/** @import {Model} from "../state.js" */
/** @import {Choice} from "../table_choice.js" */
/** @import {SheetLook} from "../cell_state.js" */
import { fill, h } from "../dom.js";
import { seatMark } from "../presence.js";
import { isMyTurn, mySeat, nameOf, sheetOf } from "../state.js";
import { formatNumber, t } from "../words.js";
import { playerMark } from "./chips.js";
import { SheetView } from "./sheet.js";

const MOST = 3;
const WIDE = "(min-width: 900px)";

export class OtherSheets {
  /** @type {Map<number, {panel: HTMLElement, title: HTMLElement, view: SheetView}>} */
  #panels = new Map();

  /** @param {() => void} onWidth the screen has become wide, or narrow */
  constructor(onWidth) {
    this.onWidth = onWidth;
    this.element = h("div", { class: "other-sheets" });
    this.wide = matchMedia(WIDE);
    this.wide.addEventListener("change", this.onWidth);
  }

  leave() {
    this.wide.removeEventListener("change", this.onWidth);
  }

  /**
   * @param {Model} model
   * @param {number} shown the sheet in the middle isn't shown twice
   */
  update(model, shown) {
    const seats = this.wide.matches ? nextSeats(model, shown) : [];
    const wanted = seats.join(" ");
    if (this.element.dataset.seats !== wanted) {
      this.element.dataset.seats = wanted;
      fill(this.element, ...seats.map((seat) => this.#panel(seat).panel));
    }
    for (const seat of seats) {
      const { title, view } = this.#panel(seat);
      const name = nameOf(model, seat);
      const text = `${name} ${formatNumber(sheetOf(model, seat).total)}`;
      const mark = seatMark(model, seat);
      const drawn = `${mark} ${text}`;
      if (title.dataset.drawn !== drawn) fill(title, playerMark(seat, name, mark), text);
      title.dataset.drawn = drawn;
      view.update(sheetLook(model, seat, null), t("sheet.of", { name }), model.table?.room.dropped_columns);
    }
  }

  /** @param {number} seat */
  #panel(seat) {
    const known = this.#panels.get(seat);
    if (known) return known;
    const view = new SheetView(null);
    const title = h("h2", { class: "other-name" });
    const made = { panel: h("section", { class: "other-sheet" }, title, view.element), title, view };
    this.#panels.set(seat, made);
    return made;
  }
}

/**
 * In turn order from the shown seat on, so that the next to play stands first.
 * @param {Model} model
 * @param {number} shown
 */
function nextSeats(model, shown) {
  const count = model.table?.seats.length ?? 0;
  return Array.from({ length: Math.max(0, count - 1) }, (_none, step) => (shown + 1 + step) % count).slice(
    0,
    MOST,
  );
}

/**
 * @param {Model} model
 * @param {number} seat
 * @param {Choice | null} choice null: this sheet is only looked at
 * @returns {SheetLook}
 */
export function sheetLook(model, seat, choice) {
  const table = /** @type {NonNullable<Model["table"]>} */ (model.table);
  const { turn } = table;
  const isMoving = turn?.seat === seat;
  const pending = (turn?.pending ?? []).filter((one) => one.seat === seat);
  const isMineToMove = choice !== null && isMyTurn(model) && mySeat(model)?.seat === seat;
  return {
    sheet: sheetOf(model, seat),
    variant: table.variant,
    legal: isMineToMove && turn ? turn.legal : null,
    mode: choice?.mode ?? "fill",
    armed: choice?.armed ?? null,
    announced: isMoving ? turn.announced : null,
    due: [...pending, ...(isMoving ? (turn.bound?.cells ?? []) : [])],
    last: model.lastFilled[seat] ?? null,
  };
}

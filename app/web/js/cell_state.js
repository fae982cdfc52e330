/**
 * How one cell of a sheet looks: its kind and its marks, from the sheet and the server's legal actions. Pure.
 */

/** @import {Cell, Legal, OwnSeat, Sheet, Variant} from "./protocol.js" */
import { scoreOf } from "./legal.js";

/**
 * @typedef {object} SheetLook
 * @property {Sheet} sheet
 * @property {Variant} variant
 * @property {Legal | null} legal only on my own sheet, in my turn
 * @property {OwnSeat | null} [own] only on my own sheet, at an own-dice table
 * @property {"fill" | "announce"} mode
 * @property {Cell | null} armed
 * @property {Cell | null} announced
 * @property {Cell[]} due cells that an announcement binds, now or on the next turn
 * @property {Cell | null} last
 * @property {boolean} [isRecord] in a replay: a written cell leads to the turn in which it was written
 */

/** @typedef {"written" | "zero" | "legal" | "legal-zero" | "announceable" | "next" | "closed" | "auto" | "open" | "changeable" | "entry" | "entry-zero"} Kind */
/**
 * @typedef {object} CellState
 * @property {Kind} kind
 * @property {number | null} score
 * @property {"up" | "down" | null} start where the column runs from here, in a cell where it can begin
 * @property {boolean} isArmed
 * @property {boolean} isAnnounced
 * @property {boolean} isDue
 * @property {boolean} isLast
 */

/** Cells that are empty and don't ask for something else just now. @type {ReadonlySet<Kind>} */
const STARTING = new Set(/** @type {const} */ (["legal", "legal-zero", "next", "closed", "open"]));

/**
 * @param {SheetLook} look
 * @param {Cell} cell
 * @returns {CellState}
 */
export function cellState(look, cell) {
  const { kind, score } = kindAndScore(look, cell);
  return {
    kind,
    score,
    start: STARTING.has(kind) ? (look.variant.starts?.[cell.column]?.[cell.row] ?? null) : null,
    isArmed: isSameCell(look.armed, cell),
    isAnnounced: isSameCell(look.announced, cell),
    isDue: look.due.some((due) => isSameCell(due, cell)),
    isLast: isSameCell(look.last, cell),
  };
}

/**
 * @param {SheetLook} look
 * @param {Cell} cell
 * @returns {{kind: Kind, score: number | null}}
 */
function kindAndScore(look, cell) {
  const { column, row } = cell;
  const written = look.sheet.cells[column]?.[row];
  const isAutomatic = look.variant.columns.find((one) => one.column === column)?.playable === false;
  if (isAutomatic) return { kind: "auto", score: written ?? null };
  if (look.own) return ownKind(look.own, look.mode, cell, written);
  if (written !== undefined) return { kind: writtenKind(written, look.isRecord), score: written };
  if (look.mode === "announce") {
    const isAnnounceable = look.legal?.announce?.[column]?.includes(row);
    return { kind: isAnnounceable ? "announceable" : "closed", score: null };
  }
  const possible = scoreOf(look.legal, { column, row });
  if (possible !== undefined) return { kind: possible === 0 ? "legal-zero" : "legal", score: possible };
  return { kind: look.legal?.closed?.[column]?.rows.includes(row) ? "next" : "closed", score: null };
}

/**
 * @param {number} score
 * @param {boolean} [isRecord]
 * @returns {Kind}
 */
function writtenKind(score, isRecord = false) {
  if (isRecord) return score === 0 ? "entry-zero" : "entry";
  return score === 0 ? "zero" : "written";
}

/**
 * With real dice an empty cell has no score to show, and a written one can be changed.
 * @param {OwnSeat} own
 * @param {"fill" | "announce"} mode
 * @param {Cell} cell
 * @param {number | undefined} written
 * @returns {{kind: Kind, score: number | null}}
 */
function ownKind(own, mode, { column, row }, written) {
  if (mode === "announce") {
    if (own.announce[column]?.includes(row)) return { kind: "announceable", score: null };
    if (written === undefined) return { kind: "closed", score: null };
    return { kind: written === 0 ? "zero" : "written", score: written };
  }
  if (written !== undefined) return { kind: "changeable", score: written };
  return { kind: own.open[column]?.includes(row) ? "open" : "closed", score: null };
}

const TARGETS = new Set(["legal", "legal-zero", "announceable", "open", "changeable", "entry", "entry-zero"]);

/** Whether a cell of that kind is a button. @param {Kind} kind */
export function isTarget(kind) {
  return TARGETS.has(kind);
}

/**
 * @param {Cell | null | undefined} one
 * @param {Cell | null | undefined} other
 */
export function isSameCell(one, other) {
  return Boolean(one && other && one.column === other.column && one.row === other.row);
}

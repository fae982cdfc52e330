/**
 * What is said aloud, and in the status line, after something happened at the table. Pure: sentences from events.
 */

/** @import {GameEvent, Turn, Variant} from "./protocol.js" */
/** @import {Verbosity} from "./preferences.js" */
/** @import {Model} from "./state.js" */
import { dutySentence } from "./announcement.js";
import { roomSentence } from "./room_speech.js";
import { isMyTurn, mySeat, nameOf, nameOfPlayer, sheetOf } from "./state.js";
import {
  cellName,
  columnName,
  formatNumber,
  has,
  listOr,
  lower,
  rowName,
  spellFaces,
  t,
  tn,
} from "./words.js";

/**
 * One line for everything that came with an update, from the player's point of view.
 * @param {Model} model after the update
 * @param {GameEvent[]} events
 * @param {boolean} isTurnNew whether another turn began with it
 * @param {Verbosity} [verbosity] how much of it: short leaves out counts and totals, full tells others' rolls too
 */
export function spokenLine(model, events, isTurnNew, verbosity = "normal") {
  const lines = events.map((event) => spokenEvent(model, event, verbosity));
  const turn = model.table?.turn;
  if (isTurnNew && turn && isMyTurn(model)) {
    lines.push(say("your_turn", verbosity, { round: turn.round, rounds: turn.rounds }));
    lines.push(dutySentence(model, turn));
  }
  return lines.filter((line) => line !== "").join(" ");
}

/**
 * A sentence of the catalogue, in its short form where that is wanted and there is one.
 * @param {string} key
 * @param {Verbosity} verbosity
 * @param {import("./words.js").Values} values
 */
function say(key, verbosity, values) {
  const short = `say.short.${key}`;
  return t(verbosity === "short" && has(short) ? short : `say.${key}`, values);
}

/**
 * @param {Model} model
 * @param {GameEvent} event
 * @param {Verbosity} verbosity
 * @returns {string}
 */
function spokenEvent(model, event, verbosity) {
  const isMine = "seat" in event && event.seat === mySeat(model)?.seat;
  switch (event.type) {
    case "rolled":
      if (isMine) return rollSentence(event, verbosity);
      return verbosity === "full" ? `${nameOf(model, event.seat)}: ${rollSentence(event)}` : "";
    case "announced":
      return t("say.announces", { name: nameOf(model, event.seat), row: lower(rowName(event.row)) });
    case "filled":
      return entrySentence(model, event, verbosity);
    case "passed":
      return t("say.passes", { name: nameOf(model, event.seat) });
    case "undone":
      return t("say.undoes", { name: nameOf(model, event.seat) });
    case "emptied":
      return t("say.empties", { name: nameOf(model, event.seat), cell: cellName(event) });
    case "cleared":
    case "withdrawn":
      return t(`say.${event.type}`, { name: nameOf(model, event.seat) });
    case "joined":
      return t("say.joined", { name: nameOfPlayer(model, event) });
    case "left":
      return t("say.left", { name: event.name });
    case "readied":
      return isMine
        ? ""
        : t(event.ready ? "say.ready" : "say.not_ready", { name: nameOf(model, event.seat) });
    case "settings_changed":
      return t("say.settings", {
        variant: model.table ? variantTitle(model.table.variant) : variantName(event.variant),
      });
    case "started":
      return t("say.started");
    case "finished":
      return resultSentence(model);
    case "reopened":
      return t("say.reopened");
    default:
      return roomSentence(model, event);
  }
}

/**
 * @param {{roll: number, dice: number[], held: number[]}} rolled
 * @param {Verbosity} [verbosity]
 */
export function rollSentence({ roll, dice, held }, verbosity = "normal") {
  const rolled = say("roll", verbosity, { roll, dice: spellFaces(dice) });
  if (held.length === 0 || verbosity === "short") return rolled;
  const kept = held.map((position) => dice[position] ?? 0);
  return `${rolled} ${t("say.held", { dice: spellFaces(kept) })}`;
}

/**
 * @param {Model} model
 * @param {{seat: number, column: string, row: string, score: number}} entry
 * @param {Verbosity} verbosity
 */
function entrySentence(model, entry, verbosity) {
  const values = {
    name: nameOf(model, entry.seat),
    score: entry.score,
    row: lower(rowName(entry.row)),
    column: lower(columnName(entry.column)),
    total: formatNumber(sheetOf(model, entry.seat).total),
  };
  return say(entry.score === 0 ? "crosses_out" : "writes", verbosity, values);
}

/** What was written, in the status line. @param {Model} model @param {import("./protocol.js").Filled} entry */
export function entryLine(model, entry) {
  return t("status.entry", {
    name: nameOf(model, entry.seat),
    score: entry.score,
    cell: cellName(entry),
  });
}

/** "Lija wins by 31", or the tie. @param {Model} model */
export function resultSentence(model) {
  const standings = model.table?.result?.standings ?? [];
  return winnerSentence(standings.map((one) => ({ ...one, name: nameOf(model, one.seat) })));
}

/** @param {{name: string, place: number, total: number}[]} standings */
export function winnerSentence(standings) {
  const [first, second] = [...standings].sort((a, b) => a.place - b.place);
  if (!first) return "";
  if (!second) return t("over.solo", { total: formatNumber(first.total) });
  if (second.place === 1) return t("over.tie", { total: formatNumber(first.total) });
  return t("over.wins", { name: first.name, points: formatNumber(first.total - second.total) });
}

/**
 * Why a cell can't be filled, as far as the server has told.
 * @param {Model} model
 * @param {{column: string, row: string}} cell
 */
export function closedSentence(model, cell) {
  const turn = model.table?.turn;
  const me = mySeat(model);
  if (!turn) return "";
  if (me && sheetOf(model, me.seat).cells[cell.column]?.[cell.row] !== undefined) {
    return t("cell.filled", { cell: cellName(cell) });
  }
  if (!isMyTurn(model)) return t("status.not_your_turn", { name: nameOf(model, turn.seat) });
  const closed = turn.legal.closed?.[cell.column];
  if (closed?.reason)
    return reasonSentence(closed.reason, cell.column, reasonRows(turn, cell.column, closed.rows));
  return t("cell.closed", { cell: cellName(cell) });
}

/**
 * Where a duty or an own announcement closes a column, the cell that is due is the useful word.
 * @param {Turn} turn
 * @param {string} column
 * @param {string[]} rows
 */
function reasonRows(turn, column, rows) {
  const reason = turn.legal.closed?.[column]?.reason;
  if (reason === "bound" && turn.bound) return turn.bound.cells.map((cell) => cell.row);
  if (reason === "other_announced" && turn.announced) return [turn.announced.row];
  return rows;
}

/**
 * A refusal or a closed column in the player's words; the more exact sentence where column and rows are known.
 * @param {string} code
 * @param {string} [column]
 * @param {string[]} [rows]
 */
export function reasonSentence(code, column, rows = []) {
  if (column && has(`closed.${code}.${column}`))
    return t(`closed.${code}.${column}`, { column: columnName(column) });
  if (column && has(`closed.${code}`) && (rows.length > 0 || !t(`closed.${code}`).includes("rows"))) {
    return t(`closed.${code}`, { column: columnName(column), rows: listOr(rows.map(rowName)) });
  }
  return has(`refusal.${code}`) ? t(`refusal.${code}`) : t("refusal.unknown", { code });
}

/** @param {string} id */
export function variantName(id) {
  return has(`variant.${id}`) ? t(`variant.${id}`) : t("variant.own_unknown");
}

/** Its name, that of the game whose columns were chosen, or what it is made of. @param {Variant} variant */
export function variantTitle(variant) {
  const { id, base = id, code = null } = variant;
  return variantTitleOf(id, base) ?? customTitle(variant.dice, variant.columns.length, code);
}

/**
 * The same by the ids alone; null where it takes more than these.
 * @param {string} id
 * @param {string} base
 */
export function variantTitleOf(id, base) {
  const game = `variant.group.${base.split("-")[0]}`;
  if (has(`variant.${id}`)) return variantName(id);
  return has(game) ? t("variant.own", { variant: t(game) }) : null;
}

/**
 * "Own rules · 6 dice, 4 columns · 7KQ2M-4XD9T"
 * @param {number} dice
 * @param {number} columns
 * @param {string | null} code
 */
function customTitle(dice, columns, code) {
  const counts = { dice: tn("summary.dice", dice), columns: tn("summary.columns", columns) };
  return [t("variant.custom", counts), code].filter(Boolean).join(" · ");
}

/**
 * Its name; with the columns where they were chosen.
 * @param {{variant: string, base: string, code: string | null, dice: number, columns: string[]}} board
 */
export function boardTitle({ variant, base, code, dice, columns }) {
  const game = `variant.group.${base.split("-")[0]}`;
  if (has(`variant.${variant}`)) return variantName(variant);
  if (!has(game)) return customTitle(dice, columns.length, code);
  return t("variant.board", { variant: t(game), columns: columns.map(columnName).join(", ") });
}

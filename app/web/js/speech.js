/**
 * What is said aloud, and in the status line, after something happened at the table. Pure: sentences from events.
 */

/** @import {GameEvent, Turn, Variant} from "./protocol.js" */
/** @import {Model} from "./state.js" */
import { dutySentence } from "./announcement.js";
import { isMyTurn, mySeat, nameOf, sheetOf } from "./state.js";
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
 */
export function spokenLine(model, events, isTurnNew) {
  const lines = events.map((event) => spokenEvent(model, event));
  const turn = model.table?.turn;
  if (isTurnNew && turn && isMyTurn(model)) {
    lines.push(t("say.your_turn", { round: turn.round, rounds: turn.rounds }));
    lines.push(dutySentence(model, turn));
  }
  return lines.filter((line) => line !== "").join(" ");
}

/**
 * @param {Model} model
 * @param {GameEvent} event
 * @returns {string}
 */
function spokenEvent(model, event) {
  const isMine = "seat" in event && event.seat === mySeat(model)?.seat;
  switch (event.type) {
    case "rolled":
      return isMine ? rollSentence(event.roll, event.dice, event.held) : "";
    case "announced":
      return t("say.announces", { name: nameOf(model, event.seat), row: lower(rowName(event.row)) });
    case "filled":
      return entrySentence(model, event);
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
      return t("say.joined", { name: event.name });
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
    default:
      return "";
  }
}

/**
 * @param {number} roll
 * @param {number[]} dice
 * @param {number[]} held
 */
export function rollSentence(roll, dice, held) {
  const rolled = t("say.roll", { roll, dice: spellFaces(dice) });
  const kept = held.map((position) => dice[position] ?? 0);
  return kept.length === 0 ? rolled : `${rolled} ${t("say.held", { dice: spellFaces(kept) })}`;
}

/**
 * @param {Model} model
 * @param {{seat: number, column: string, row: string, score: number}} entry
 */
function entrySentence(model, entry) {
  const values = {
    name: nameOf(model, entry.seat),
    score: entry.score,
    row: lower(rowName(entry.row)),
    column: lower(columnName(entry.column)),
    total: formatNumber(sheetOf(model, entry.seat).total),
  };
  return t(entry.score === 0 ? "say.crosses_out" : "say.writes", values);
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
  const game = `variant.group.${base.split("-")[0]}`;
  if (has(`variant.${id}`)) return variantName(id);
  if (has(game)) return t("variant.own", { variant: t(game) });
  const dice = tn("summary.dice", variant.dice);
  const columns = tn("summary.columns", variant.columns.length);
  return [t("variant.custom", { dice, columns }), code].filter(Boolean).join(" · ");
}

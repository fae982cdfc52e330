/**
 * The keyboard map of the table. Physical keys (`event.code`): letters are elsewhere on a Cyrillic layout.
 * Single keys work only inside the game area, outside of fields, and can be switched off.
 */

/** @import {TableView} from "./table.js" */
import { preferences } from "../preferences.js";
import { toggleSound } from "../shell.js";
import { isMyTurn, mySeat, nameOf, sheetOf } from "../state.js";
import { formatNumber, spellFaces, t, tn } from "../words.js";

/** @type {Record<string, (table: TableView) => void>} */
const KEYS = {
  KeyR: (table) => table.roll(),
  Digit0: (table) => table.holdAll(false),
  Numpad0: (table) => table.holdAll(false),
  KeyH: (table) => table.holdAll(true),
  KeyU: (table) => table.undo(),
  KeyW: (table) => table.confirm(),
  Escape: (table) => table.cancel(),
  KeyN: (table) => table.sheet.focusLegal(1),
  KeyP: (table) => table.sheet.focusLegal(-1),
  KeyL: (table) => table.openMoves(),
  KeyA: (table) => table.announce(),
  KeyD: (table) => table.tell(diceLine(table)),
  KeyS: (table) => table.tell(sumsLine(table)),
  KeyT: (table) => table.tell(turnLine(table)),
  BracketLeft: (table) => peekNext(table, -1),
  BracketRight: (table) => peekNext(table, 1),
  Backspace: (table) => table.peek(null),
  KeyC: (table) => table.chat.toggle(),
  KeyM: () => toggleSound(),
  Slash: (table) => table.openHelp(),
};
/** @type {Record<string, (table: TableView) => void>} */
const SHIFTED = {
  Slash: (table) => table.openHelp(),
  KeyS: (table) => table.openPanel(),
};
/** What is not a single printable key stays when the shortcuts are switched off. */
const ALWAYS = ["Escape"];

/**
 * @param {TableView} table
 * @param {KeyboardEvent} event
 */
export function tableKeys(table, event) {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (target.closest("input, select, textarea, dialog")) return;
  if (!preferences.keys && !ALWAYS.includes(event.code)) return;
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1];
  if (digit) {
    event.preventDefault();
    if (event.shiftKey) table.holdValue(Number(digit));
    else table.hold(Number(digit) - 1);
    return;
  }
  const action = (event.shiftKey ? SHIFTED : KEYS)[event.code];
  if (!action) return;
  event.preventDefault();
  action(table);
}

/** @param {TableView} table */
function diceLine({ turn, choice, model }) {
  if (!turn || turn.dice.length === 0) return t("die.none");
  const hold = isMyTurn(model) ? choice.hold : (model.holding?.hold ?? turn.held);
  const dice = t("say.dice", { dice: spellFaces(turn.dice) });
  if (hold.length === 0) return dice;
  return `${dice} ${t("say.held", { dice: spellFaces(hold.map((position) => turn.dice[position] ?? 0)) })}`;
}

/** @param {TableView} table */
function sumsLine({ model }) {
  const seat = mySeat(model)?.seat ?? model.table?.turn?.seat ?? 0;
  const { sums, total } = sheetOf(model, seat);
  const columns = Object.entries(sums).map(([column, one]) => `${t(`column.${column}`)} ${one.total}`);
  return t("say.sums", { columns: columns.join(", "), total: formatNumber(total) });
}

/** @param {TableView} table */
function turnLine({ turn, model, dock }) {
  if (!turn) return "";
  const who = isMyTurn(model)
    ? t("title.your_turn")
    : t("status.turn_of", { name: nameOf(model, turn.seat) });
  const line = t("say.turn", { who, left: turn.rolls - turn.roll, round: turn.round, rounds: turn.rounds });
  return dock.clock.left === null ? line : `${line} ${tn("clock.left", dock.clock.left)}`;
}

/**
 * @param {TableView} table
 * @param {1 | -1} step
 */
function peekNext(table, step) {
  const count = table.model.table?.seats.length ?? 1;
  const here = table.choice.peek ?? mySeat(table.model)?.seat ?? 0;
  table.peek((here + step + count) % count);
}

/**
 * What the player has chosen on his screen and not yet sent: dice to hold, the armed cell, announce mode,
 * whose sheet he looks at. Pure; what may be chosen comes from the server's legal actions.
 */

/** @import {Cell, Turn} from "./protocol.js" */
/** @import {Model} from "./state.js" */
import { scoreOf } from "./legal.js";
import { isMyTurn, mySeat } from "./state.js";

/**
 * @typedef {object} Choice
 * @property {string} moment the turn, roll and announcement that the armed cell and the mode were chosen for
 * @property {string} holdMoment the turn and roll that the dice were held for
 * @property {number[]} hold
 * @property {Cell | null} armed
 * @property {"fill" | "announce"} mode
 * @property {number | null} peek the seat whose sheet is shown in place of mine
 */

/** @type {Choice} */
export const NOTHING_CHOSEN = Object.freeze({
  moment: "",
  holdMoment: "",
  hold: [],
  armed: null,
  mode: "fill",
  peek: null,
});

/**
 * The choice after the table has changed: what was meant for another turn or roll falls away.
 * @param {Choice} choice
 * @param {Model} model
 * @returns {Choice}
 */
export function follow(choice, model) {
  const turn = model.table?.turn;
  if (!turn) return { ...NOTHING_CHOSEN, peek: choice.peek };
  const holdMoment = `${turn.turn}:${turn.roll}`;
  const moment = `${holdMoment}:${turn.announced?.row ?? ""}`;
  const hold = holdMoment === choice.holdMoment ? choice.hold : turn.held;
  if (moment !== choice.moment)
    return { ...NOTHING_CHOSEN, moment, holdMoment, hold, peek: peekAfter(choice, model) };
  const armed = choice.armed && isOpen(choice, model, choice.armed) ? choice.armed : null;
  return { ...choice, armed, hold };
}

/**
 * My turn brings my own sheet back: nobody should miss it while looking at another's.
 * @param {Choice} choice
 * @param {Model} model
 */
function peekAfter(choice, model) {
  const isMyTurnBeginning = isMyTurn(model) && model.table?.turn?.roll === 0;
  return isMyTurnBeginning ? null : choice.peek;
}

/**
 * Whether the server lists this cell as one that can be filled (or, in announce mode, announced) now.
 * @param {Choice} choice
 * @param {Model} model
 * @param {Cell} cell
 */
export function isOpen(choice, model, cell) {
  const legal = model.table?.turn?.legal;
  if (!legal || !isMyTurn(model)) return false;
  if (choice.mode === "announce") return legal.announce?.[cell.column]?.includes(cell.row) ?? false;
  return scoreOf(legal, cell) !== undefined;
}

/**
 * @param {Choice} choice
 * @param {number} position
 * @param {number} maxHold
 * @returns {Choice}
 */
export function toggleHold(choice, position, maxHold) {
  const isHeld = choice.hold.includes(position);
  if (!isHeld && choice.hold.length >= maxHold) return choice;
  const hold = isHeld ? choice.hold.filter((one) => one !== position) : [...choice.hold, position];
  return { ...choice, hold: hold.sort((a, b) => a - b) };
}

/**
 * All dice showing a value; when they are all held already, none of them.
 * @param {Choice} choice
 * @param {number[]} dice
 * @param {number} value
 * @param {number} maxHold
 * @returns {Choice}
 */
export function toggleValue(choice, dice, value, maxHold) {
  const showing = placesOf(dice, value);
  const others = choice.hold.filter((position) => !showing.includes(position));
  const areAllHeld = showing.every((position) => choice.hold.includes(position));
  const hold = areAllHeld ? others : [...others, ...showing].slice(0, maxHold);
  return { ...choice, hold: hold.sort((a, b) => a - b) };
}

/**
 * Whether these dice and the held ones are more than may be held.
 * @param {Choice} choice
 * @param {number[]} wanted positions
 * @param {number} maxHold
 */
export function areTooMany(choice, wanted, maxHold) {
  return new Set([...choice.hold, ...wanted]).size > maxHold;
}

/**
 * The positions of the dice that show a value.
 * @param {number[]} dice
 * @param {number} value
 */
export function placesOf(dice, value) {
  return dice.flatMap((face, position) => (face === value ? [position] : []));
}

const NUMBER_ROWS = ["ones", "twos", "threes", "fours", "fives", "sixes"];

/**
 * The dice to hold since I have just announced a number row: those that show it. Null where nothing is to be changed.
 * @param {Turn | null} before
 * @param {Model} model
 * @returns {number[] | null}
 */
export function heldForAnnounced(before, model) {
  const turn = model.table?.turn;
  if (!turn || !before || !isMyTurn(model) || !turn.legal.roll.legal) return null;
  const isNew = before.turn === turn.turn && before.roll === turn.roll && !before.announced;
  const face = NUMBER_ROWS.indexOf(turn.announced?.row ?? "") + 1;
  if (!isNew || face === 0) return null;
  const showing = turn.dice.flatMap((one, position) => (one === face ? [position] : []));
  return showing.slice(0, turn.legal.roll.max_hold);
}

/**
 * The seat whose sheet stands in the middle of my screen.
 * @param {Choice} choice
 * @param {Model} model
 */
export function shownSeat(choice, model) {
  return choice.peek ?? mySeat(model)?.seat ?? model.table?.turn?.seat ?? 0;
}

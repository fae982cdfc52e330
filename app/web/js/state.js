/**
 * What this browser knows of the table: one value, changed only by `reduce`.
 * Pure: no socket, no clock, no screen; and no rules, those are the server's.
 */

/** @import {Cell, Emoted, Filled, Holding, PresenceTold, Rolled, Said, ServerMessage, Seat, Sheet, TableState, Turn, Update, Welcome, You} from "./protocol.js" */

import { hearTime } from "./server_clock.js";
import { nameAmong, seatTag } from "./tags.js";

/** What was said at a table while this page was open: nobody keeps it, and it needn't be endless here either. */
const MOST_TALK = 200;

/**
 * @typedef {object} Model
 * @property {string | null} epoch
 * @property {number} version
 * @property {boolean} isBehind an update was missed: ask for it, don't guess
 * @property {You | null} you
 * @property {TableState | null} table
 * @property {Holding | null} holding what the player to move holds just now
 * @property {Rolled | null} lastRoll shown until the next one, also after its turn is over
 * @property {Record<number, Cell>} lastFilled by seat
 * @property {Filled | null} lastEntry
 * @property {PresenceTold | null} presence who is here; null until it was told
 * @property {(Said | Emoted)[]} talk oldest first
 * @property {import("./server_clock.js").Skew} skew
 */

/** @type {Model} */
export const EMPTY = Object.freeze({
  epoch: null,
  version: -1,
  isBehind: false,
  you: null,
  table: null,
  holding: null,
  lastRoll: null,
  lastFilled: {},
  lastEntry: null,
  presence: null,
  talk: [],
  skew: null,
});

/**
 * @param {Model} model
 * @param {ServerMessage} message
 * @param {number | null} [device] what this device's clock says, in ms; null: the server's time isn't learned
 * @returns {Model}
 */
export function reduce(model, message, device = null) {
  const after = reduceMessage(model, message);
  return device === null ? after : { ...after, skew: hearTime(model.skew, message, device) };
}

/**
 * @param {Model} model
 * @param {ServerMessage} message
 * @returns {Model}
 */
function reduceMessage(model, message) {
  switch (message.type) {
    case "welcome":
      return welcomed(model, message);
    case "update":
      return updated(model, message);
    case "holding":
      return { ...model, holding: message };
    case "pong":
      return { ...model, isBehind: message.version > model.version };
    case "presence":
      return { ...model, presence: message };
    case "said":
    case "emoted":
      return withTalk(model, message);
    default:
      return model;
  }
}

/**
 * What was sent again after a reconnect is passed on twice where another worker took it: it is shown once.
 * @param {Model} model
 * @param {Said | Emoted} message
 * @returns {Model}
 */
function withTalk(model, message) {
  const isThere = model.talk.some((one) => one.player === message.player && one.request === message.request);
  return isThere ? model : { ...model, talk: [...model.talk, message].slice(-MOST_TALK) };
}

/**
 * @param {Model} model
 * @param {Welcome} message
 * @returns {Model}
 */
function welcomed(model, message) {
  const { epoch, version, you, state } = message;
  const isSameGame = model.table?.dice_proof?.game === state.dice_proof?.game;
  const kept = isSameGame
    ? { lastRoll: model.lastRoll, lastFilled: model.lastFilled }
    : { lastRoll: null, lastFilled: {} };
  const { presence, talk, skew } = model;
  return { ...EMPTY, ...kept, presence, talk, skew, epoch, version, you, table: state };
}

/** What makes the last entry of its seat no longer the last that was done there. */
const FORGETS_LAST = new Set(["passed", "undone", "emptied", "cleared"]);

/**
 * @param {Model} model
 * @param {Update} message
 * @returns {Model}
 */
function updated(model, message) {
  if (model.table === null || message.version <= model.version) return model;
  if (message.version > model.version + 1) return { ...model, isBehind: true };
  const { type: _type, version, at: _at, events, sheets, ...parts } = message;
  const lastFilled = { ...model.lastFilled };
  let { lastRoll, lastEntry } = model;
  for (const event of events) {
    if (event.type === "rolled") lastRoll = event;
    if (event.type === "filled") {
      lastEntry = event;
      lastFilled[event.seat] = { column: event.column, row: event.row };
    }
    if (FORGETS_LAST.has(event.type) && "seat" in event) delete lastFilled[event.seat];
  }
  if (events.some((event) => event.type === "rematch"))
    return afterRematch(model, version, { ...parts, sheets: [] });
  return {
    ...model,
    version,
    isBehind: false,
    table: { ...model.table, ...parts, sheets: withSheets(model.table.sheets, sheets) },
    holding: isStillMeant(model.holding, parts.turn === undefined ? model.table.turn : parts.turn),
    lastRoll,
    lastFilled,
    lastEntry,
  };
}

/**
 * Another game begins at this table: what belonged to the last one is over.
 * @param {Model} model
 * @param {number} version
 * @param {Partial<TableState>} parts
 * @returns {Model}
 */
function afterRematch(model, version, parts) {
  const { epoch, you, presence, talk, skew } = model;
  const table = { .../** @type {TableState} */ (model.table), ...parts };
  return { ...EMPTY, epoch, version, you, presence, talk, skew, table };
}

/**
 * An update brings only the sheets that changed, each whole; an empty list takes all of them away.
 * @param {Sheet[]} sheets
 * @param {Sheet[] | undefined} changed
 */
function withSheets(sheets, changed) {
  if (changed === undefined) return sheets;
  if (changed.length === 0) return [];
  const bySeat = new Map([...sheets, ...changed].map((sheet) => [sheet.seat, sheet]));
  return [...bySeat.values()].sort((a, b) => a.seat - b.seat);
}

/**
 * @param {Holding | null} holding
 * @param {Turn | null} turn
 */
function isStillMeant(holding, turn) {
  const isSame = holding && turn && holding.turn === turn.turn && holding.roll === turn.roll;
  return isSame ? holding : null;
}

/**
 * @param {Model} model
 * @returns {Seat | null} null for a visitor
 */
export function mySeat(model) {
  return model.table?.seats.find((seat) => seat.player === model.you?.player) ?? null;
}

/** All seats of this player: at an own-dice table one device can hold several. @param {Model} model @returns {Seat[]} */
export function mySeats(model) {
  return model.table?.seats.filter((seat) => seat.player === model.you?.player) ?? [];
}

/** @param {Model} model */
export function isHost(model) {
  return model.you !== null && model.table?.room.host === model.you.player;
}

/** Whether a bot plays on for me since I left; the seat can be taken back. @param {Model} model */
export function hasLeft(model) {
  return mySeat(model)?.left === true;
}

/** Whose turn it is, and for whom nobody else plays. @param {Model} model */
export function isMyTurn(model) {
  const seat = mySeat(model);
  return seat !== null && !seat.left && model.table?.turn?.seat === seat.seat;
}

/** Whether the entry that can be taken back just now is one's own. @param {Model} model */
export function canUndo(model) {
  const turn = model.table?.turn;
  return turn?.legal.undo === true && turn.undo_seat === mySeat(model)?.seat && !hasLeft(model);
}

/**
 * What its player is called here: no two at the table alike.
 * @param {Model} model
 * @param {number} seat
 */
export function nameOf(model, seat) {
  const seats = model.table?.seats ?? [];
  const found = seats.find((one) => one.seat === seat);
  return found ? nameAmong(found, seats, (one) => seatTag(one, seats)) : "";
}

/**
 * The same of who is named with his id: by an event, in the tally, for what he says.
 * @param {Model} model
 * @param {{player: string, name: string}} who
 */
export function nameOfPlayer(model, { player, name }) {
  const seat = model.table?.seats.find((one) => one.player === player && one.name === name);
  return seat ? nameOf(model, seat.seat) : name;
}

/**
 * @param {Model} model
 * @param {number} seat
 * @returns {Sheet}
 */
export function sheetOf(model, seat) {
  return model.table?.sheets.find((one) => one.seat === seat) ?? { seat, total: 0, cells: {}, sums: {} };
}

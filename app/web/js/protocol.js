/**
 * The messages of docs/protocol.md as types, and the commands a player can give.
 * It knows the wire's words and nothing about sockets, screens or the rules.
 */

export const PROTOCOL = 1;

/** @typedef {{column: string, row: string}} Cell */
/** @typedef {Record<string, Record<string, number>>} Scores column, then row, then points */

/** @typedef {{small: number, large: number} | {by_roll: number[], shortest: number}} Straight */
/**
 * @typedef {object} VariantRow
 * @property {string} row
 * @property {"upper" | "middle" | "lower"} section
 * @property {number} [bonus]
 * @property {Straight | null} [straight]
 * @property {string} [counted]
 */
/** @typedef {{column: string, playable: boolean, window?: number[], split?: string, reach?: string, duty?: string}} VariantColumn */
/**
 * @typedef {object} Variant
 * @property {string} id
 * @property {number} dice
 * @property {number} rolls
 * @property {number} last_cell_rolls
 * @property {number} max_hold
 * @property {boolean} auto_fill
 * @property {number} turns
 * @property {VariantRow[]} rows
 * @property {VariantColumn[]} columns
 * @property {{at_least: number, award: number}[]} bonus_steps
 * @property {{formula: string, floor: boolean}} middle
 * @property {string | null} [code] by which it is shared; null for one that ships, and a record has none of these five
 * @property {string} [base] what its columns were chosen from
 * @property {string[]} [choosable] columns that can be chosen
 * @property {Record<string, Record<string, "up" | "down">>} [starts] where columns with several ways to go begin
 * @property {VariantNames | null} [names]
 */
/** @typedef {{title: string, language: string, rows: Record<string, string>, columns: Record<string, string>}} VariantNames */

/** @typedef {{player: string, name: string}} You */
/**
 * @typedef {object} Room
 * @property {string} code
 * @property {"lobby" | "playing" | "finished"} phase
 * @property {string | null} host
 * @property {number} max_seats
 * @property {number} created_at
 * @property {string[]} dropped_columns
 * @property {"off" | "entry"} undo
 * @property {boolean} own_dice
 */
/** @typedef {{seat: number, player: string, name: string, kind: string, ready: boolean, text: string}} Seat */
/** @typedef {{upper: number, bonus: number, middle: number | null, lower: number, total: number}} Sums */
/** @typedef {{seat: number, total: number, cells: Scores, sums: Record<string, Sums>}} Sheet */
/** @typedef {{reason: string | null, rows: string[]}} Closed */
/**
 * @typedef {object} Legal
 * @property {{legal: boolean, max_hold: number, reason: string | null}} roll
 * @property {Record<string, string[]>} announce
 * @property {Scores} fill
 * @property {Record<string, number[]>} counts
 * @property {Record<string, Closed>} closed
 * @property {boolean} undo
 */
/** @typedef {{duty: "must" | "may", cells: Cell[], by: number}} Bound */
/** @typedef {{seat: number, by: number, duty: "must" | "may", column: string, row: string}} Pending */
/**
 * @typedef {object} Turn
 * @property {number} turn
 * @property {number} round
 * @property {number} rounds
 * @property {number} seat
 * @property {number} roll
 * @property {number} rolls
 * @property {number[]} dice
 * @property {number[]} held
 * @property {Cell | null} announced
 * @property {Bound | null} bound
 * @property {Pending[]} pending
 * @property {number | null} undo_seat whose entry can be taken back
 * @property {Legal} legal
 */
/** @typedef {Record<string, string[]>} Rows by column */
/** @typedef {{seat: number, open: Rows, announce: Rows, announced: Cell | null}} OwnSeat */
/** @typedef {{values: Record<string, number[]>, seats: OwnSeat[]}} Own what can be written at an own-dice table */
/** @typedef {{seat: number, place: number, total: number}} Standing */
/** @typedef {{reason: string, game: string, board: string | null, standings: Standing[], started_at: number, ended_at: number}} Result */
/** @typedef {{game: string, commitment: string, secret: string | null}} DiceProof */

/**
 * @typedef {object} TableState
 * @property {Room} room
 * @property {Variant} variant
 * @property {Seat[]} seats
 * @property {DiceProof} dice_proof
 * @property {Sheet[]} sheets
 * @property {Turn | null} turn
 * @property {Own | null} own
 * @property {Result | null} result
 */

/** @typedef {{type: "rolled", seat: number, roll: number, dice: number[], held: number[]}} Rolled */
/** @typedef {{type: "announced", seat: number, column: string, row: string}} Announced */
/** @typedef {{type: "filled", seat: number, column: string, row: string, score: number}} Filled */
/** @typedef {{type: "passed", seat: number}} Passed */
/** @typedef {{type: "undone", seat: number}} Undone */
/** @typedef {{type: "emptied", seat: number, column: string, row: string, score: number}} Emptied */
/** @typedef {{type: "cleared" | "withdrawn", seat: number}} SheetChanged */
/** @typedef {{type: "finished", reason: string}} Finished */
/** @typedef {{type: "joined" | "left", seat: number, player: string, name: string}} Moved */
/** @typedef {{type: "readied", seat: number, ready: boolean}} Readied */
/** @typedef {{type: "settings_changed", variant: string, max_seats: number}} SettingsChanged */
/** @typedef {{type: "started", seats: number}} Started */
/** @typedef {Rolled | Announced | Filled | Passed | Undone | Emptied | SheetChanged | Finished | Moved | Readied | SettingsChanged | Started} GameEvent */

/** @typedef {{type: "welcome", protocol: number, epoch: string, version: number, you: You, state: TableState}} Welcome */
/** @typedef {{type: "update", version: number, at: number, events: GameEvent[]} & Partial<TableState>} Update */
/** @typedef {{type: "ok", request: string, version: number}} Ok */
/**
 * @typedef {object} Refused
 * @property {"refused"} type
 * @property {string | null} request
 * @property {string} code
 * @property {string} sentence
 * @property {boolean} retry
 * @property {{column?: string, rows?: string[]}} [detail]
 */
/** @typedef {{type: "holding", seat: number, turn: number, roll: number, hold: number[]}} Holding */
/** @typedef {{type: "notice", code: string}} Notice */
/** @typedef {{type: "pong", version: number}} Pong */
/** @typedef {Welcome | Update | Ok | Refused | Holding | Notice | Pong} ServerMessage */

/** @typedef {{type: "roll", hold: number[]} | ({type: "announce" | "fill"} & Cell) | {type: "undo"}} Action */
/** @typedef {{type: string, request: string} & Record<string, unknown>} Command */

const REQUEST_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Twenty random letters: unique for the player, which is all that the server asks of a request id. */
export function newRequest() {
  return randomText(20);
}

/** The seat's part of the dice; random, so that nobody can have chosen it to please. */
export function newDiceText() {
  return randomText(24);
}

/** @param {number} length */
function randomText(length) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => REQUEST_LETTERS[byte % REQUEST_LETTERS.length]).join("");
}

/**
 * @param {string | null} [name] for whom, where the player takes a further seat
 * @returns {Command}
 */
export function join(name = null) {
  return { type: "join", request: newRequest(), text: newDiceText(), name };
}

/**
 * @param {number | null} [seat] which of the player's seats
 * @returns {Command}
 */
export function leave(seat = null) {
  return { type: "leave", request: newRequest(), seat };
}

/**
 * @param {boolean} isReady
 * @returns {Command}
 */
export function ready(isReady) {
  return { type: "ready", request: newRequest(), ready: isReady };
}

/** @returns {Command} */
export function start() {
  return { type: "start", request: newRequest() };
}

/**
 * @param {string} variant
 * @param {number} maxSeats
 * @param {string[] | null} [columns] null: those that the variant has anyway
 * @param {{undo?: "off" | "entry", own_dice?: boolean}} [said] what isn't said stays as it was
 * @returns {Command}
 */
export function settings(variant, maxSeats, columns = null, said = {}) {
  return { type: "settings", request: newRequest(), variant, max_seats: maxSeats, columns, ...said };
}

/**
 * @typedef {({type: "fill", score: number, replaces?: number} & Cell) | ({type: "empty", score: number} & Cell)
 *   | ({type: "announce"} & Cell) | {type: "clear" | "withdraw"}} SheetAction
 */

/**
 * What is done on a sheet of an own-dice table.
 * @param {number} seat
 * @param {SheetAction} action
 * @returns {Command}
 */
export function onSheet(seat, action) {
  return { type: "sheet", request: newRequest(), seat, action };
}

/**
 * An action carries the turn and roll it was meant for, so that a late one can't hit the next turn.
 * @param {Turn} turn
 * @param {Action} action
 * @returns {Command}
 */
export function act(turn, action) {
  return { type: "act", request: newRequest(), seat: turn.seat, turn: turn.turn, roll: turn.roll, action };
}

/**
 * The last entry taken back: the one action of the seat that filled last, meant for the turn that is on now.
 * @param {Turn} turn
 * @param {number} seat
 * @returns {Command}
 */
export function undo(turn, seat) {
  return act({ ...turn, seat }, { type: "undo" });
}

/**
 * @param {Turn} turn
 * @param {number[]} hold
 */
export function holding(turn, hold) {
  return { type: "holding", seat: turn.seat, turn: turn.turn, roll: turn.roll, hold };
}

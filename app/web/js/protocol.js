/**
 * The messages of docs/protocol.md as types, and the commands a player can give.
 * It knows the wire's words and nothing about sockets, screens or the rules.
 */

export const PROTOCOL = 2;

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
 * @property {Pace} pace
 * @property {boolean} chat whether the players may write to each other
 * @property {number} games how many have been finished here
 * @property {Tally[]} tally
 * @property {string | null} previous_game the one that this lobby or game followed
 */
/** @typedef {"none" | "relaxed" | "brisk"} Pace how long a turn may take */
/** @typedef {{player: string, name: string, wins: number}} Tally */
/**
 * @typedef {object} Seat
 * @property {number} seat
 * @property {string} player
 * @property {string} name
 * @property {"person" | "bot"} kind
 * @property {boolean} ready
 * @property {string} text
 * @property {"player" | "bot"} played_by
 * @property {boolean} left its player has left for good; a bot plays on under his name
 * @property {boolean} barred he was removed, and can't take it back
 * @property {number} bot_turns in how many turns a bot has acted in his place
 * @property {boolean} kept he keeps this game on his device, off the leaderboards
 * @property {string | null} user_name of his account; null for a guest and for a bot
 */
/** @typedef {{upper: number, bonus: number, middle: number | null, lower: number, total: number}} Sums */
/** @typedef {{seat: number, total: number, cells: Scores, sums: Record<string, Sums>}} Sheet */
/** @typedef {{reason: string | null, rows: string[]}} Closed */
/**
 * @typedef {object} Legal
 * @property {{legal: boolean, max_hold: number, reason: string | null}} roll
 * @property {Record<string, string[]>} announce
 * @property {Record<string, string[]>} open the rows of the cells that can be filled, by column
 * @property {Record<string, number>} scores what the dice give in each row
 * @property {Record<string, number[]>} counted the faces of the dice that count there
 * @property {Record<string, Closed>} closed
 * @property {boolean} undo
 */
/** @typedef {Cell & {by: number}} CalledCell */
/** @typedef {{duty: "must" | "may", cells: CalledCell[], by: number}} Bound */
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
 * @property {number | null} deadline server time in ms when the turn should be over; null: no clock runs
 * @property {Offer | null} offer what the others may choose while the seat to move keeps them waiting
 * @property {boolean} bot a bot plays this turn
 * @property {Legal} legal
 */
/** @typedef {{seat: number, reason: "deadline" | "gone", since: number}} Offer */
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
/** @typedef {{type: "reopened"}} Reopened */
/** @typedef {{type: "joined" | "left", seat: number, player: string, name: string}} Moved */
/** @typedef {{type: "readied", seat: number, ready: boolean}} Readied */
/** @typedef {{type: "settings_changed", variant: string, max_seats: number}} SettingsChanged */
/** @typedef {{type: "started", seats: number}} Started */
/** @typedef {{type: "bot_added", seat: number, name: string}} BotAdded */
/** @typedef {{type: "kicked", seat: number, player: string, name: string}} Kicked */
/** @typedef {{type: "seat_left" | "seat_returned", seat: number}} SeatGiven */
/** @typedef {{type: "host_passed", player: string, name: string}} HostPassed */
/** @typedef {{type: "called_out", seat: number, turn: number, reason: "deadline" | "gone"}} CalledOut */
/** @typedef {{type: "waited" | "bot_chosen", seat: number, turn: number, by: number}} Chosen */
/** @typedef {{type: "chat_set", on: boolean}} ChatSet */
/** @typedef {{type: "rematch", game: string}} RematchMade */
/** @typedef {{type: "postponed", ms: number}} Postponed */
/** @typedef {{type: "kept", seat: number, kept: boolean}} Kept */
/** @typedef {BotAdded | Kicked | SeatGiven | HostPassed | CalledOut | Chosen | ChatSet | RematchMade | Postponed | Kept} RoomEvent */
/** @typedef {Rolled | Announced | Filled | Passed | Undone | Emptied | SheetChanged | Finished | Reopened | Moved | Readied | SettingsChanged | Started | RoomEvent} GameEvent */

/** @typedef {{type: "welcome", protocol: number, epoch: string, version: number, now: number, you: You, state: TableState}} Welcome */
/** @typedef {{type: "update", version: number, at: number, events: GameEvent[]} & Partial<TableState>} Update */
/** @typedef {{type: "ok", request: string, version: number}} Ok */
/**
 * @typedef {object} Refused
 * @property {"refused"} type
 * @property {string | null} request
 * @property {string} code
 * @property {string} sentence
 * @property {boolean} retry
 * @property {{column?: string, rows?: string[], field?: string}} [detail]
 */
/** @typedef {{type: "holding", seat: number, turn: number, roll: number, hold: number[]}} Holding */
/** @typedef {{type: "notice", code: string}} Notice */
/** @typedef {{type: "pong", version: number}} Pong */
/** @typedef {"here" | "away" | "reconnecting" | "gone"} Presence */
/** @typedef {{type: "presence", players: {player: string, name?: string, state: Presence}[], spectators: number}} PresenceTold */
/** @typedef {{type: "said", request: string, player: string, name: string, text: string, at: number}} Said */
/** @typedef {{type: "emoted", request: string, player: string, name: string, emote: string, at: number}} Emoted */
/** @typedef {Welcome | Update | Ok | Refused | Holding | Notice | Pong | PresenceTold | Said | Emoted} ServerMessage */

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
 * @param {string | null} [text] a new text for the dice: a game that follows another needs one
 * @returns {Command}
 */
export function ready(isReady, text = null) {
  const said = text === null ? {} : { text };
  return { type: "ready", request: newRequest(), ready: isReady, ...said };
}

/** @returns {Command} */
export function start() {
  return { type: "start", request: newRequest() };
}

/**
 * @param {string} variant
 * @param {number} maxSeats
 * @param {string[] | null} [columns] null: those that the variant has anyway
 * @param {{undo?: "off" | "entry", own_dice?: boolean, pace?: Pace}} [said] what isn't said stays as it was
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

/** @returns {Command} */
export function addBot() {
  return { type: "add_bot", request: newRequest() };
}

/** @param {number} seat @returns {Command} */
export function kick(seat) {
  return { type: "kick", request: newRequest(), seat };
}

/** The seat is played by its own player again. @param {number} seat @returns {Command} */
export function takeBack(seat) {
  return { type: "return", request: newRequest(), seat };
}

/**
 * What the others do about a player who keeps them waiting.
 * @param {Turn} turn
 * @param {"wait" | "bot"} choice
 * @returns {Command}
 */
export function choose({ seat, turn }, choice) {
  return { type: "choose", request: newRequest(), seat, turn, choice };
}

/** @param {string} game the one that is over @returns {Command} */
export function rematch(game) {
  return { type: "rematch", request: newRequest(), game };
}

/** @param {boolean} on @returns {Command} */
export function setChat(on) {
  return { type: "chat", request: newRequest(), on };
}

/** This game is kept on the own device, off the leaderboards. @param {boolean} isKept @returns {Command} */
export function keep(isKept) {
  return { type: "keep", request: newRequest(), keep: isKept };
}

/** @param {string} text @returns {Command} */
export function sayText(text) {
  return { type: "say", request: newRequest(), text };
}

/** In the order in which they are offered; the words are in the catalogues. */
export const EMOTES = ["hello", "well_played", "lucky", "oops", "thinking", "hurry", "thanks", "bye"];

/** @param {string} name one of `EMOTES` @returns {Command} */
export function emote(name) {
  return { type: "emote", request: newRequest(), emote: name };
}

/** Whether the page is out of sight. @param {boolean} away */
export function presence(away) {
  return { type: "presence", away };
}

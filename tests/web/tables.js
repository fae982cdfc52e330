/** Small tables for the tests: the state of the protocol's example, to be changed as a test needs it. */

import { EMPTY, reduce } from "../../app/web/js/state.js";

/** @typedef {import("../../app/web/js/protocol.js").TableState} TableState */
/** @typedef {import("../../app/web/js/protocol.js").Turn} Turn */

/** @param {Partial<Turn>} [changes] @returns {Turn} */
export function aTurn(changes = {}) {
  return {
    turn: 4,
    round: 2,
    rounds: 48,
    seat: 0,
    roll: 1,
    rolls: 3,
    dice: [6, 6, 1, 3, 6],
    held: [],
    announced: null,
    bound: null,
    pending: [],
    undo_seat: null,
    deadline: null,
    offer: null,
    bot: false,
    legal: {
      roll: { legal: true, max_hold: 5, reason: null },
      announce: { announced: ["sixes", "max"] },
      open: { down: ["twos"], free: ["sixes", "max"] },
      scores: { ones: 1, twos: 0, sixes: 18, max: 22 },
      counted: { ones: [1], sixes: [6, 6, 6], max: [1, 3, 6, 6, 6] },
      closed: {
        down: { reason: "out_of_order", rows: ["twos"] },
        hand: { reason: "only_after_first_roll", rows: [] },
      },
      undo: false,
    },
    ...changes,
  };
}

/** @param {Partial<import("../../app/web/js/protocol.js").Seat>} [changes] */
export function aSeat(changes = {}) {
  return {
    seat: 0,
    player: "p1",
    name: "Lija",
    kind: /** @type {const} */ ("person"),
    ready: true,
    text: "a",
    played_by: /** @type {const} */ ("player"),
    left: false,
    barred: false,
    bot_turns: 0,
    kept: false,
    user_name: null,
    ...changes,
  };
}

/** A room before the start. @param {Partial<TableState>} [changes] @param {Partial<TableState["room"]>} [room] */
export function aLobby(changes = {}, room = {}) {
  const table = aTable({ sheets: [], turn: null, ...changes });
  return { ...table, room: { ...table.room, phase: /** @type {const} */ ("lobby"), ...room } };
}

/** @param {Partial<TableState>} [changes] @returns {TableState} */
export function aTable(changes = {}) {
  return {
    room: {
      code: "KAFANA",
      phase: "playing",
      host: "p1",
      max_seats: 8,
      created_at: 1,
      dropped_columns: [],
      undo: "off",
      own_dice: false,
      pace: "none",
      chat: true,
      games: 0,
      tally: [],
      previous_game: null,
    },
    variant: {
      id: "classic-5x4",
      dice: 5,
      rolls: 3,
      last_cell_rolls: 3,
      max_hold: 5,
      auto_fill: true,
      turns: 48,
      rows: [
        { row: "ones", section: "upper" },
        { row: "twos", section: "upper" },
        { row: "sixes", section: "upper" },
        { row: "max", section: "middle" },
      ],
      columns: [
        { column: "down", playable: true },
        { column: "free", playable: true },
        { column: "announced", playable: true, window: [1] },
        { column: "maximum", playable: false },
      ],
      bonus_steps: [{ at_least: 61, award: 30 }],
      middle: { formula: "times_ones", floor: false },
    },
    seats: [
      aSeat({ player: "p1", name: "Lija", text: "a" }),
      aSeat({ seat: 1, player: "p2", name: "Medo", text: "b" }),
    ],
    dice_proof: { game: "g1", commitment: "c1", secret: null },
    sheets: [
      { seat: 0, total: 3, cells: { down: { ones: 3 }, maximum: { ones: 3 } }, sums: {} },
      { seat: 1, total: 0, cells: {}, sums: {} },
    ],
    turn: aTurn(),
    own: null,
    result: null,
    ...changes,
  };
}

/**
 * What the player p1 (or another) sees of the table.
 * @param {TableState} [state]
 * @param {string} [player]
 */
export function aModel(state = aTable(), player = "p1") {
  const you = { player, name: "Lija" };
  return reduce(EMPTY, { type: "welcome", protocol: 2, epoch: "e1", version: 10, now: 1_000, you, state });
}

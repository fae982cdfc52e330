/**
 * From the wish to keep a game to its record on this device. The server gives a record out soon after the end, and
 * the player may be away by then: what is still to be stored is remembered.
 */

/** @import {GameRecord} from "./api.js" */
/** @import {KeptGame} from "./device_scores.js" */
/** @import {Model} from "./state.js" */
import { getGame, getReplay, knownMe, Problem } from "./api.js";
import { addReplay, DeviceRefusal, deviceGame, keepOnDevice, removeFromDevice } from "./device_store.js";
import { mySeat } from "./state.js";

/** @typedef {{game: string, player: string, since: number}} Pending a game that is kept here and not yet stored */
/** @typedef {{pending: Pending[], removed: string[]}} Notes `removed`: taken off this device, and not to come back */

const KEY = "yamb.keeping";

/** How long a record is waited for after the end of its game, in steps. */
const WAITS_MS = [300, 700, 1_500, 3_000, 6_000, 12_000];
/** After so long a game that has no record was never finished. */
const GIVEN_UP_MS = 60 * 24 * 3_600_000;
const MOST_REMOVED = 100;
/** Not asked for again as long as the same room is open. @type {Set<string>} */
const asked = new Set();
/** What was noted last, so that nothing is done at every move. */
let noted = "";

/** What this browser has to remember of a table: whether the game there is to be kept. @param {Model} model */
export function noteWish(model) {
  const { table, you } = model;
  const seat = mySeat(model);
  if (!table || !you || !seat || table.room.own_dice) return;
  const { game } = table.dice_proof;
  const wish = `${game} ${seat.kept}`;
  if (wish === noted || table.result) return;
  noted = wish;
  if (seat.kept)
    change(({ pending, removed }) => ({
      pending: [...without(pending, game), { game, player: you.player, since: Date.now() }],
      removed,
    }));
  else forget(game);
  void storePending(game);
}

/**
 * Games that ended while their player was away; from a page that shows them all of them, however often it was tried.
 * @param {string | null} [open] the one that may still be on
 */
export async function storePending(open = null) {
  const due = notes().pending.filter(({ game }) => game !== open && (open === null || !asked.has(game)));
  for (const { game } of due) asked.add(game);
  for (const { game, player, since } of due) {
    try {
      await storeGame(game, player);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof DeviceRefusal)) throw error;
      const isGone = error instanceof Problem && error.status === 404;
      if (isGone && Date.now() - since > GIVEN_UP_MS) forget(game);
    }
  }
}

/**
 * The same for a game that has just ended: its record may be a moment late. Throws Problem, DeviceRefusal.
 * @param {string} game
 * @param {string} player
 */
export async function storeSoon(game, player) {
  for (const wait of WAITS_MS) {
    await new Promise((go) => setTimeout(go, wait));
    try {
      return await storeGame(game, player);
    } catch (error) {
      if (!isLate(error)) throw error;
    }
  }
  return storeGame(game, player);
}

/**
 * Stores the game's record where that player kept it. Throws Problem, DeviceRefusal.
 * @param {string} game
 * @param {string} player
 * @param {GameRecord | null} [known]
 */
export async function storeGame(game, player, known = null) {
  const record = known ?? (await getGame(game));
  const seat = keptSeat(record, player);
  if (seat !== null) await keepOnDevice([{ seat, record, replay: await replayIfThere(game) }]);
  change(({ pending, removed }) => ({
    pending: without(pending, game),
    removed: removed.filter((one) => one !== game),
  }));
}

/**
 * The steps of a kept game take the rules, which only the server has: they are stored with the game, so that it can
 * be replayed without the server. What came by a file has none, and gets them here. Throws Problem, DeviceRefusal.
 * @param {KeptGame} kept
 */
export async function replayOfKept({ record, replay = null }) {
  if (replay) return replay;
  const made = await getReplay(record.id);
  await addReplay(record.id, made);
  return made;
}

/** The record is what counts: a replay that doesn't come now is asked for when it is wanted. @param {string} game */
function replayIfThere(game) {
  return getReplay(game).catch(() => null);
}

/** @param {string} game */
export async function isOnDevice(game) {
  return (await deviceGame(game)) !== undefined;
}

/** Whether its player took it off this device, and it isn't to come back by itself. @param {string} game */
export function isRemoved(game) {
  return notes().removed.includes(game);
}

/** @param {string} game */
export async function remove(game) {
  await removeFromDevice(game);
  change(({ pending, removed }) => ({ pending, removed: [...removed, game].slice(-MOST_REMOVED) }));
}

/** Who looks at the record, where he kept the game. @param {GameRecord} record @returns {Promise<string | null>} */
export async function keeperOf(record) {
  if (!record.seats.some((one) => one.kept)) return null;
  const me = await knownMe().catch(() => null);
  return me !== null && keptSeat(record, me.player) !== null ? me.player : null;
}

/**
 * @param {GameRecord} record
 * @param {string} player
 */
function keptSeat({ seats }, player) {
  return seats.find((one) => one.player === player && one.kept)?.seat ?? null;
}

/** @param {unknown} error */
function isLate(error) {
  return error instanceof Problem && [0, 404, 429, 502, 503, 504].includes(error.status);
}

/** @param {string} game */
function forget(game) {
  change(({ pending, removed }) => ({ pending: without(pending, game), removed }));
}

/**
 * @param {Pending[]} pending
 * @param {string} game
 */
function without(pending, game) {
  return pending.filter((one) => one.game !== game);
}

/** Read anew each time: other tabs note theirs. @returns {Notes} */
function notes() {
  try {
    return { pending: [], removed: [], ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { pending: [], removed: [] };
  }
}

/** @param {(notes: Notes) => Notes} how */
function change(how) {
  try {
    localStorage.setItem(KEY, JSON.stringify(how(notes())));
  } catch {
    // Where nothing can be stored nothing is kept either, and the switch says so.
  }
}

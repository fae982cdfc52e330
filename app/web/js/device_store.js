/**
 * The finished games that are kept on this device, in the browser's own database: each record whole, and what the
 * list needs of it. Nothing here is ever dropped by itself; what can't be done is a `DeviceRefusal`.
 */

/** @import {KeptGame, Score} from "./device_scores.js" */
import { scoreOf } from "./device_scores.js";

const NAME = "yamb";
const VERSION = 1;
const SCORES = "scores";
const GAMES = "games";
/** Some browsers never answer when they won't store anything. */
const PATIENCE_MS = 5_000;

/** The browser stores nothing for this page, or no more. */
export class DeviceRefusal extends Error {}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** Whether anything can be stored here; asks the browser not to tidy it away. */
export async function canStore() {
  try {
    await open();
  } catch {
    return false;
  }
  navigator.storage?.persist?.().catch(() => false);
  return true;
}

/**
 * All of them, or none; a game that is here already stays as it is.
 * @param {KeptGame[]} games
 * @returns {Promise<number>} how many were new
 */
export async function keepOnDevice(games) {
  let added = 0;
  return run("readwrite", ({ store }) => {
    for (const kept of games) {
      const known = store(SCORES).getKey(kept.record.id);
      known.onsuccess = () => {
        if (known.result !== undefined) return;
        added += 1;
        store(SCORES).put(scoreOf(kept));
        store(GAMES).put({ id: kept.record.id, ...kept });
      };
    }
    return () => added;
  });
}

/** @returns {Promise<Score[]>} */
export function deviceScores() {
  return run("readonly", ({ store }) => answerOf(store(SCORES).getAll()));
}

/** @returns {Promise<KeptGame[]>} */
export function deviceGames() {
  return run("readonly", ({ store }) => answerOf(store(GAMES).getAll()));
}

/**
 * @param {string} id
 * @returns {Promise<KeptGame | undefined>}
 */
export function deviceGame(id) {
  return run("readonly", ({ store }) => answerOf(store(GAMES).get(id)));
}

/**
 * Puts the replay with its game, where that is kept here.
 * @param {string} id
 * @param {import("./replay.js").Replay} replay
 */
export function addReplay(id, replay) {
  return run("readwrite", ({ store }) => {
    const known = store(GAMES).get(id);
    known.onsuccess = () => known.result && store(GAMES).put({ ...known.result, replay });
    return () => {};
  });
}

/** @param {string} id */
export function removeFromDevice(id) {
  return run("readwrite", ({ store }) => {
    store(SCORES).delete(id);
    store(GAMES).delete(id);
    return () => {};
  });
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {() => T}
 */
function answerOf(request) {
  return () => request.result;
}

/**
 * One transaction over both stores: done once it is completed.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(transaction: {store: (name: string) => IDBObjectStore}) => () => T} work says how to read the answer then
 * @returns {Promise<T>}
 */
async function run(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const fail = (/** @type {unknown} */ error) => reject(new DeviceRefusal(String(error)));
    try {
      const transaction = database.transaction([SCORES, GAMES], mode, { durability: "strict" });
      const answer = work({ store: (name) => transaction.objectStore(name) });
      transaction.oncomplete = () => resolve(answer());
      transaction.onabort = () => fail(transaction.error);
    } catch (error) {
      opened = null;
      fail(error);
    }
  });
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  opened ??= Promise.race([openDatabase(), refusalAfter(PATIENCE_MS)]).catch((error) => {
    opened = null;
    throw new DeviceRefusal(String(error));
  });
  return opened;
}

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const name of [SCORES, GAMES]) request.result.createObjectStore(name, { keyPath: "id" });
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // A newer page in another tab goes first; this one opens again when it needs to.
      database.onversionchange = () => database.close();
      database.onclose = () => {
        opened = null;
      };
      resolve(database);
    };
  });
}

/**
 * @param {number} ms
 * @returns {Promise<never>}
 */
function refusalAfter(ms) {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new Error("no answer")), ms));
}

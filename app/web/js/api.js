/**
 * The REST side of docs/protocol.md. Every answer is data or a `Problem`; nothing here touches the screen.
 */

/** @import {Draft} from "./variant_draft.js" */
/** @import {Replay} from "./replay.js" */
/** @import {Variant, You, Sheet, Standing, GameEvent} from "./protocol.js" */

/** @typedef {{code: string, phase: "lobby" | "playing" | "finished", variant: unknown, max_seats: number}} RoomSummary */
/**
 * @typedef {object} GameRecord
 * @property {string} id
 * @property {string} board the leaderboard it stands on
 * @property {Variant} variant
 * @property {{seat: number, player: string, name: string, ended?: string, kept?: boolean, tag?: string | null, user_name?: string | null}[]} seats
 *   `tag` and `user_name` as on leaderboards; records that were kept on a device before lack them
 * @property {Standing[]} standings
 * @property {Sheet[]} sheets
 * @property {number} started_at
 * @property {number} ended_at
 * @property {string} reason
 * @property {GameEvent[]} log
 * @property {{secret: string, commitment: string, texts: string[], game: string}} proof
 */
/** @typedef {{now: number, now_share: number, attainable: number, attainable_share: number}} PanelPoints */
/** @typedef {"upper" | "middle" | "lower" | "total"} PanelPart */
/** @typedef {Record<PanelPart, PanelPoints> & {seat: number, perfect: Record<PanelPart, number>}} SeatPanel */
/** @typedef {{version: number, panels: SeatPanel[]}} ScorePanels */

import { newRequest } from "./protocol.js";

const LIMIT_MS = 10_000;
const SEND_AGAIN_MS = 1_000;
const MOST_TRIES = 3;

/** An answer that is not what was asked for; `status` 0 when no answer came at all. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {{field: string, sentence: string}[]} [errors] the fields that can't be used
   * @param {number} [wait] the seconds after which the same may succeed
   */
  constructor(status, code, detail, errors = [], wait = 0) {
    super(detail || code || String(status));
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.wait = wait;
  }
}

/**
 * Who is signed in here: `tag` tells guests of one name apart, `user_name` is that of an account.
 * @typedef {You & {tag: string | null, user_name: string | null}} Me
 */

/** @returns {Promise<Me | null>} null when nobody is signed in here yet */
export function getMe() {
  return request("GET", "/api/me");
}

/**
 * The same, asked once for all that only show it. Forgotten with whatever may change it: a request from here that
 * isn't just reading, and another tab in which one has been.
 * @type {Promise<Me | null> | null}
 */
let known = null;

/** @returns {Promise<Me | null>} */
export function knownMe() {
  known ??= getMe();
  known.catch(forgetMe);
  return known;
}

export function forgetMe() {
  known = null;
}

globalThis.document?.addEventListener("visibilitychange", forgetMe);

/** Whether this browser has shown that it keeps no cookie: each further try would make one more guest. */
let areCookiesBlocked = false;

/**
 * The player of this browser under that name: a new guest, or the old one renamed.
 * @param {string} name
 * @returns {Promise<Me>}
 */
export async function playAs(name) {
  const me = await getMe();
  if (me === null) return becomeGuest(name);
  return me.name === name ? me : request("PATCH", "/api/me", { name });
}

/** @param {string} name */
async function becomeGuest(name) {
  if (!areCookiesBlocked) {
    const guest = await request("POST", "/api/guests", { name });
    areCookiesBlocked = (await getMe()) === null;
    if (!areCookiesBlocked) return guest;
  }
  throw new Problem(401, "cookies_blocked", "");
}

/** Whether the server answers at all; asked where sockets don't open. */
export function isServerThere() {
  return fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(LIMIT_MS) }).then(
    (response) => response.ok,
    () => false,
  );
}

/** @returns {Promise<Variant[]>} */
export async function getVariants() {
  const answer = await request("GET", "/api/variants");
  return Array.isArray(answer) ? answer : answer.variants;
}

/**
 * @param {string} name an id or a code, as somebody typed it
 * @returns {Promise<Variant | null>} null when there is none
 */
export async function findVariant(name) {
  try {
    return await request("GET", `/api/variants/${encodeURIComponent(name)}`);
  } catch (problem) {
    if (problem instanceof Problem && [404, 422].includes(problem.status)) return null;
    throw problem;
  }
}

/**
 * The variant that the parameters make; nothing is kept.
 * @param {Draft} draft
 * @returns {Promise<Variant>}
 */
export function previewVariant(draft) {
  return request("POST", "/api/variants/preview", draft);
}

/**
 * The same, kept so that others find it.
 * @param {Draft} draft
 * @returns {Promise<Variant>}
 */
export function makeVariant(draft) {
  return request("POST", "/api/variants", draft);
}

/**
 * A new room. Where no answer came, it may be there: asked for again by the same request it is still one room.
 * @param {string} variant
 * @param {number} maxSeats
 * @param {{columns?: string[] | null, own_dice?: boolean}} [choice] columns chosen among those of the variant;
 *   whether the players roll real dice
 * @returns {Promise<{code: string}>}
 */
export async function makeRoom(variant, maxSeats, choice = {}) {
  const wanted = { variant, max_seats: maxSeats, request: newRequest(), ...choice };
  for (let tries = 1; ; tries += 1) {
    try {
      return await request("POST", "/api/rooms", wanted);
    } catch (problem) {
      const isWorthRepeating = problem instanceof Problem && [0, 503].includes(problem.status);
      if (!isWorthRepeating || tries >= MOST_TRIES) throw problem;
      await new Promise((go) => setTimeout(go, SEND_AGAIN_MS));
    }
  }
}

/**
 * What these dice give in each row of a room's sheets.
 * @param {string} code
 * @param {number[]} dice
 * @returns {Promise<{rows: Record<string, number[]>}>}
 */
export function getValues(code, dice) {
  return request("GET", `/api/rooms/${encodeURIComponent(code)}/values?dice=${dice.join()}`);
}

/**
 * @param {string} code
 * @returns {Promise<RoomSummary | null>} null when no room has that code
 */
export async function findRoom(code) {
  try {
    return await request("GET", `/api/rooms/${encodeURIComponent(code)}`);
  } catch (problem) {
    if (problem instanceof Problem && [404, 410, 422].includes(problem.status)) return null;
    throw problem;
  }
}

/**
 * @param {string} code
 * @returns {Promise<ScorePanels>}
 */
export function getPanels(code) {
  return request("GET", `/api/rooms/${encodeURIComponent(code)}/panel`);
}

/** @param {string} code */
export function qrAddress(code) {
  return `/api/rooms/${encodeURIComponent(code)}/qr.svg`;
}

/** @param {string} id */
export function gameAddress(id) {
  return `/api/games/${encodeURIComponent(id)}`;
}

/**
 * @param {string} id
 * @returns {Promise<GameRecord>}
 */
export function getGame(id) {
  return request("GET", gameAddress(id));
}

/**
 * A recorded game step by step.
 * @param {string} id
 * @returns {Promise<Replay>}
 */
export function getReplay(id) {
  return request("GET", `${gameAddress(id)}/replay`);
}

/**
 * The game with real dice that has just ended in a room: it is recorded nowhere.
 * @param {string} code
 * @returns {Promise<Replay>}
 */
export function getRoomReplay(code) {
  return request("GET", `/api/rooms/${encodeURIComponent(code)}/replay`);
}

/**
 * @param {string} method
 * @param {string} address
 * @param {object} [body]
 */
export async function request(method, address, body) {
  /** @type {RequestInit} */
  const options = { method, headers: { accept: "application/json" }, signal: AbortSignal.timeout(LIMIT_MS) };
  if (body) {
    options.body = JSON.stringify(body);
    options.headers = { ...options.headers, "content-type": "application/json" };
  }
  const response = await fetch(address, options).catch(() => {
    throw new Problem(0, "network", "");
  });
  const answer = await response.json().catch(() => ({}));
  if (method !== "GET" || response.status === 401) forgetMe();
  if (response.ok) return answer;
  const wait = Number(response.headers.get("retry-after")) || 0;
  throw new Problem(
    response.status,
    String(answer.code ?? ""),
    String(answer.detail ?? ""),
    answer.errors,
    wait,
  );
}

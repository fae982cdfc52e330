/**
 * One room's socket: it stays connected, notices when it isn't, and never sends a command twice as two.
 * It owns the wire's timing (docs/protocol.md) and knows nothing of what a command means.
 */

/** @import {Command, ServerMessage} from "./protocol.js" */
import { PROTOCOL, presence } from "./protocol.js";

export const PING_EVERY_MS = 5_000;
export const ANSWER_LIMIT_MS = 10_000;
export const WAKE_LIMIT_MS = 1_500;
const BACK_OFF_MS = { least: 250, most: 10_000 };
const SEND_AGAIN_MS = 1_000;
/** A command that the server can't even answer must not keep the table from playing on. */
const MOST_TRIES = 6;
/** Where the network lets no sockets through, a new attempt seldom helps. */
export const BLOCKED_WAIT_MS = 30_000;
/** So many openings in a row failed while the server answered otherwise: it isn't the server. */
const MOST_FAILED_OPENINGS = 3;
/** Coming back can't help after these; every other close is followed by a new attempt. */
export const FINAL_CLOSES = [4400, 4401, 4403, 4404, 4410, 4413];

/**
 * `blocked`: lost, and the network lets no sockets through; `outdated`: ended, the server speaks another protocol.
 * @typedef {"connecting" | "live" | "lost" | "blocked" | "closed" | "outdated"} Status
 */
/** After these only a new page helps. @type {Status[]} */
const ENDED = ["closed", "outdated"];
/** Between two sockets. @type {Status[]} */
const AWAY = ["lost", "blocked"];

/**
 * @typedef {object} Listener
 * @property {() => {epoch: string | null, version: number, isBehind: boolean}} seen what the client has of the table
 * @property {(message: ServerMessage) => void} onMessage
 * @property {(status: Status, code: number | null) => void} onStatus
 * @property {() => boolean} [isAway] whether the page is out of sight
 * @property {() => Promise<boolean>} [isServerThere] whether the server answers without a socket; never rejects
 */
/**
 * What the connection needs from the outside; tests bring their own.
 * @typedef {object} Surroundings
 * @property {(address: string) => WebSocket} open
 * @property {(action: () => void, ms: number) => number} later
 * @property {(timer: number) => void} forget
 * @property {() => number} now
 * @property {() => number} chance from 0 to 1
 */

/** @type {Surroundings} */
const BROWSER = {
  open: (address) => new WebSocket(address),
  later: (action, ms) => setTimeout(action, ms),
  forget: (timer) => clearTimeout(timer),
  now: () => performance.now(),
  chance: Math.random,
};

/** The wait before the nth attempt in a row, with full jitter so that a restarted server isn't stormed. */
export function backOff(/** @type {number} */ attempt, /** @type {number} */ chance) {
  const ceiling = Math.min(BACK_OFF_MS.most, BACK_OFF_MS.least * 2 ** attempt);
  return BACK_OFF_MS.least + chance * Math.max(0, ceiling - BACK_OFF_MS.least);
}

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Command | null} the one command without an answer yet */
  #outstanding = null;
  /** @type {Status} */
  #status = "connecting";
  #attempt = 0;
  /** Openings in a row that failed although the server answered. */
  #failedOpenings = 0;
  #hasOpened = false;
  /** How often the outstanding command has been sent. */
  #tries = 0;
  /** Since when an answer is due; null while none is. Timers of hidden pages are late, so it isn't the last word's age. */
  /** @type {number | null} */
  #askedAt = null;
  /** @type {Record<string, number>} */
  #timers = {};

  /**
   * @param {string} address
   * @param {Listener} listener
   * @param {Surroundings} surroundings
   */
  constructor(address, listener, surroundings = BROWSER) {
    this.address = address;
    this.listener = listener;
    this.around = surroundings;
  }

  connect() {
    this.#drop();
    if (!AWAY.includes(this.#status)) this.#setStatus("connecting");
    const socket = this.around.open(this.address);
    this.#socket = socket;
    this.#hasOpened = false;
    this.#askedAt = this.around.now();
    socket.onopen = () => this.#greet();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#lose(event.code);
    this.#beat();
  }

  /** For good: the player has left the page. */
  close() {
    this.#status = "closed";
    this.#outstanding = null;
    this.#drop();
  }

  isBusy() {
    return this.#outstanding !== null;
  }

  isLive() {
    return this.#status === "live";
  }

  /** Whether the answer of a command is on its way. */
  isAnswerDue() {
    return this.#status === "live" && this.#outstanding !== null;
  }

  /** Whether a command would go out now. */
  isFree() {
    return this.#status === "live" && this.#outstanding === null;
  }

  /**
   * Sends a command, now or after the next resync.
   * @param {Command} command
   * @returns {boolean} false while another command waits for its answer
   */
  command(command) {
    if (this.#outstanding !== null || ENDED.includes(this.#status)) return false;
    this.#outstanding = command;
    this.#tries = 0;
    this.#repeat();
    return true;
  }

  /**
   * Without an answer and not repeated: lost when the socket is.
   * @param {object} message
   */
  send(message) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** The network or the page has come back: find out at once whether the socket is still good. */
  wake() {
    if (ENDED.includes(this.#status)) return;
    if (AWAY.includes(this.#status)) {
      this.#attempt = 0;
      this.connect();
      return;
    }
    this.#ping();
    this.#schedule("wake", WAKE_LIMIT_MS, () => {
      if (this.#askedAt !== null) this.#lose(null, 0);
    });
  }

  #greet() {
    this.#hasOpened = true;
    this.#failedOpenings = 0;
    const { epoch, version } = this.listener.seen();
    const seen = epoch === null ? {} : { epoch, version };
    this.send({ type: "hello", protocol: PROTOCOL, ...seen });
    // After missing updates no welcome follows; the pong's version tells that nothing is missing any more.
    if (epoch !== null) this.#ping();
    if (this.listener.isAway?.()) this.tellPresence();
  }

  /** At once when the page hides or shows; a ping says the same every few seconds. */
  tellPresence() {
    this.send(presence(this.listener.isAway?.() ?? false));
  }

  /** @param {string} text */
  #receive(text) {
    this.#askedAt = null;
    /** @type {ServerMessage} */
    const message = JSON.parse(text);
    if (isOtherProtocol(message)) return this.#end("outdated", null);
    const before = this.listener.seen();
    this.listener.onMessage(message);
    const after = this.listener.seen();
    const isSynced =
      message.type === "welcome" ||
      ((message.type === "pong" || message.type === "update") && after.epoch !== null && !after.isBehind);
    if (message.type === "update" && after.isBehind && !before.isBehind) this.#ping();
    if (message.type === "pong" && after.isBehind && after.version === before.version)
      this.#askAgain(after.version);
    if (isSynced && this.#status !== "live" && (message.type !== "update" || before.isBehind)) this.#live();
    if (message.type === "ok" || message.type === "refused") this.#answered(message);
  }

  /**
   * The pong promises updates; when none come, a new hello brings a snapshot.
   * @param {number} version
   */
  #askAgain(version) {
    this.#schedule("gap", ANSWER_LIMIT_MS / 2, () => {
      const seen = this.listener.seen();
      if (seen.isBehind && seen.version === version) this.connect();
    });
  }

  /** @param {{type: string, request?: string | null, code?: string}} answer */
  #answered(answer) {
    if (this.#outstanding === null || answer.request !== this.#outstanding.request) return;
    const isWorthRepeating = answer.type === "refused" && answer.code === "unavailable";
    if (!isWorthRepeating) this.#outstanding = null;
    else this.#schedule("again", SEND_AGAIN_MS, () => this.#repeat());
  }

  #repeat() {
    if (this.#outstanding === null || this.#status !== "live") return;
    this.#tries += 1;
    if (this.#tries <= MOST_TRIES) this.send(this.#outstanding);
    else this.#giveUp(this.#outstanding.request);
  }

  /** @param {string} request */
  #giveUp(request) {
    this.#outstanding = null;
    const sentence = "no answer after several tries";
    this.listener.onMessage({ type: "refused", request, code: "unavailable", sentence, retry: true });
  }

  #live() {
    this.#attempt = 0;
    this.#setStatus("live");
    this.#repeat();
  }

  /** Pings for ever while the socket lives; silence for too long means that it doesn't. */
  #beat() {
    this.#schedule("beat", PING_EVERY_MS, () => {
      if (this.#askedAt !== null && this.around.now() - this.#askedAt >= ANSWER_LIMIT_MS) {
        this.#lose(null, 0);
        return;
      }
      this.#ping();
      this.#beat();
    });
  }

  #ping() {
    const { version } = this.listener.seen();
    if (version < 0) return;
    this.#askedAt ??= this.around.now();
    this.send({ type: "ping", version, ...(this.listener.isAway?.() && { away: true }) });
  }

  /**
   * @param {number | null} code
   * @param {number} [wait] for a socket that died in silence the new attempt needs no patience
   */
  #lose(code, wait) {
    if (code !== null && FINAL_CLOSES.includes(code)) return this.#end("closed", code);
    this.#drop();
    const isBlocked = this.#status === "blocked" && !this.#hasOpened;
    if (!isBlocked) this.#setStatus("lost", code);
    const delay = wait ?? backOff(this.#attempt, this.around.chance());
    this.#attempt += 1;
    this.#schedule("retry", isBlocked ? BLOCKED_WAIT_MS : delay, () => this.connect());
    if (!this.#hasOpened) void this.#findOutWhy();
  }

  /** A server that is away refuses everything; a network that knows no sockets refuses only those. */
  async #findOutWhy() {
    const isThere = (await this.listener.isServerThere?.()) ?? false;
    this.#failedOpenings = isThere ? this.#failedOpenings + 1 : 0;
    // The answer may come while the next socket is being opened: what becomes of that one says more.
    if (this.#socket !== null || !AWAY.includes(this.#status)) return;
    if (this.#failedOpenings >= MOST_FAILED_OPENINGS && this.#status === "lost") {
      this.#setStatus("blocked");
      this.#schedule("retry", BLOCKED_WAIT_MS, () => this.connect());
    } else if (!isThere) this.#setStatus("lost");
  }

  /**
   * @param {Status} status
   * @param {number | null} code
   */
  #end(status, code) {
    this.#drop();
    this.#outstanding = null;
    this.#setStatus(status, code);
  }

  #drop() {
    for (const timer of Object.values(this.#timers)) this.around.forget(timer);
    this.#timers = {};
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  /**
   * @param {string} name one timer under each name
   * @param {number} ms
   * @param {() => void} action
   */
  #schedule(name, ms, action) {
    const old = this.#timers[name];
    if (old !== undefined) this.around.forget(old);
    this.#timers[name] = this.around.later(action, ms);
  }

  /**
   * @param {Status} status
   * @param {number | null} [code]
   */
  #setStatus(status, code = null) {
    if (status === this.#status && code === null) return;
    this.#status = status;
    this.listener.onStatus(status, code);
  }
}

/** The answer to a hello of another protocol. @param {ServerMessage} message */
function isOtherProtocol(message) {
  return (
    message.type === "refused" &&
    message.code === "malformed" &&
    message.request === null &&
    message.detail?.field === "protocol"
  );
}

/**
 * What is pressed while the answer of a command is still on its way: it goes out after that answer, in the order it was
 * pressed, if it is still meant then. Pure: it knows the line only by two questions and a way to send.
 */

/** @import {Command} from "./protocol.js" */

/** More than a hand presses between a command and its answer. */
const MOST = 8;

export class EarlyPresses {
  /** @type {(() => Command | null)[]} */
  #waiting = [];

  /** @param {{command: (command: Command) => boolean, isReady: () => boolean, isLive: () => boolean}} line */
  constructor(line) {
    this.line = line;
  }

  /**
   * @param {() => Command | null} make asked when its turn comes; null when it is no longer meant
   * @returns {boolean} false when there is no connection, and nothing will come of it
   */
  give(make) {
    const isLive = this.line.isLive();
    if (isLive && this.#waiting.length < MOST) this.#waiting.push(make);
    this.send();
    return isLive;
  }

  /** After every message and every change of the connection. */
  send() {
    if (!this.line.isLive()) this.#waiting = [];
    while (this.line.isReady()) {
      const make = this.#waiting.shift();
      if (!make) return;
      const command = make();
      if (command) this.line.command(command);
    }
  }
}

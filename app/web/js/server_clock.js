/**
 * The server's time, as well as this browser can know it: deadlines are the server's, and a device's clock is often wrong.
 * Pure: what the device's clock says is passed in.
 */

/** How far the server's clock is ahead of the device's, in ms; null until the server has told its time. */
/** @typedef {number | null} Skew */

/**
 * A `welcome` tells the time as it is, an `update` the time of its commit, which may be long past. Every message is late by
 * its way, so of several the one that is least late is the best.
 * @param {Skew} skew
 * @param {{type: string, now?: number, at?: number}} message
 * @param {number} device
 * @returns {Skew}
 */
export function hearTime(skew, message, device) {
  if (message.type === "welcome" && message.now !== undefined) return message.now - device;
  if (message.type !== "update" || message.at === undefined) return skew;
  return skew === null ? message.at - device : Math.max(skew, message.at - device);
}

/**
 * @param {number} deadline
 * @param {Skew} skew
 * @param {number} device
 * @returns {number} whole seconds, never below 0
 */
export function secondsLeft(deadline, skew, device) {
  return Math.max(0, Math.ceil((deadline - device - (skew ?? 0)) / 1000));
}

/** "1:05" @param {number} seconds */
export function clockText(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

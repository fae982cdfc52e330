/**
 * Short sounds made on the spot, no files. Never the only channel: everything heard is also seen and said.
 */

import { preferences } from "./preferences.js";

/** @typedef {{from: number, to?: number, at: number, long: number, shape?: OscillatorType, loud?: number}} Note */
/** @typedef {"hold" | "roll" | "write" | "zero" | "announce" | "turn" | "clock" | "yamb" | "error"} Sound */

/** @type {Record<Sound, Note[]>} */
const NOTES = {
  hold: [{ from: 900, at: 0, long: 0.03, shape: "square", loud: 0.05 }],
  roll: [0, 0.06, 0.11, 0.19, 0.24].map((at, turn) => ({
    from: 240 - 22 * turn,
    to: 90,
    at,
    long: 0.05,
    shape: "triangle",
  })),
  write: [
    { from: 523, at: 0, long: 0.09 },
    { from: 659, at: 0.09, long: 0.12 },
  ],
  zero: [{ from: 220, to: 140, at: 0, long: 0.22, shape: "triangle" }],
  announce: [
    { from: 392, at: 0, long: 0.16, shape: "sawtooth", loud: 0.07 },
    { from: 523, at: 0.18, long: 0.16, shape: "sawtooth", loud: 0.07 },
    { from: 659, at: 0.36, long: 0.3, shape: "sawtooth", loud: 0.07 },
  ],
  turn: [
    { from: 784, at: 0, long: 0.12 },
    { from: 1047, at: 0.14, long: 0.2 },
  ],
  clock: [0, 0.22].map((at) => ({ from: 660, at, long: 0.1, shape: "triangle" })),
  yamb: [523, 659, 784, 1047].map((from, step) => ({ from, at: step * 0.1, long: 0.2 })),
  error: [{ from: 160, at: 0, long: 0.15, shape: "square", loud: 0.04 }],
};

/** @type {AudioContext | null} */
let audio = null;

/** Browsers let a page sound only after a tap: call this in one. */
export function unlockSounds() {
  if (!preferences.sound || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
}

/** @param {Sound} sound */
export function play(sound) {
  if (!preferences.sound || audio === null || audio.state !== "running") return;
  for (const note of NOTES[sound]) playNote(audio, note);
}

/**
 * @param {AudioContext} context
 * @param {Note} note
 */
function playNote(context, note) {
  const start = context.currentTime + note.at;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = note.shape ?? "sine";
  tone.frequency.setValueAtTime(note.from, start);
  if (note.to) tone.frequency.exponentialRampToValueAtTime(note.to, start + note.long);
  volume.gain.setValueAtTime(note.loud ?? 0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + note.long);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + note.long);
}

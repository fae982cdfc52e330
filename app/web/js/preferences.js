/**
 * What this device remembers: language, theme, sound, keys, the name, the open room. Nothing of a game.
 */

const KEY = "yamb.preferences";

/** @typedef {"short" | "normal" | "full"} Verbosity */
/**
 * @typedef {object} Preferences
 * @property {string | null} language null: as the browser says
 * @property {"system" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {boolean} keys single-key shortcuts
 * @property {boolean} oneTap write with the first tap
 * @property {boolean} assign hold the dice that show a number row once it is announced
 * @property {Verbosity} speech how much is said of what happens
 * @property {string} name
 * @property {string | null} room the code of the room that is open
 * @property {string} soloVariant
 * @property {number} soloBots against how many bots
 * @property {"game" | "place"} boardTap what a tap on a row of a leaderboard shows
 * @property {number} replaySpeed how many times as fast as usual
 */

/** @type {Preferences} */
const DEFAULTS = {
  language: null,
  theme: "system",
  sound: true,
  keys: true,
  oneTap: false,
  assign: true,
  speech: "normal",
  name: "",
  room: null,
  soloVariant: "classic-5x4",
  soloBots: 0,
  boardTap: "game",
  replaySpeed: 1,
};

/** @type {Preferences} */
export const preferences = { ...DEFAULTS, ...read() };

/** @param {Partial<Preferences>} changes */
export function remember(changes) {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Private windows may forbid it; the choice then lasts as long as the page.
  }
}

/** @returns {Partial<Preferences>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** Puts the theme on the page: the colours of both are in tokens.css. */
export function applyTheme() {
  const isDark = preferences.theme === "system" ? darkWish().matches : preferences.theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

/** @param {() => void} listener */
export function onSystemTheme(listener) {
  darkWish().addEventListener("change", listener);
}

function darkWish() {
  return matchMedia("(prefers-color-scheme: dark)");
}

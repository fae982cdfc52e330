/**
 * The drawn signs of columns, cells and buttons, and the faces of dice. Own drawings on a 20 × 20 field, 2 px stroke.
 * A sign is decoration: its name is always said beside it in words.
 */

import { svg } from "./dom.js";

const MEGAPHONE = "M4 8v4h3l7 4V4L7 8zM17 8v4M7 12l1 5";
/** Straight strokes; dots are drawn as strokes of no length with round ends. */
const PATHS = {
  down: "M10 3v13M5 11l5 5 5-5",
  up: "M10 17V4M5 9l5-5 5 5",
  free: "M6 6h0M14 6h0M6 14h0M14 14h0",
  announced: MEGAPHONE,
  hand: "M6 11V6.5M9 10V4M12 10V4M15 11V6.5M6 11c-1.5-1.5-3-1-3-1 1.5 2 2.5 7 7 7 3.5 0 5-2 5-6",
  notification: "M4 17v-4a5 5 0 0 1 5-5h7M12 4l4 4-4 4M4 5.5h0",
  from_middle: "M3 10h14M10 7V2M7.5 4.5L10 2l2.5 2.5M10 13v5M7.5 15.5L10 18l2.5-2.5",
  ends_in: "M3 10h14M10 2v5M7.5 4.5L10 7l2.5-2.5M10 18v-5M7.5 15.5L10 13l2.5 2.5",
  both_ends: "M6 3v14M3.5 14.5L6 17l2.5-2.5M14 17V3M11.5 5.5L14 3l2.5 2.5",
  every_other: "M4 3l5 3M11 8l5 2.5M16 10.5l-5 2.5M8 14.5L4 17",
  late_announced: "M2 9v3h3l5 3V6L5 9zM15 6a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM15 8v2l1.5 1",
  final: "M5 18V3h10l-3 3.5L15 10H5",
  maximum: "M3 15h14M3 15L2.5 6l4.5 4L10 4l3 6 4.5-4L17 15",
  megaphone: MEGAPHONE,
  tick: "M4 10.5l4 4 8-9",
  cross: "M4 4h12v12H4zM4 4l12 12M16 4L4 16",
  pin: "M10 12v6M6 3h8l-1.5 4.5L15 12H5l2.5-4.5z",
  menu: "M3 5h14M3 10h14M3 15h14",
  more: "M4 10h0M10 10h0M16 10h0",
  sound: "M3 8v4h3l4 4V4L6 8zM13 7.5c1.5 1.5 1.5 3.5 0 5M15.5 5c3 3 3 7 0 10",
  mute: "M3 8v4h3l4 4V4L6 8zM13 8l4 4M17 8l-4 4",
  back: "M12 4l-6 6 6 6",
  forward: "M8 4l6 6-6 6",
  first: "M5 4v12M15 4l-6 6 6 6",
  last: "M15 4v12M5 4l6 6-6 6",
  play: "M6 4l10 6-10 6z",
  pause: "M7 4v12M13 4v12",
  away: "M15.5 12.5A7 7 0 0 1 7.5 4.5a6.5 6.5 0 1 0 8 8",
  reconnecting: "M16 8A6.5 6.5 0 0 0 4.5 6.5M4 3v4h4M4 12a6.5 6.5 0 0 0 11.5 1.5M16 17v-4h-4",
  gone: "M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM3 17L17 3",
  bot: "M4 8h12v8H4zM10 8V4M10 3h0M7.5 12h0M12.5 12h0",
  stand_in: "M2 9h10v8H2zM7 9V6M5 13h0M9 13h0M15.5 12V3M12.5 6l3-3 3 3",
  left: "M11 3H4v14h7M9 10h8M14 7l3 3-3 3",
  chat: "M3 4h14v10H9l-4 3v-3H3z",
  clock: "M10 3a7 7 0 1 1 0 14a7 7 0 1 1 0-14zM10 6v4l3 2",
  eye: "M2 10c4-6.5 12-6.5 16 0c-4 6.5-12 6.5-16 0zM10 10h0",
  dice: "M4 4h12v12H4zM7.5 7.5h0M12.5 12.5h0M12.5 7.5h0M7.5 12.5h0",
};

/** @typedef {keyof typeof PATHS} SignName */

/**
 * @param {string} name a column or one of the names above; an unknown one gives an empty field
 * @param {string} [className]
 */
export function sign(name, className = "sign") {
  const path = PATHS[/** @type {SignName} */ (name)] ?? "";
  return svg(
    "svg",
    { class: className, "data-sign": name, viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}

/** Pips by face: positions in a grid of three by three, counted from the top left. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** A blank die; `showFace` puts the pips on it. */
export function dieFace() {
  const pips = Array.from({ length: 9 }, (_none, place) =>
    svg("circle", {
      cx: 12 + 12 * (place % 3),
      cy: 12 + 12 * Math.floor(place / 3),
      r: 4.4,
      "data-place": place,
    }),
  );
  return svg("svg", { class: "face", viewBox: "0 0 48 48", "aria-hidden": "true" }, ...pips);
}

/**
 * @param {Element} face
 * @param {number} value 0 for a die that hasn't been rolled
 */
export function showFace(face, value) {
  for (const [place, pip] of Array.from(face.children).entries()) {
    pip.classList.toggle("on", PIPS[value]?.includes(place) ?? false);
  }
}

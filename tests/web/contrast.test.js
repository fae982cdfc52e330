/** The colours of both themes, measured: 4.5 to 1 for text, 3 to 1 for borders and signs. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const CSS = readFileSync(new URL("../../app/web/css/tokens.css", import.meta.url), "utf8");

/** @param {string} selector @returns {Record<string, string>} */
function tokens(selector) {
  const start = CSS.indexOf(selector);
  const block = CSS.slice(start, CSS.indexOf("}", start));
  return Object.fromEntries(
    Array.from(block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g), (match) => [match[1], match[2]]),
  );
}

/** @param {string} hex */
function luminance(hex) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = [
  ["ink", "page"],
  ["ink", "surface"],
  ["ink", "sum"],
  ["ink", "announce-ground"],
  ["muted", "page"],
  ["muted", "surface"],
  ["muted", "sum"],
  ["muted", "auto"],
  ["legal-ink", "legal"],
  ["legal-ink", "surface"],
  ["armed-ink", "armed"],
  ["announce", "announce-ground"],
  ["primary", "page"],
  ["primary", "sum"],
  ["primary-ink", "primary"],
  ["danger", "page"],
  ["danger", "sum"],
  ["surface", "danger"],
];
const SHAPES = [
  ["legal-line", "legal"],
  ["legal-line", "surface"],
  ["held", "die"],
  ["held", "page"],
  ["pip", "die"],
  ["die-line", "page"],
  ["announce", "surface"],
  ["focus", "page"],
  ["focus", "surface"],
  ["focus", "legal"],
  ["frame", "surface"],
  ["frame", "page"],
];

for (const [theme, selector] of [
  ["light", ":root {"],
  ["dark", ':root[data-theme="dark"] {'],
]) {
  const colours = tokens(String(selector));
  for (const [pairs, least] of /** @type {[string[][], number][]} */ ([
    [TEXT, 4.5],
    [SHAPES, 3],
  ])) {
    for (const [one = "", other = ""] of pairs) {
      test(`${theme}: ${one} on ${other} has at least ${least} to 1`, () => {
        const ratio = contrast(colours[one] ?? "", colours[other] ?? "");
        assert.ok(ratio >= least, `${ratio.toFixed(2)}`);
      });
    }
  }
}

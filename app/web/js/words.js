/**
 * The player's language: flat catalogues of sentences, plural forms by the locale's own rules.
 */

/** Native names; the list is the order of the menu. */
export const LANGUAGES = [
  { tag: "en", name: "English" },
  { tag: "sr-Latn", name: "Srpski" },
];
const SPOKEN_AS = { sr: "sr-Latn", sh: "sr-Latn", cnr: "sr-Latn", hr: "sr-Latn", bs: "sr-Latn", en: "en" };

/** @typedef {Record<string, string | number>} Values */

/** @type {{tag: string, catalogue: Record<string, string>}} */
const spoken = { tag: "en", catalogue: {} };

/**
 * The first language of the browser's list that there is a catalogue for.
 * @param {readonly string[]} wanted
 */
export function chooseLanguage(wanted) {
  for (const tag of wanted) {
    const exact = LANGUAGES.find((one) => one.tag.toLowerCase() === tag.toLowerCase());
    if (exact) return exact.tag;
    const base = /** @type {keyof typeof SPOKEN_AS} */ (tag.toLowerCase().split("-")[0]);
    if (SPOKEN_AS[base]) return SPOKEN_AS[base];
  }
  return "en";
}

/** @param {string} tag */
export async function loadLanguage(tag) {
  const response = await fetch(`/web/words/${tag}.json`);
  useCatalogue(tag, await response.json());
}

/**
 * @param {string} tag
 * @param {Record<string, string>} catalogue
 */
export function useCatalogue(tag, catalogue) {
  spoken.tag = tag;
  spoken.catalogue = catalogue;
}

export function language() {
  return spoken.tag;
}

/** @param {string} key */
export function has(key) {
  return Object.hasOwn(spoken.catalogue, key);
}

/**
 * @param {string} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  const text = spoken.catalogue[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_whole, name) => String(values[name] ?? ""));
}

/**
 * The form of `key` that goes with the number.
 * @param {string} key
 * @param {number} count
 * @param {Values} [values]
 */
export function tn(key, count, values = {}) {
  const form = new Intl.PluralRules(spoken.tag).select(count);
  const chosen = has(`${key}.${form}`) ? form : "other";
  return t(`${key}.${chosen}`, { count: formatNumber(count), ...values });
}

/** @param {number} value */
export function formatNumber(value) {
  return new Intl.NumberFormat(spoken.tag).format(value);
}

/** "74.3%", as the language writes it. @param {number} share of 1 */
export function formatShare(share) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(spoken.tag, { style: "percent", ...digits }).format(share);
}

/** Averages, with one digit after the point. @param {number} value */
export function formatDecimal(value) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(spoken.tag, digits).format(value);
}

/**
 * @param {number} ms since 1970
 * @param {string} [timeZone] the player's own where none is given
 */
export function formatDay(ms, timeZone) {
  const parts = /** @type {const} */ ({ day: "numeric", month: "short", year: "numeric" });
  return new Intl.DateTimeFormat(spoken.tag, timeZone ? { ...parts, timeZone } : parts).format(ms);
}

/** "November 2026" @param {string} month such as 2026-11 */
export function formatMonth(month) {
  const parts = /** @type {const} */ ({ month: "long", year: "numeric", timeZone: "UTC" });
  return new Intl.DateTimeFormat(spoken.tag, parts).format(Date.parse(month));
}

/** @param {string} text */
export function lower(text) {
  return text.toLocaleLowerCase(spoken.tag);
}

/** @param {string} row */
export function rowName(row) {
  return t(`row.${row}`);
}

/** @param {string} column */
export function columnName(column) {
  return t(`column.${column}`);
}

/** With soft hyphens, where it is too long for a narrow place. @param {string} column */
export function brokenColumnName(column) {
  return has(`column.broken.${column}`) ? t(`column.broken.${column}`) : columnName(column);
}

/** "Sixes, down" @param {{column: string, row: string}} cell */
export function cellName(cell) {
  return t("cell.name", { row: rowName(cell.row), column: lower(columnName(cell.column)) });
}

/** "three, three, six": as words, so that nobody hears thirty-three six. @param {number[]} faces */
export function spellFaces(faces) {
  return faces.map((face) => t(`face.${face}`)).join(", ");
}

/** @param {string[]} texts */
export function listAnd(texts) {
  return new Intl.ListFormat(spoken.tag, { type: "conjunction" }).format(texts);
}

/** @param {string[]} texts */
export function listOr(texts) {
  return new Intl.ListFormat(spoken.tag, { type: "disjunction" }).format(texts);
}

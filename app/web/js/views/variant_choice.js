/** Choosing a variant, and its columns where they can be chosen. What can be chosen is told by the server. */

/** @import {Variant} from "../protocol.js" */
import { fill, h } from "../dom.js";
import { sign } from "../signs.js";
import { variantName } from "../speech.js";
import { brokenColumnName, has, t } from "../words.js";

/**
 * Options of a select, the variants of one game under its name.
 * @param {Variant[]} variants
 * @param {string} chosen
 */
export function variantOptions(variants, chosen) {
  const option = (/** @type {Variant} */ { id }) =>
    h("option", { value: id, selected: id === chosen }, variantName(id));
  return [...gamesOf(variants)].flatMap(([game, ofGame]) =>
    ofGame.length > 1 && has(`variant.group.${game}`)
      ? [h("optgroup", { label: t(`variant.group.${game}`) }, ...ofGame.map(option))]
      : ofGame.map(option),
  );
}

/**
 * The option of a variant, added where it isn't offered.
 * @param {HTMLSelectElement} select
 * @param {string} id
 * @param {string} title
 */
export function chooseOption(select, id, title) {
  const isOffered = Array.from(select.options).some((option) => option.value === id);
  if (!isOffered) select.append(h("option", { value: id }, title));
  select.value = id;
}

/** Those that a table can be set to; the others come of a choice of columns. @param {Variant[]} variants */
export function startingVariants(variants) {
  return variants.filter(({ id, base }) => base === undefined || base === id);
}

/** @param {Variant[]} variants @returns {Map<string, Variant[]>} by the first word of their ids */
function gamesOf(variants) {
  const games = new Map();
  for (const variant of variants) {
    const [game] = variant.id.split("-");
    games.set(game, [...(games.get(game) ?? []), variant]);
  }
  return games;
}

/** A box for every column that the variant can have. */
export class ColumnChoice {
  #drawn = "";

  /**
   * @param {(columns: string[]) => void} onChoice
   * @param {string} [legendClass] `vh` where its words stand above it already
   */
  constructor(onChoice, legendClass) {
    this.boxes = h("div", { class: "column-boxes" });
    this.element = h(
      "fieldset",
      { class: "column-choice", "data-testid": "columns" },
      h("legend", { class: legendClass }, t("lobby.columns")),
      this.boxes,
      h("p", { class: "muted" }, t("lobby.columns_needs")),
    );
    this.boxes.addEventListener("change", () => onChoice(this.chosen()));
  }

  /** @returns {string[]} */
  chosen() {
    const boxes = Array.from(this.boxes.querySelectorAll("input"));
    return boxes.filter((box) => box.checked).map((box) => box.value);
  }

  /** The boxes as the table has it; those of a refused choice spring back. @param {Variant} variant */
  draw(variant) {
    const offered = variant.choosable ?? [];
    if (this.#drawn !== offered.join()) fill(this.boxes, ...offered.map(columnBox));
    this.#drawn = offered.join();
    const present = new Set(variant.columns.map((one) => one.column));
    for (const box of this.boxes.querySelectorAll("input")) box.checked = present.has(box.value);
  }
}

/** @param {string} column */
function columnBox(column) {
  const box = h("input", { type: "checkbox", value: column, "data-testid": `column-${column}` });
  return h("label", { class: "check" }, box, sign(column), h("span", {}, brokenColumnName(column)));
}

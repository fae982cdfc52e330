/** What is played alone: the variant in its select, and its columns where they can be chosen. */

/** @import {Variant} from "../protocol.js" */
import { getVariants } from "../api.js";
import { fill, h, setText, show } from "../dom.js";
import { preferences, remember } from "../preferences.js";
import { variantNumbers } from "../variant_words.js";
import { t, tn } from "../words.js";
import { ColumnChoice, startingVariants, variantOptions } from "./variant_choice.js";

/** Nobody is there to announce something to. */
const NOT_ALONE = "notification";

export class SoloChoice {
  /** @type {Variant[]} */
  #variants = [];
  /** Null for those of the variant. @type {string[] | null} */
  #columns = null;

  /**
   * @param {HTMLSelectElement} select filled as soon as the server has told what there is
   * @param {() => boolean} isAlone whether nobody plays along, no bot either
   */
  constructor(select, isAlone) {
    this.select = select;
    this.isAlone = isAlone;
    this.columns = new ColumnChoice((columns) => this.#choose(columns), "vh");
    this.details = h("details", { hidden: true }, h("summary", {}, t("lobby.columns")), this.columns.element);
    this.summary = h("p", { class: "muted", "data-testid": "solo-summary" });
    this.element = h("div", {}, this.summary, this.details);
    select.addEventListener("change", () => {
      remember({ soloVariant: select.value });
      this.#choose(null);
    });
    void this.#offerVariants();
  }

  /** The columns to play, where the player has chosen them. @returns {string[] | null} */
  chosen() {
    return this.#columns;
  }

  /** Bots have come or gone: other columns can be played. */
  alone() {
    this.#choose(null);
  }

  async #offerVariants() {
    this.#variants = startingVariants(await getVariants().catch(() => []));
    if (this.#variants.length === 0) return;
    fill(this.select, ...variantOptions(this.#variants, preferences.soloVariant));
    this.#choose(null);
  }

  /** @param {string[] | null} columns */
  #choose(columns) {
    this.#columns = columns;
    const variant = this.#variants.find((one) => one.id === this.select.value);
    if (!variant) return;
    const dropped = this.isAlone() ? [NOT_ALONE] : [];
    const choosable = (variant.choosable ?? []).filter((one) => !dropped.includes(one));
    show(this.details, choosable.length > 0);
    if (columns === null) this.columns.draw({ ...variant, choosable });
    setText(this.summary, columns === null ? variantNumbers(variant, dropped) : numbers(variant, columns));
  }
}

/** How many turns a choice makes is told by the table. @param {Variant} variant @param {string[]} columns */
function numbers(variant, columns) {
  return [tn("summary.dice", variant.dice), tn("summary.columns", columns.length)].join(" · ");
}

/** A select of all variants whose results can be asked for. */

import { findVariant, getVariants } from "../api.js";
import { fill, h, setText } from "../dom.js";
import { variantName, variantTitle } from "../speech.js";
import { variantOptions } from "./variant_choice.js";

/** The chosen one stands in it at once, the others when they have come. @param {string} chosen */
export function variantSelect(chosen) {
  const select = h(
    "select",
    { id: "variant", "data-testid": "filter-variant" },
    h("option", { value: chosen, selected: true }, variantName(chosen)),
  );
  void offer(select, chosen);
  return select;
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} chosen
 */
async function offer(select, chosen) {
  const variants = await getVariants().catch(() => []);
  if (variants.length === 0) return;
  const isListed = variants.some((one) => one.id === chosen);
  const other = isListed ? [] : [h("option", { value: chosen, selected: true }, variantName(chosen))];
  fill(select, ...variantOptions(variants, chosen), ...other);
  const [option] = other;
  if (option) await nameOption(option);
}

/** The title of a variant that is known by its id alone. @param {HTMLOptionElement} option */
export async function nameOption(option) {
  const found = await findVariant(option.value).catch(() => null);
  if (found) setText(option, variantTitle(found));
}

/** What the game is, and the variants with their numbers as the server tells them. */

/** @import {Variant} from "../protocol.js" */
import { getVariants } from "../api.js";
import { fill, h } from "../dom.js";
import { setTitle } from "../shell.js";
import { variantTitle } from "../speech.js";
import { t } from "../words.js";
import { problemText } from "./problem.js";
import { variantRules } from "./variant_summary.js";

/** @returns {import("../router.js").Page} */
export function rulesPage() {
  setTitle(t("home.rules"));
  const variants = h("div", {}, h("p", {}, t("page.loading")));
  getVariants()
    .then((all) => fill(variants, ...all.map((one, place) => section(one, place === 0))))
    .catch((error) => fill(variants, h("p", { class: "problem" }, problemText(error))));
  const paragraphs = [
    "rules.goal",
    "rules.turn",
    "rules.fill",
    "rules.announce",
    "rules.notify",
    "rules.end",
  ];
  return {
    element: h(
      "div",
      { class: "page prose" },
      h("h1", {}, t("home.rules")),
      ...paragraphs.map((key) => h("p", {}, t(key))),
      variants,
    ),
  };
}

/**
 * @param {Variant} variant
 * @param {boolean} isOpen
 */
function section(variant, isOpen) {
  const title = h("summary", {}, h("h2", {}, variantTitle(variant)));
  return h("details", { open: isOpen }, title, ...variantRules(variant));
}

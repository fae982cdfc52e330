/** What the game is, and the variants with their numbers as the server tells them. */

import { getVariants } from "../api.js";
import { fill, h } from "../dom.js";
import { setTitle } from "../shell.js";
import { variantName } from "../speech.js";
import { t } from "../words.js";
import { problemText } from "./problem.js";
import { variantRules } from "./variant_summary.js";

/** @returns {import("../router.js").Page} */
export function rulesPage() {
  setTitle(t("home.rules"));
  const variants = h("div", {}, h("p", {}, t("page.loading")));
  getVariants()
    .then((all) =>
      fill(
        variants,
        ...all.map((one) =>
          h(
            "section",
            {},
            h("h2", {}, variantName(one.id)),
            ...variantRules(one).filter((part) => part !== false),
          ),
        ),
      ),
    )
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

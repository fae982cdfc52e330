/** How nobody can choose the dice, and how anybody can check it. */

import { h } from "../dom.js";
import { setTitle } from "../shell.js";
import { t } from "../words.js";

/** @returns {import("../router.js").Page} */
export function fairPage() {
  setTitle(t("home.fair"));
  const steps = ["fair.secret", "fair.texts", "fair.key", "fair.rolls", "fair.reveal"];
  return {
    element: h(
      "div",
      { class: "page prose" },
      h("h1", {}, t("home.fair")),
      h("p", {}, t("fair.short")),
      h("h2", {}, t("fair.how")),
      h("ol", {}, ...steps.map((key) => h("li", {}, t(key)))),
      h("h2", {}, t("fair.check")),
      h("p", {}, t("fair.check_text")),
      h("h2", {}, t("fair.limits")),
      h("p", {}, t("fair.limits_text")),
    ),
  };
}

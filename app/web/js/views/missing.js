/** An address that shows nothing. */

import { h } from "../dom.js";
import { setTitle } from "../shell.js";
import { t } from "../words.js";

/** @returns {import("../router.js").Page} */
export function missingPage() {
  setTitle(t("missing.title"));
  const home = h("a", { class: "button primary", href: "/" }, t("menu.home"));
  return {
    element: h(
      "div",
      { class: "page" },
      h("h1", {}, t("missing.title")),
      h("p", {}, t("missing.text")),
      home,
    ),
  };
}

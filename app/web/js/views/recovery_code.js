/** A recovery code, which is shown this once. */

import { h, setText } from "../dom.js";
import { say } from "../shell.js";
import { t } from "../words.js";
import { copyText } from "./share.js";

/**
 * @param {string} code
 * @param {() => void} onKept
 */
export function codeBox(code, onKept) {
  const copy = h("button", { type: "button", "data-testid": "copy-code" }, t("me.code.copy"));
  copy.addEventListener("click", async () => {
    const isCopied = await copyText(code);
    setText(copy, t(isCopied ? "share.copied" : "me.code.copy"));
    say(t(isCopied ? "share.copied" : "me.code.select"));
  });
  const kept = h(
    "button",
    { type: "button", class: "primary", "data-testid": "code-kept", onclick: onKept },
    t("me.code.kept"),
  );
  return h(
    "section",
    { "aria-labelledby": "code-title" },
    h("h2", { id: "code-title" }, t("me.code.title")),
    h("p", {}, t("me.code.about")),
    h("p", { class: "secret-code", "data-testid": "recovery-code" }, code),
    h("div", { class: "buttons" }, copy, kept),
  );
}

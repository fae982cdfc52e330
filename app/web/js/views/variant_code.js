/** Taking over a variant that somebody shares by its code or its link, and the way to making one. */

/** @import {Variant} from "../protocol.js" */
import { findVariant } from "../api.js";
import { h } from "../dom.js";
import { alarm } from "../shell.js";
import { variantNameIn } from "../typed_codes.js";
import { t } from "../words.js";
import { problemText } from "./problem.js";

/**
 * The page that makes rules of one's own, beginning with those of the room.
 * @param {string} room
 * @param {Variant} variant
 */
export function builderAddress(room, { id, base = id, code }) {
  const name = base === id && code ? code : base;
  return `/variants/${encodeURIComponent(name)}?${new URLSearchParams({ room })}`;
}

/**
 * @param {string} room where to come back to
 * @param {(variant: Variant) => void} onFound
 */
export function codeForm(room, onFound) {
  const input = h("input", {
    id: "variant-code",
    "data-testid": "variant-code",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 200,
    required: true,
    placeholder: "7KQ2M-4XD9T",
  });
  input.addEventListener("input", () => input.setCustomValidity(""));
  const form = h(
    "form",
    { class: "join variant-code" },
    h("label", { for: "variant-code" }, t("lobby.variant_code")),
    h(
      "div",
      { class: "pair" },
      input,
      h("button", { type: "submit", "data-testid": "variant-code-go" }, t("lobby.use_code")),
    ),
    h(
      "a",
      { class: "button", href: `/variants?${new URLSearchParams({ room })}`, "data-testid": "make-variant" },
      t("lobby.make_variant"),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const found = await find(input.value);
    if (typeof found !== "string") return onFound(found);
    input.setCustomValidity(found);
    input.reportValidity();
    alarm(found);
  });
  return form;
}

/** The variant, or why there is none. People paste the whole link as often as the code. @param {string} typed */
async function find(typed) {
  const name = variantNameIn(typed);
  try {
    return (await findVariant(name)) ?? t("builder.no_code", { code: name });
  } catch (error) {
    return problemText(error);
  }
}

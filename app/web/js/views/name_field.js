/** The player's name, with a proposal filled in. */

import { h } from "../dom.js";
import { preferences, remember } from "../preferences.js";
import { t } from "../words.js";

const LONGEST = 24;

export function nameField() {
  if (preferences.name === "") remember({ name: proposedName() });
  const input = h("input", {
    id: "name",
    "data-testid": "name",
    autocomplete: "nickname",
    maxlength: LONGEST,
    required: true,
    spellcheck: "false",
    value: preferences.name,
  });
  input.addEventListener("input", () => input.setCustomValidity(""));
  const field = h("p", { class: "field" }, h("label", { for: "name" }, t("name.label")), input);
  return { field, input };
}

/**
 * The name as typed; null, with the field saying why, when there is none.
 * @param {HTMLInputElement} input
 */
export function takeName(input) {
  const name = input.value.trim();
  if (name === "") {
    input.setCustomValidity(t("name.missing"));
    input.reportValidity();
    return null;
  }
  remember({ name });
  return name;
}

function proposedName() {
  return `${oneOf(t("name.first"))} ${oneOf(t("name.second"))}`;
}

/** @param {string} words separated by bars */
function oneOf(words) {
  const list = words.split("|");
  return list[Math.floor(Math.random() * list.length)] ?? "";
}

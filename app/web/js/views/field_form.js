/** A form of text fields that says beside each field what is wrong with it, and sends itself once at a time. */

import { Problem } from "../api.js";
import { h, setAttribute, setText, show } from "../dom.js";
import { alarm } from "../shell.js";
import { has, t } from "../words.js";
import { problemText } from "./problem.js";

/**
 * @typedef {object} Field
 * @property {string} name as the server calls it
 * @property {string} label
 * @property {string} autocomplete
 * @property {string} [type]
 * @property {string} [about] a line below the label
 * @property {string} [value]
 * @property {number} [least] characters
 * @property {boolean} [isOptional]
 */

/** @typedef {{input: HTMLInputElement, error: HTMLElement, field: Field}} Drawn */

export class FieldForm {
  /**
   * @param {string} id unique on the page
   * @param {Field[]} fields
   * @param {string} submit
   * @param {(values: Record<string, string>) => Promise<void>} onSubmit may throw a Problem
   * @param {{isPrimary?: boolean, userName?: string | null, errorWords?: Record<string, string>}} [more]
   *   `userName`: whose password it is, for password managers; `errorWords`: a code's key, where this form has its own
   */
  constructor(id, fields, submit, onSubmit, { isPrimary = false, userName = null, errorWords = {} } = {}) {
    this.onSubmit = onSubmit;
    this.errorWords = errorWords;
    this.isBusy = false;
    this.drawn = fields.map((field) => drawField(id, field));
    this.problem = h("p", { class: "problem", "data-testid": `${id}-problem`, hidden: true });
    this.button = h(
      "button",
      { type: "submit", class: isPrimary && "primary", "data-testid": `${id}-go` },
      submit,
    );
    this.element = h(
      "form",
      { class: "field-form", "data-testid": id, novalidate: true },
      userName !== null &&
        h("input", { type: "text", autocomplete: "username", value: userName, readonly: true, hidden: true }),
      ...this.drawn.map(({ input, error, field }) => fieldParagraph(input, error, field)),
      this.problem,
      h("div", { class: "buttons" }, this.button),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  clear() {
    for (const { input } of this.drawn) input.value = "";
  }

  async #submit() {
    if (this.isBusy) return;
    show(this.problem, false);
    for (const one of this.drawn) setError(one, "");
    const isWrong = this.drawn.map((one) => setError(one, missing(one)) !== "");
    if (isWrong.includes(true)) return this.#focusFirst();
    this.isBusy = true;
    setAttribute(this.button, "aria-busy", "true");
    try {
      await this.onSubmit(
        Object.fromEntries(this.drawn.map(({ field, input }) => [field.name, input.value])),
      );
    } catch (error) {
      this.#tell(error);
    } finally {
      this.isBusy = false;
      setAttribute(this.button, "aria-busy", null);
    }
  }

  /** @param {unknown} error */
  #tell(error) {
    const named = error instanceof Problem ? error.errors : [];
    const here = this.drawn.filter(({ field }) => named.some((one) => one.field === field.name));
    if (error instanceof Problem && here.length > 0) {
      for (const one of here) setError(one, this.#words(error, one.field.name));
      return this.#focusFirst();
    }
    const text = problemText(error);
    setText(this.problem, text);
    show(this.problem, true);
    alarm(text);
  }

  /** @param {Problem} error @param {string} field */
  #words(error, field) {
    const key = this.errorWords[error.code] ?? `wrong.${error.code}`;
    if (has(key)) return t(key);
    return has(`wrong.${field}`) ? t(`wrong.${field}`) : problemText(error);
  }

  /** The field's own words are read with it: the alarm would say them twice. */
  #focusFirst() {
    this.drawn.find(({ input }) => input.getAttribute("aria-invalid") === "true")?.input.focus();
  }
}

/**
 * @param {string} id
 * @param {Field} field
 * @returns {Drawn}
 */
function drawField(id, field) {
  const own = `${id}-${field.name}`;
  const error = h("span", {
    class: "problem",
    id: `${own}-error`,
    "data-testid": `${own}-error`,
    hidden: true,
  });
  const input = h("input", {
    id: own,
    "data-testid": own,
    name: field.name,
    type: field.type ?? "text",
    autocomplete: field.autocomplete,
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 256,
    required: !field.isOptional,
    value: field.value ?? "",
    "aria-describedby": [field.about && `${own}-about`, error.id].filter(Boolean).join(" "),
  });
  return { input, error, field };
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} error
 * @param {Field} field
 */
function fieldParagraph(input, error, field) {
  const about = field.about && h("span", { class: "about", id: `${input.id}-about` }, field.about);
  return h("p", { class: "field" }, h("label", { for: input.id }, field.label), about, input, error);
}

/** @param {Drawn} drawn */
function missing({ input, field }) {
  if (!field.isOptional && input.value === "") return t("wrong.missing");
  if ((field.least ?? 0) > [...input.value].length) return t(`wrong.${field.name}`);
  return "";
}

/**
 * @param {Drawn} drawn
 * @param {string} text
 */
function setError({ input, error }, text) {
  setText(error, text);
  show(error, text !== "");
  setAttribute(input, "aria-invalid", text === "" ? null : "true");
  return text;
}

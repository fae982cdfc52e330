/** The parts of the builder's form: fieldsets, numbers, choices, and the place where an error is shown. */

/** @import {Child} from "../dom.js" */
import { h, setOff } from "../dom.js";
import { t } from "../words.js";

/**
 * @param {string} field the path of the parameter, as the server names it
 * @param {string} title
 * @param {...Child} content
 */
export function group(field, title, ...content) {
  return h("fieldset", { class: "builder-group", "data-field": field }, h("legend", {}, title), ...content);
}

/**
 * A whole number; null while nothing that is one is typed.
 * @param {string} id
 * @param {string} label
 * @param {{field: string, value: number | null | undefined, most: number, least?: number}} now
 * @param {(value: number | null) => void} onValue
 */
export function numberField(id, label, { field, value, most, least = 0 }, onValue) {
  const input = h("input", {
    id,
    "data-testid": id,
    type: "number",
    inputmode: "numeric",
    min: least,
    max: most,
    step: 1,
    value: value ?? "",
  });
  input.addEventListener("input", () => onValue(input.value === "" ? null : Number(input.value)));
  return h("p", { class: "builder-field", "data-field": field }, h("label", { for: id }, label), input);
}

/**
 * @param {string} id
 * @param {string} label
 * @param {{field: string, value: string, options: [value: string, text: string][]}} now
 * @param {(value: string) => void} onValue
 */
export function choiceField(id, label, { field, value, options }, onValue) {
  const shown = options.map(([one, text]) => h("option", { value: one, selected: one === value }, text));
  const select = h("select", { id, "data-testid": id }, ...shown);
  select.addEventListener("change", () => onValue(select.value));
  return h("p", { class: "builder-field", "data-field": field }, h("label", { for: id }, label), select);
}

/**
 * @param {string} id
 * @param {Child[]} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onValue
 */
export function checkField(id, label, isOn, onValue) {
  const box = h("input", { id, "data-testid": id, type: "checkbox", checked: isOn });
  box.addEventListener("change", () => onValue(box.checked));
  return h("label", { class: "check" }, box, ...label);
}

/**
 * Two buttons that move a thing in its list.
 * @param {string} id
 * @param {string} name
 * @param {{place: number, count: number}} now
 * @param {(step: 1 | -1) => void} onMove
 */
export function orderButtons(id, name, { place, count }, onMove) {
  return h(
    "span",
    { class: "builder-order" },
    ...[-1, 1].map((step) => {
      const isUp = step === -1;
      const button = h(
        "button",
        {
          type: "button",
          class: "icon framed",
          id: `${id}-${isUp ? "up" : "down"}`,
          "data-testid": `${id}-${isUp ? "up" : "down"}`,
          "aria-label": t(isUp ? "builder.move_up" : "builder.move_down", { name }),
        },
        isUp ? "↑" : "↓",
      );
      setOff(button, isUp ? place === 0 : place === count - 1);
      button.addEventListener("click", () => onMove(/** @type {1 | -1} */ (step)));
      return button;
    }),
  );
}

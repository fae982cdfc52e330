/** Numbers as a table whose rows have bars: the numbers stand there, the bars only show them. */

import { h } from "../dom.js";

/** @typedef {{name: string, value: number, text: string, more?: string}} Line `more`: one further number */

/**
 * @param {string} id
 * @param {string} caption
 * @param {string[]} heads of the name, the value, and of one further number where there is one
 * @param {Line[]} lines
 */
export function barTable(id, caption, heads, lines) {
  const most = Math.max(...lines.map((one) => one.value), 0) || 1;
  const [name = "", value = "", more] = heads;
  return h(
    "table",
    { class: "plain bars", "data-testid": id },
    h("caption", {}, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, name),
        h("th", { scope: "col", colspan: 2 }, value),
        more && h("th", { scope: "col", class: "number" }, more),
      ),
    ),
    h("tbody", {}, ...lines.map((line) => row(line, most))),
  );
}

/**
 * @param {Line} line
 * @param {number} most
 */
function row({ name, value, text, more }, most) {
  const bar = h("span", { class: "bar-value" });
  bar.style.inlineSize = `${(100 * Math.max(value, 0)) / most}%`;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    h("td", { class: "number" }, text),
    h("td", { class: "bar-cell", "aria-hidden": "true" }, bar),
    more !== undefined && h("td", { class: "number" }, more),
  );
}

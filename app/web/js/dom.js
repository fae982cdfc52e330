/**
 * Making and changing elements: text is always text, never markup, and an unchanged node is left alone.
 */

/** @typedef {Node | string | null | false | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes] functions under `on…` become listeners
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  setAttributes(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else setAttribute(element, name, value);
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {Element} element
 * @param {boolean} isShown
 */
export function show(element, isShown) {
  setAttribute(element, "hidden", !isShown);
}

/**
 * `disabled` would throw the focus away; this keeps it, and the listener asks `isOff`.
 * @param {Element} button
 * @param {boolean} isOff
 */
export function setOff(button, isOff) {
  setAttribute(button, "aria-disabled", isOff ? "true" : null);
}

/** @param {Element} button */
export function isOff(button) {
  return button.getAttribute("aria-disabled") === "true";
}

/**
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

/**
 * A text that was made here, as a file for the player.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Text for assistive technology only. @param {string} text */
export function hiddenText(text) {
  return h("span", { class: "vh" }, text);
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {(Node | string)[]} */ (
    children.filter((child) => child !== null && child !== undefined && child !== false)
  );
}

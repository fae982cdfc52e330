/**
 * Which page an address shows, and moving between pages without a reload.
 */

/**
 * @typedef {object} Page
 * @property {HTMLElement} element
 * @property {() => void} [leave] called once, when the page is left
 * @property {() => void} [relabel] the language has changed; a page without it is made anew
 */
/** @typedef {(parameters: string[], query: URLSearchParams) => Page} MakePage */

/** @type {{pattern: RegExp, make: MakePage}[]} */
const routes = [];
/** @type {Page | null} */
let current = null;
/** @type {(page: Page, isFirst: boolean) => void} */
let onShown = () => {};

/**
 * @param {RegExp} pattern its groups become the page's parameters
 * @param {MakePage} make
 */
export function route(pattern, make) {
  routes.push({ pattern, make });
}

/** @param {(page: Page, isFirst: boolean) => void} shown */
export function startRouting(shown) {
  onShown = shown;
  addEventListener("popstate", () => showAddress(false));
  document.addEventListener("click", followLink);
  showAddress(true);
}

/**
 * @param {string} address
 * @param {{replace?: boolean, state?: unknown}} [options]
 */
export function go(address, { replace = false, state = null } = {}) {
  if (replace) history.replaceState(state, "", address);
  else history.pushState(state, "", address);
  showAddress(false);
}

/** The same page in another language. */
export function relabelPage() {
  if (current?.relabel) current.relabel();
  else showAddress(false);
}

/** @param {boolean} isFirst */
function showAddress(isFirst) {
  const { pathname, search } = location;
  current?.leave?.();
  for (const { pattern, make } of routes) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    current = make(match.slice(1).map(decodeURIComponent), new URLSearchParams(search));
    onShown(current, isFirst);
    return;
  }
}

/** @param {MouseEvent} event */
function followLink(event) {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = /** @type {Element} */ (event.target).closest("a[href]");
  if (!isPlain || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return;
  const isOurs = link.origin === location.origin && !link.pathname.startsWith("/api/") && !link.download;
  if (!isOurs || link.target === "_blank" || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/** Codes as people write them: in any case, with spaces or hyphens, at the end of a sentence, inside of a link. */

/** The code of a room. @param {string} typed */
export function roomCodeIn(typed) {
  return namedIn(typed, "rooms")
    .toUpperCase()
    .replace(/[^\p{L}]/gu, "");
}

/** The id or the code of a variant. @param {string} typed */
export function variantNameIn(typed) {
  return namedIn(typed, "variants").replace(/[\s.,;:!]+$/u, "");
}

/**
 * What a link names below a folder; of other text what comes before a query.
 * @param {string} typed
 * @param {string} folder
 */
function namedIn(typed, folder) {
  const link = new RegExp(`/${folder}/([^/?#\\s]+)`, "u").exec(typed);
  return unquoted(link?.[1] ?? typed.split(/[?#]/u)[0] ?? "").trim();
}

/** @param {string} part */
function unquoted(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

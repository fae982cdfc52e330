/**
 * What stands beside a name to tell its player from others who bear it: docs/accounts.md.
 * Pure, and the same in every language.
 */

/** @typedef {{tag?: string | null, user_name?: string | null}} Tagged */
/** @typedef {{player: string, kind: "person" | "bot", user_name?: string | null}} Sitting */

const TAG_CHARACTERS = 4;

/** An account's user name, a guest's tag; nothing for a bot and for whoever is gone. @param {Tagged} player */
export function tagOf({ tag, user_name }) {
  if (user_name) return `@${user_name}`;
  return tag ? `#${tag}` : "";
}

/** @param {string} player his id */
export function guestTag(player) {
  return player.slice(-TAG_CHARACTERS);
}

/**
 * The same of a seat at a table. A further seat at a device, and what is lent to somebody else, has none.
 * @param {Sitting} seat
 * @param {Sitting[]} seats all of the table
 */
export function seatTag(seat, seats) {
  if (seat.kind === "bot" || seats.find((one) => one.player === seat.player) !== seat) return "";
  return tagOf({ tag: guestTag(seat.player), user_name: seat.user_name ?? null });
}

/**
 * The name alone where it says who is meant; with what tells him apart where others here bear the same.
 * @template {{name: string}} T
 * @param {T} one
 * @param {T[]} all
 * @param {(one: T) => string} tag
 */
export function nameAmong(one, all, tag) {
  const isShared = all.some((other) => other !== one && alike(other.name) === alike(one.name));
  const text = isShared ? tag(one) : "";
  return text === "" ? one.name : `${one.name} ${text}`;
}

/** @param {string} name */
function alike(name) {
  return name.normalize("NFKC").toLowerCase();
}

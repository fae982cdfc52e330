/** After a game: another one with the same players, how often each has won here, and for whom a bot played. */

/** @import {Seat} from "../protocol.js" */
/** @import {Model} from "../state.js" */
import { fill, h, isOff, setAttribute, setOff, setText, show } from "../dom.js";
import { mySeat, nameOf, nameOfPlayer } from "../state.js";
import { formatNumber, t, tn } from "../words.js";

/** So many turns played by a bot keep a result off the leaderboards (docs/rules.md). */
const MOST_BOT_TURNS = 2;

export class Rematch {
  /**
   * @param {Model} model of the game that is over
   * @param {{isReady: () => boolean, onRematch: () => void, onRoom: () => void}} actions
   */
  constructor(model, actions) {
    this.over = model;
    this.actions = actions;
    this.button = h("button", { type: "button", class: "primary", "data-testid": "rematch" });
    this.button.addEventListener("click", () => !isOff(this.button) && actions.onRematch());
    this.room = h("button", { type: "button", "data-testid": "to-the-room", onclick: actions.onRoom });
    this.starts = h("p", { class: "muted", "data-testid": "next-starter" });
    this.tally = h("p", { "data-testid": "tally" });
    this.element = h(
      "section",
      { class: "rematch", "aria-label": t("over.rematch") },
      this.tally,
      h("div", { class: "buttons" }, this.button, this.room),
      this.starts,
    );
    this.update(model);
  }

  /** @param {Model} model the room as it is now, perhaps on its way to the next game */
  update(model) {
    const { table } = model;
    if (!table) return;
    const isNext = table.room.phase === "lobby";
    const seat = mySeat(model);
    const people = table.seats.filter((one) => one.kind !== "bot" && !one.left);
    show(this.element, seat !== null && !seat.left);
    const ready = isNext ? people.filter((one) => one.ready).length : 0;
    setText(this.button, rematchText(ready, people.length));
    setAttribute(this.button, "aria-pressed", seat?.ready && isNext ? "true" : null);
    setOff(this.button, !this.actions.isReady());
    show(this.room, isNext);
    setText(this.room, t("over.to_the_room"));
    const starter = isNext ? table.seats[0] : nextStarter(table.seats);
    show(this.starts, table.seats.length > 1 && starter !== undefined);
    if (starter) setText(this.starts, starterText(starter, model));
    fill(this.tally, tallyText(this.over));
    show(this.tally, this.tally.textContent !== "");
  }
}

/**
 * @param {number} ready
 * @param {number} people
 */
function rematchText(ready, people) {
  if (people < 2) return t("over.rematch");
  return t("over.rematch_count", { ready: formatNumber(ready), people: formatNumber(people) });
}

/**
 * The seats move on by one, and who has left isn't among them.
 * @param {Seat[]} seats
 */
function nextStarter(seats) {
  return [...seats.slice(1), ...seats.slice(0, 1)].find((seat) => !seat.left);
}

/**
 * @param {Seat} seat
 * @param {Model} model
 */
function starterText(seat, model) {
  return seat.player === model.you?.player
    ? t("over.you_start")
    : t("over.starts", { name: nameOf(model, seat.seat) });
}

/** "Table so far: Lija 3, You 2"; nothing where nobody played against anybody. @param {Model} model */
export function tallyText(model) {
  const tally = model.table?.room.tally ?? [];
  if ((model.table?.seats.length ?? 0) < 2 || tally.length === 0) return "";
  const wins = [...tally]
    .sort((a, b) => b.wins - a.wins)
    .map((one) =>
      t("over.wins_of", {
        name: one.player === model.you?.player ? t("you") : nameOfPlayer(model, one),
        wins: formatNumber(one.wins),
      }),
    );
  return t("over.tally", { wins: wins.join(", ") });
}

/**
 * Players whose result is on no leaderboard since they keep the game; one's own is told of by itself.
 * @param {{seat: number, name: string, kept?: boolean}[]} seats
 * @param {number | null} [mine]
 */
export function keptNotes(seats, mine = null) {
  return seats.filter((one) => one.kept && one.seat !== mine).map(({ name }) => t("keep.by", { name }));
}

/** Seats for which a bot played so much that the result is no player's own. @param {Seat[]} seats */
export function standInNotes(seats) {
  return seats
    .filter((seat) => seat.kind !== "bot" && (seat.left || (seat.bot_turns ?? 0) > MOST_BOT_TURNS))
    .map((seat) =>
      seat.left
        ? t("over.left", { name: seat.name })
        : tn("over.bot_turns", seat.bot_turns, { name: seat.name }),
    );
}

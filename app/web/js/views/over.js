/** The game is over: places, why it ended, where it is written down, and the dice to be checked. */

/** @import {Model} from "../state.js" */
import { getRoomReplay } from "../api.js";
import { h } from "../dom.js";
import { seatMark } from "../presence.js";
import { setTitle } from "../shell.js";
import { resultSentence } from "../speech.js";
import { mySeat, nameOf } from "../state.js";
import { guestTag } from "../tags.js";
import { has, t } from "../words.js";
import { diceCheck } from "./dice_check.js";
import { KeptNote } from "./kept_note.js";
import { PanelDialog } from "./panel.js";
import { keptNotes, Rematch, standInNotes } from "./rematch.js";
import { ReplaySection } from "./replay_section.js";
import { scoresLink } from "./scores_link.js";
import { finalSheets, standingsList } from "./standings.js";

export class OverView {
  /**
   * @param {Model} model of the game that is over
   * @param {{isReady: () => boolean, onRematch: () => void, onRoom: () => void, onCorrect: () => void}} actions
   */
  constructor(model, actions) {
    this.rematch = new Rematch(model, actions);
    const table = /** @type {NonNullable<Model["table"]>} */ (model.table);
    const result = /** @type {NonNullable<typeof table.result>} */ (table.result);
    const name = (/** @type {number} */ seat) => nameOf(model, seat);
    const called = table.seats.map((seat) => ({ ...seat, name: name(seat.seat) }));
    setTitle(t("over.title"), t("table.room", { code: table.room.code }));
    this.panel = new PanelDialog(
      () => model,
      () => {},
    );
    const recorded = [
      h(
        "button",
        { type: "button", "data-testid": "panel-open", onclick: () => this.panel.open() },
        t("panel.title"),
      ),
      h(
        "a",
        { class: "button", href: `/games/${result.game}?move=0`, "data-testid": "replay-link" },
        t("replay.title"),
      ),
      h("a", { class: "button", href: `/games/${result.game}`, "data-testid": "game-link" }, t("over.game")),
      scoresLink(result.board ?? "", result.game),
    ];
    const again = h("a", { class: "button", href: "/" }, t("over.again"));
    // Nobody can check real dice: such a game is in no book, has no proof, and no panel of what was possible.
    const me = mySeat(model);
    const correct = me && !me.left ? [correctButton(actions.onCorrect)] : [];
    const links = table.room.own_dice ? [...correct, again] : [...recorded, again];
    this.shown = corrected(table);
    // It is replayed here, and from the room's log: no other page has it.
    this.replay = table.room.own_dice
      ? new ReplaySection(() => getRoomReplay(table.room.code), { isOwnDice: true, game: result.game })
      : null;
    const kept = me?.kept ? new KeptNote(result.game, me.player).element : null;
    this.element = h(
      "div",
      { class: "page wide over" },
      h("h1", {}, resultSentence(model)),
      h("p", {}, reasonText(result.reason)),
      standingsList(
        result.standings,
        name,
        (seat) => seatMark({ ...model, presence: null }, seat),
        (seat) => playerOf(table, seat),
      ),
      ...(table.room.own_dice ? [] : standInNotes(called)).map((note) =>
        h("p", { class: "muted", "data-testid": "stand-in-note" }, note),
      ),
      ...keptNotes(called, me?.seat).map((note) => h("p", { class: "muted" }, note)),
      kept,
      this.rematch.element,
      h("div", { class: "buttons" }, ...links),
      table.room.own_dice ? h("p", { class: "muted" }, t("own.not_recorded")) : diceCheck(result.game),
      this.replay?.element,
      finalSheets(table.variant, mineFirst(model), name, table.room.dropped_columns),
    );
    this.replay?.begin();
  }

  /** Whether another result has come: a sheet of own dice was corrected. @param {Model} model */
  isOutdatedBy(model) {
    return model.table?.result != null && corrected(model.table) !== this.shown;
  }

  /** The next game may be on its way. @param {Model} model */
  update(model) {
    this.rematch.update(model);
  }

  leave() {
    this.replay?.leave();
    this.panel.close();
  }
}

/** What can still change of a game that is over: its sheets, with own dice alone. @param {NonNullable<Model["table"]>} table */
function corrected({ room, result, sheets }) {
  return room.own_dice ? JSON.stringify([result, sheets]) : "";
}

/** @param {() => void} onCorrect */
function correctButton(onCorrect) {
  return h("button", { type: "button", "data-testid": "correct", onclick: onCorrect }, t("own.correct"));
}

/**
 * Who sat there, for the way to his page. Not of games with real dice, which are on no page: there a seat may be lent.
 * @param {NonNullable<Model["table"]>} table
 * @param {number} number
 * @returns {import("../scores_api.js").ListedPlayer | null}
 */
function playerOf({ room, seats }, number) {
  const seat = seats.find((one) => one.seat === number);
  if (!seat || seat.kind === "bot" || room.own_dice) return null;
  const { player: id, name, user_name } = seat;
  return { id, name, tag: user_name === null ? guestTag(id) : null, user_name };
}

/** @param {Model} model */
function mineFirst(model) {
  const mine = mySeat(model)?.seat;
  return [...(model.table?.sheets ?? [])].sort((a, b) => Number(b.seat === mine) - Number(a.seat === mine));
}

/** @param {string} reason */
export function reasonText(reason) {
  return has(`over.reason.${reason}`) ? t(`over.reason.${reason}`) : reason;
}

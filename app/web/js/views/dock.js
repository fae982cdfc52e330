/**
 * The thumb's country: status line, dice, and one row of buttons whose big one is always the next thing to do.
 */

/** @import {Cell, Turn} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Choice} from "../table_choice.js" */
import { fill, h, isOff, setAttribute, setOff, setText, show } from "../dom.js";
import { countedPlaces, scoreOf } from "../legal.js";
import { sign } from "../signs.js";
import { reasonSentence } from "../speech.js";
import { canUndo, isMyTurn, mySeat, nameOf } from "../state.js";
import { cellName, rowName, t, tn } from "../words.js";
import { DiceView } from "./dice.js";
import { StandIn, standInLine } from "./stand_in.js";
import { TurnClock } from "./turn_clock.js";

const NARROW = matchMedia("(max-width: 480px)");

/**
 * @typedef {object} DockActions
 * @property {() => void} onRoll
 * @property {() => void} onWrite
 * @property {() => void} onAnnounce enters announce mode, or announces the armed cell
 * @property {() => void} onCancel
 * @property {() => void} onUndo
 * @property {() => void} onMore
 * @property {(position: number) => void} onHold
 * @property {(position: number) => void} onHoldValue
 * @property {(make: (model: Model) => import("../protocol.js").Command | null) => void} onGive
 */

export class Dock {
  /**
   * @param {DockActions} actions
   * @param {HTMLButtonElement} chatButton
   */
  constructor(actions, chatButton) {
    /** Whether the buttons of the game leave no room for another. */
    this.isCrowded = false;
    this.clock = new TurnClock();
    this.standIn = new StandIn(actions.onGive);
    this.status = h("p", { class: "status", "data-testid": "status" });
    this.dice = new DiceView(actions.onHold, actions.onHoldValue);
    this.announce = button("announce", "", actions.onAnnounce);
    this.cancel = button("cancel", "", actions.onCancel);
    this.roll = button("roll", "primary big", actions.onRoll);
    this.write = button("write", "primary big", actions.onWrite);
    this.undo = button("dock-undo", "", actions.onUndo);
    this.more = button("more", "icon framed", actions.onMore);
    setAttribute(this.more, "aria-haspopup", "dialog");
    fill(this.more, sign("more"));
    const row = h(
      "div",
      { class: "dock-buttons" },
      this.cancel,
      this.announce,
      this.undo,
      this.roll,
      this.write,
      ...this.standIn.elements,
      chatButton,
      this.more,
    );
    const line = h("div", { class: "status-line" }, this.status, this.clock.element);
    this.element = h("section", { class: "dock" }, line, this.dice.element, row);
  }

  /**
   * @param {Model} model
   * @param {Choice} choice
   * @param {{isReady: boolean, message: string, unread: number}} now whether a command can be given, a line that wants to be
   *   read, and how much of the chat wasn't
   */
  update(model, choice, { isReady, message, unread }) {
    const turn = model.table?.turn;
    if (!turn) return;
    const hadFocus = this.element.contains(document.activeElement);
    setAttribute(this.element, "aria-label", t("dock.label"));
    setAttribute(this.more, "aria-label", unread === 0 ? t("dock.more") : tn("dock.more_unread", unread));
    setAttribute(this.more, "data-unread", unread > 0);
    this.clock.update(model);
    this.#drawDice(model, turn, choice);
    this.#drawButtons(model, turn, choice, isReady);
    setText(this.status, message || statusLine(model, turn, choice));
    if (hadFocus) this.#keepFocus();
  }

  /** A button that went away while it had the focus hands it to the next thing to do. */
  #keepFocus() {
    const active = document.activeElement;
    const isLost = !active || active === document.body || active.closest("[hidden]") !== null;
    if (isLost) this.focusMain();
  }

  focusMain() {
    const main = [this.write, this.announce, this.roll, ...this.standIn.elements].find(
      (one) => !one.hidden && one.classList.contains("big"),
    );
    main?.focus({ preventScroll: true });
  }

  /**
   * @param {Model} model
   * @param {Turn} turn
   * @param {Choice} choice
   */
  #drawDice(model, turn, choice) {
    const isMine = isMyTurn(model);
    const live = model.holding?.hold ?? turn.held;
    const counted = choice.armed && choice.mode === "fill" ? countedPlaces(turn, choice.armed.row) : [];
    this.dice.update({
      count: model.table?.variant.dice ?? 5,
      dice: turn.dice,
      hold: isMine ? choice.hold : live,
      canHold: isMine && turn.roll > 0 && turn.roll < turn.rolls,
      // Where nothing counts, dimming all dice would tell nothing.
      counted: counted.length > 0 ? counted : null,
      label: isMine ? t("dice.mine") : t("dice.of", { name: nameOf(model, turn.seat) }),
      rollKey: `${turn.turn}:${turn.roll}`,
      past: model.lastRoll,
    });
  }

  /**
   * @param {Model} model
   * @param {Turn} turn
   * @param {Choice} choice
   * @param {boolean} isReady
   */
  #drawButtons(model, turn, choice, isReady) {
    const isMine = isMyTurn(model);
    const { armed, mode } = choice;
    const isAnnouncing = mode === "announce";
    const canAnnounce = isMine && Object.values(turn.legal.announce ?? {}).some((rows) => rows.length > 0);
    show(this.announce, isAnnouncing ? armed !== null : canAnnounce && armed === null);
    this.announce.className = isAnnouncing ? "primary big" : "";
    fill(this.announce, sign("megaphone"), announceText(choice));
    setOff(this.announce, !isReady);
    show(this.cancel, isAnnouncing || armed !== null);
    setText(this.cancel, t("dock.cancel"));
    show(this.undo, armed === null && !isAnnouncing && canUndo(model));
    setText(this.undo, t("dock.undo"));
    setOff(this.undo, !isReady);
    show(this.write, !isAnnouncing && armed !== null);
    setOff(this.write, !isReady);
    if (armed && !isAnnouncing) fill(this.write, ...writeContent(turn, armed));
    const isTaken = this.standIn.update(model, isReady);
    this.isCrowded = NARROW.matches && (!this.announce.hidden || !this.cancel.hidden || isTaken);
    show(this.roll, armed === null && !isTaken);
    setOff(this.roll, !isReady || !isMine || !turn.legal.roll.legal || isAnnouncing);
    setText(this.roll, rollText(model, turn));
  }
}

/**
 * @param {string} testId
 * @param {string} className
 * @param {() => void} action
 */
function button(testId, className, action) {
  const element = h("button", { type: "button", class: className, "data-testid": testId });
  element.addEventListener("click", () => !isOff(element) && action());
  return element;
}

/** @param {Choice} choice */
function announceText({ mode, armed }) {
  return mode === "announce" && armed
    ? t("dock.announce_row", { row: rowName(armed.row) })
    : t("dock.announce");
}

/**
 * @param {Turn} turn
 * @param {Cell} cell
 */
function writeContent(turn, cell) {
  const score = scoreOf(turn.legal, cell) ?? 0;
  const text =
    score === 0
      ? t("dock.cross_out", { row: rowName(cell.row) })
      : t("dock.write", { score, row: rowName(cell.row) });
  return [h("span", { class: "clip" }, text), sign(cell.column)];
}

/**
 * @param {Model} model
 * @param {Turn} turn
 */
function rollText(model, turn) {
  if (!isMyTurn(model)) return t("dock.wait", { name: nameOf(model, turn.seat) });
  if (turn.roll >= turn.rolls) return t("dock.choose");
  return t("dock.roll", { roll: turn.roll + 1, rolls: turn.rolls });
}

/**
 * @param {Model} model
 * @param {Turn} turn
 * @param {Choice} choice
 */
function statusLine(model, turn, choice) {
  const standIn = standInLine(model);
  if (!isMyTurn(model)) return standIn || waitingLine(model, turn);
  if (standIn !== "" && choice.armed === null) return standIn;
  if (choice.mode === "announce") return t("status.pick_announce");
  if (choice.armed) return armedLine(turn, choice.armed);
  if (turn.roll === 0) return t("status.your_turn", { round: turn.round, rounds: turn.rounds });
  const rolled = t("status.rolled", { roll: turn.roll, rolls: turn.rolls });
  if (turn.roll >= turn.rolls) return `${rolled} · ${t("dock.choose")}`;
  const { reason } = turn.legal.roll;
  if (reason) return `${rolled} · ${reasonSentence(reason)}`;
  const held = choice.hold.map((position) => turn.dice[position]).join(" ");
  return held === ""
    ? `${rolled} · ${t("status.tap_dice")}`
    : `${rolled} · ${t("status.held", { dice: held })}`;
}

/**
 * @param {Turn} turn
 * @param {Cell} cell
 */
function armedLine(turn, cell) {
  const score = scoreOf(turn.legal, cell) ?? 0;
  if (score === 0) return t("status.cross_out", { cell: cellName(cell) });
  return tn("status.armed", score, { cell: cellName(cell) });
}

/**
 * @param {Model} model
 * @param {Turn} turn
 */
function waitingLine(model, turn) {
  const name = nameOf(model, turn.seat);
  const parts = [
    turn.roll === 0 ? t("status.turn_of", { name }) : t("status.other_roll", { name, roll: turn.roll }),
  ];
  if (turn.announced) parts.push(t("status.announced", { row: rowName(turn.announced.row) }));
  if (mySeat(model) === null) parts.push(t("status.watching"));
  return parts.join(" · ");
}

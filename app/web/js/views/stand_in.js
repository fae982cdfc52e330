/**
 * What is asked in the dock when a player keeps the others waiting (wait, or let the bot play this turn), and the way back for
 * one who has left: in both it stands where the big button is else.
 */

/** @import {Command} from "../protocol.js" */
/** @import {Model} from "../state.js" */
import { h, isOff, setOff, setText, show } from "../dom.js";
import { choose, takeBack } from "../protocol.js";
import { hasLeft, mySeat, nameOf } from "../state.js";
import { t } from "../words.js";

export class StandIn {
  /** @param {(make: (model: Model) => Command | null) => void} give */
  constructor(give) {
    this.wait = button("offer-wait", "", () => give((model) => choice(model, "wait")));
    this.bot = button("offer-bot", "primary big", () => give((model) => choice(model, "bot")));
    this.back = button("take-back", "primary big", () => give(wayBack));
    this.elements = [this.wait, this.bot, this.back];
  }

  /**
   * @param {Model} model
   * @param {boolean} isReady
   * @returns {boolean} whether it stands in the place of the big button
   */
  update(model, isReady) {
    const isAsked = isAskedToChoose(model);
    const canReturn = hasLeft(model) && !mySeat(model)?.barred;
    show(this.wait, isAsked);
    show(this.bot, isAsked);
    show(this.back, canReturn);
    setText(this.wait, t("offer.wait"));
    setText(this.bot, t("offer.bot"));
    setText(this.back, t("leave.take_back"));
    for (const one of this.elements) setOff(one, !isReady);
    return isAsked || canReturn;
  }
}

/** Every seated player but the one who is waited for. @param {Model} model */
export function isAskedToChoose(model) {
  const offer = model.table?.turn?.offer;
  const me = mySeat(model);
  return Boolean(offer) && me !== null && !me.left && me.seat !== offer?.seat;
}

/**
 * The line above the dice about who doesn't play himself; empty where everybody does.
 * @param {Model} model
 */
export function standInLine(model) {
  const turn = model.table?.turn;
  if (!turn) return "";
  const me = mySeat(model);
  const name = nameOf(model, turn.seat);
  const seat = model.table?.seats.find((one) => one.seat === turn.seat);
  if (me?.left) return t(me.barred ? "leave.barred" : "leave.bot_plays_on");
  if (turn.offer && turn.offer.seat === me?.seat) return t(`offer.mine.${turn.offer.reason}`);
  if (turn.offer) return t(`offer.${turn.offer.reason}`, { name });
  if (turn.bot && turn.seat === me?.seat) return t("offer.bot_for_me");
  if (seat && seat.kind !== "bot" && (turn.bot || seat.left)) return t("offer.bot_for", { name });
  return "";
}

/**
 * @param {Model} model
 * @param {"wait" | "bot"} what
 */
function choice(model, what) {
  const turn = model.table?.turn;
  return turn && isAskedToChoose(model) ? choose(turn, what) : null;
}

/** @param {Model} model */
function wayBack(model) {
  return hasLeft(model) ? takeBack(mySeat(model)?.seat ?? 0) : null;
}

/**
 * @param {string} testId
 * @param {string} className
 * @param {() => void} action
 */
function button(testId, className, action) {
  const element = h("button", { type: "button", class: className, "data-testid": testId, hidden: true });
  element.addEventListener("click", () => !isOff(element) && action());
  return element;
}

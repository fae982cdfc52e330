/**
 * The table in play: sheets, chips, banners and the dock, mounted once and updated from the model.
 * It turns taps and keys into commands and asks the server's legal actions what a tap can mean.
 */

import { announcementText } from "../announcement.js";
import { isSameCell } from "../cell_state.js";
/** @import {Action, Cell, Command, Filled} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Choice} from "../table_choice.js" */
/** @import {Chat} from "./chat.js" */
import { fill, h, setText, show } from "../dom.js";
import { scoreOf } from "../legal.js";
import { preferences } from "../preferences.js";
import { act, holding, undo } from "../protocol.js";
import { alarm, say, setTitle } from "../shell.js";
import { sign } from "../signs.js";
import { play } from "../sounds.js";
import { closedSentence, entryLine, reasonSentence } from "../speech.js";
import { canUndo, isMyTurn, mySeat, nameOf } from "../state.js";
import {
  areTooMany,
  follow,
  heldForAnnounced,
  isOpen,
  NOTHING_CHOSEN,
  placesOf,
  shownSeat,
  toggleHold,
  toggleValue,
} from "../table_choice.js";
import { t, tn } from "../words.js";
import { Chips } from "./chips.js";
import { Dock } from "./dock.js";
import { aboutColumn, openHelp } from "./help.js";
import { openMore } from "./more.js";
import { MovesDialog } from "./moves.js";
import { OtherSheets, sheetLook } from "./other_sheets.js";
import { PanelDialog } from "./panel.js";
import { SheetView } from "./sheet.js";
import { tableKeys } from "./table_keys.js";

const ENTRY_SHOWN_MS = 5_000;

/**
 * @typedef {object} Line the way to the server
 * @property {(command: Command) => boolean} command
 * @property {(message: object) => void} tell
 * @property {() => boolean} isReady connected, and no command waits for its answer
 * @property {() => boolean} isAnswerDue connected, and one does
 * @property {() => boolean} isLive connected
 * @property {(make: () => Command | null) => boolean} give a press: its command goes out now or after the answer that is due,
 *   if it is still meant then; false without a connection
 */

export class TableView {
  /** @type {Choice} */
  choice = NOTHING_CHOSEN;
  /** A sentence that wants to be read, until the table changes. */
  #message = "";

  /**
   * @param {Model} model
   * @param {Line} line
   * @param {Chat} chat
   */
  constructor(model, line, chat) {
    this.model = model;
    this.line = line;
    this.chat = chat;
    this.sheet = new SheetView({
      onCell: (cell) => this.tapCell(cell),
      onColumn: (column) => this.tell(aboutColumn(this.model.table?.variant, column)),
    });
    this.shown = new SheetView(null);
    this.others = new OtherSheets(() => this.draw());
    this.chips = new Chips({ onPeek: (seat) => this.peek(seat), onPanel: () => this.openPanel() });
    this.dock = new Dock(
      {
        onRoll: () => this.roll(),
        onWrite: () => this.write(),
        onAnnounce: () => this.announce(),
        onCancel: () => this.cancel(),
        onUndo: () => this.undo(),
        onMore: () => openMore(this),
        onHold: (position) => this.hold(position),
        onHoldValue: (position) => this.holdValue(this.turn?.dice[position] ?? 0),
        onGive: (make) => this.give(make),
      },
      chat.makeButton(() => this.dock.isCrowded),
    );
    this.moves = new MovesDialog(this);
    this.panel = new PanelDialog(
      () => this.model,
      () => this.focus(),
    );
    this.banner = h("div", { class: "banner", "data-testid": "banner", hidden: true });
    this.peekBanner = h("div", { class: "banner peek", hidden: true });
    this.heading = h("h1", { class: "vh" });
    const sheets = h(
      "div",
      { class: "sheets" },
      h("div", { class: "my-side" }, this.sheet.element, this.shown.element),
      this.others.element,
    );
    this.element = h(
      "div",
      { class: "table-view", tabindex: "-1", "data-game-area": true },
      this.heading,
      this.banner,
      this.peekBanner,
      sheets,
      this.dock.element,
    );
    this.element.addEventListener("keydown", (event) => tableKeys(this, event));
    this.update(model);
  }

  get turn() {
    return this.model.table?.turn ?? null;
  }

  /** @param {Model} model */
  update(model) {
    const isMoved = model.version !== this.model.version;
    const isEntryNew = model.lastEntry !== this.model.lastEntry;
    const before = this.turn;
    this.model = model;
    if (isMoved) this.#message = "";
    if (isEntryNew && model.lastEntry) this.#showEntry(model.lastEntry);
    this.choice = follow(this.choice, model);
    const hold = preferences.assign ? heldForAnnounced(before, model) : null;
    if (hold === null) this.draw();
    else this.#setHold(hold);
  }

  draw() {
    const { table } = this.model;
    const turn = this.turn;
    if (!table || !turn) return;
    const seat = shownSeat(this.choice, this.model);
    const me = mySeat(this.model)?.seat ?? null;
    const hadFocus = this.element.contains(document.activeElement);
    setText(this.heading, t("table.heading", { code: table.room.code }));
    this.#drawSheets(seat, me);
    this.#drawBanners(seat, me);
    this.chips.update(this.model, seat);
    const isReady = this.line.isLive();
    const { unread } = this.chat;
    this.dock.update(this.model, this.choice, { isReady, message: this.#message, unread });
    this.chat.drawButtons();
    this.moves.update();
    this.panel.update();
    setTitle(this.#titleState(), t("table.room", { code: table.room.code }));
    if (hadFocus && (document.activeElement === document.body || !document.activeElement)) this.focus();
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  leave() {
    this.moves.close();
    this.others.leave();
    this.panel.close();
    this.dock.clock.leave();
  }

  /**
   * @param {number} seat
   * @param {number | null} me
   */
  #drawSheets(seat, me) {
    const dropped = this.model.table?.room.dropped_columns ?? [];
    const isMine = seat === me;
    show(this.sheet.element, isMine);
    show(this.shown.element, !isMine);
    if (me !== null) this.sheet.update(sheetLook(this.model, me, this.choice), t("sheet.mine"), dropped);
    if (!isMine) {
      const caption = t("sheet.of", { name: nameOf(this.model, seat) });
      this.shown.update(sheetLook(this.model, seat, null), caption, dropped);
    }
    this.others.update(this.model, seat);
  }

  /**
   * @param {number} seat
   * @param {number | null} me
   */
  #drawBanners(seat, me) {
    const text = announcementText(this.model, me);
    show(this.banner, text !== "");
    if (this.banner.dataset.text !== text) fill(this.banner, sign("megaphone"), h("span", {}, text));
    this.banner.dataset.text = text;
    show(this.peekBanner, me !== null && seat !== me);
    const back = h(
      "button",
      { type: "button", "data-testid": "back-to-mine", onclick: () => this.peek(null) },
      t("peek.back"),
    );
    const peeked = `${seat} ${nameOf(this.model, seat)}`;
    if (this.peekBanner.dataset.peeked === peeked) return;
    this.peekBanner.dataset.peeked = peeked;
    fill(this.peekBanner, h("span", {}, t("sheet.of", { name: nameOf(this.model, seat) })), back);
  }

  #titleState() {
    const turn = this.turn;
    if (isMyTurn(this.model)) return t("title.your_turn");
    return t("status.turn_of", { name: turn ? nameOf(this.model, turn.seat) : "" });
  }

  /** For a few seconds, so that nobody misses what was written; the ear is told by the live region. */
  #showEntry(/** @type {Filled} */ entry) {
    const message = entryLine(this.model, entry);
    this.#message = message;
    setTimeout(() => {
      if (this.#message !== message) return;
      this.#message = "";
      this.draw();
    }, ENTRY_SHOWN_MS);
  }

  /** A line for the eye and the ear. @param {string} sentence */
  tell(sentence) {
    this.#message = sentence;
    say(sentence);
    this.draw();
  }

  /** @param {{code: string, detail?: {column?: string, rows?: string[]}}} refused */
  refused({ code, detail }) {
    const sentence = reasonSentence(code, detail?.column, detail?.rows);
    this.#message = sentence;
    play("error");
    alarm(sentence);
    this.draw();
  }

  /** @param {Partial<Choice>} changes */
  choose(changes) {
    this.choice = { ...this.choice, ...changes };
    this.#message = "";
    this.draw();
  }

  /** @param {number | null} seat */
  peek(seat) {
    const isMine = seat === (mySeat(this.model)?.seat ?? null);
    this.choose({ peek: isMine ? null : seat });
    if (this.choice.peek !== null) say(t("sheet.of", { name: nameOf(this.model, this.choice.peek) }));
  }

  /** @param {Cell} cell */
  tapCell(cell) {
    if (!isOpen(this.choice, this.model, cell)) {
      this.sheet.shake(cell);
      this.tell(closedSentence(this.model, cell));
      return;
    }
    const isSecondTap = isSameCell(this.choice.armed, cell);
    const isZero = scoreOf(this.turn?.legal, cell) === 0 && this.choice.mode === "fill";
    if (!isSecondTap) this.choose({ armed: cell });
    if (isZero) {
      // A zero is never written by the cell itself: the dock asks, and only its button says yes.
      say(this.dock.status.textContent ?? "");
      if (isSecondTap) this.dock.focusMain();
    } else if (isSecondTap || preferences.oneTap) this.confirm();
    else say(this.dock.status.textContent ?? "");
  }

  confirm() {
    if (this.choice.mode === "announce") this.announce();
    else this.write();
  }

  roll() {
    const turn = this.turn;
    if (!turn || !isMyTurn(this.model) || !turn.legal.roll.legal) return;
    this.act({ type: "roll", hold: turn.roll === 0 ? [] : this.choice.hold });
  }

  write() {
    if (this.choice.armed && this.choice.mode === "fill") this.act({ type: "fill", ...this.choice.armed });
  }

  announce() {
    if (this.choice.mode === "announce" && this.choice.armed) {
      this.act({ type: "announce", ...this.choice.armed });
    } else if (this.canAnnounce()) {
      this.choose({ mode: "announce", armed: null, peek: null });
      say(this.dock.status.textContent ?? "");
      this.sheet.focusLegal(1);
    }
  }

  canAnnounce() {
    const announce = isMyTurn(this.model) ? this.turn?.legal.announce : null;
    return Object.values(announce ?? {}).some((rows) => rows.length > 0);
  }

  cancel() {
    this.choose({ armed: null, mode: "fill" });
  }

  /** @param {Action} action */
  act(action) {
    this.give(({ table }) => (table?.turn && isMyTurn(this.model) ? act(table.turn, action) : null));
  }

  /** A press is meant for the turn, roll and announcement that were on the screen. @param {(model: Model) => Command | null} make */
  give(make) {
    const { moment } = this.choice;
    this.line.give(() => (moment === this.choice.moment ? make(this.model) : null));
    this.draw();
  }

  canUndo() {
    return canUndo(this.model);
  }

  undo() {
    this.give(({ table }) =>
      table?.turn && this.canUndo() ? undo(table.turn, table.turn.undo_seat ?? 0) : null,
    );
  }

  canHold() {
    const turn = this.turn;
    return turn !== null && isMyTurn(this.model) && turn.roll > 0 && turn.roll < turn.rolls;
  }

  /** @param {number} position */
  hold(position) {
    const most = this.turn?.legal.roll.max_hold ?? 0;
    this.#hold([position], toggleHold(this.choice, position, most).hold);
  }

  /** @param {number} value */
  holdValue(value) {
    const turn = this.turn;
    if (!turn) return;
    const { hold } = toggleValue(this.choice, turn.dice, value, turn.legal.roll.max_hold);
    this.#hold(placesOf(turn.dice, value), hold);
  }

  /** @param {boolean} isAll */
  holdAll(isAll) {
    const turn = this.turn;
    const most = turn?.legal.roll.max_hold ?? 0;
    const all = isAll ? (turn?.dice ?? []).map((_face, position) => position) : [];
    this.#hold(all, all.slice(0, most));
  }

  /**
   * Holds as many as may be held, and says so where more were wanted.
   * @param {number[]} wanted
   * @param {number[]} hold
   */
  #hold(wanted, hold) {
    const most = this.turn?.legal.roll.max_hold ?? 0;
    const isShort = this.canHold() && areTooMany(this.choice, wanted, most);
    this.#setHold(hold);
    if (isShort && most > 0) this.tell(tn("status.max_hold", most));
    else if (isShort && this.model.table?.variant.max_hold === 0) this.tell(t("summary.hold_none"));
  }

  /** @param {number[]} hold */
  #setHold(hold) {
    const turn = this.turn;
    if (!turn || !this.canHold()) return;
    play("hold");
    this.line.tell(holding(turn, hold));
    this.choose({ hold });
  }

  openMoves() {
    this.moves.open();
  }

  openPanel() {
    this.panel.open();
  }

  openHelp() {
    openHelp();
  }
}

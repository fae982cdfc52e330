/**
 * A table with real dice: the screen is the score sheet. Every seat of this device can be written at any time;
 * what can be written is told by the server.
 */

/** @import {Cell, Filled, OwnSeat, SheetAction} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
/** @import {Chat} from "./chat.js" */
import { fill, h, setOff, setText, show } from "../dom.js";
import { onSheet, takeBack } from "../protocol.js";
import { alarm, openDialog, say, setTitle } from "../shell.js";
import { sign } from "../signs.js";
import { play } from "../sounds.js";
import { entryLine, reasonSentence } from "../speech.js";
import { mySeats, nameOf, sheetOf } from "../state.js";
import { listOr, rowName, t } from "../words.js";
import { Chips } from "./chips.js";
import { aboutColumn } from "./help.js";
import { OtherSheets, sheetLook } from "./other_sheets.js";
import { Pad } from "./pad.js";
import { askToLeave, openPeople } from "./people.js";
import { shareBox } from "./share.js";
import { SheetView } from "./sheet.js";

const ENTRY_SHOWN_MS = 5_000;

export class OwnTableView {
  /** The seat whose sheet is in the middle; null for the first of this device. @type {number | null} */
  #chosen = null;
  /** @type {"fill" | "announce"} */
  #mode = "fill";
  #message = "";

  /**
   * @param {Model} model
   * @param {Line} line
   * @param {Chat} chat
   * @param {() => void} onResult back to the result of a game that is over
   */
  constructor(model, line, chat, onResult) {
    this.model = model;
    this.line = line;
    this.sheet = new SheetView({
      onCell: (cell) => this.#tap(cell),
      onColumn: (column) => this.#tell(aboutColumn(this.model.table?.variant, column)),
    });
    this.shown = new SheetView(null);
    this.others = new OtherSheets(() => this.draw());
    this.chips = new Chips({ onPeek: (seat) => this.#show(seat), onPanel: null });
    this.pad = new Pad((action) => this.#act(action));
    this.banner = h("div", { class: "banner", "data-testid": "banner", hidden: true });
    this.status = h("p", { class: "status", "data-testid": "status" });
    this.announce = this.#button("announce", () => this.#announce());
    this.cancel = this.#button("cancel", () => this.#setMode("fill"));
    this.withdraw = this.#button("withdraw", () => this.#act({ type: "withdraw" }));
    this.result = this.#button("to-the-result", onResult);
    this.clear = this.#button("clear", () => this.#askToClear());
    this.more = this.#button("more", () => this.#openMore());
    this.more.className = "icon framed";
    fill(this.more, sign("more"));
    this.heading = h("h1", { class: "vh" });
    this.element = h(
      "div",
      { class: "table-view own-dice", tabindex: "-1", "data-game-area": true },
      this.heading,
      this.banner,
      h(
        "div",
        { class: "sheets" },
        h("div", { class: "my-side" }, this.sheet.element, this.shown.element),
        this.others.element,
      ),
      h(
        "section",
        { class: "dock", "aria-label": t("dock.label") },
        this.status,
        h(
          "div",
          { class: "dock-buttons" },
          this.cancel,
          this.announce,
          this.withdraw,
          this.clear,
          this.result,
          chat.makeButton(),
          this.more,
        ),
      ),
    );
    this.update(model);
  }

  /** The sheet in the middle. */
  get seat() {
    return this.#chosen ?? mySeats(this.model)[0]?.seat ?? 0;
  }

  get isMine() {
    return mySeats(this.model).some((one) => one.seat === this.seat && !one.left);
  }

  /** What can be written on it. @returns {OwnSeat | null} */
  get own() {
    return this.model.table?.own?.seats.find((one) => one.seat === this.seat) ?? null;
  }

  /** @param {Model} model */
  update(model) {
    const isEntryNew = model.lastEntry !== this.model.lastEntry;
    if (model.version !== this.model.version) this.#message = "";
    this.model = model;
    if (isEntryNew && model.lastEntry) this.#showEntry(model.lastEntry);
    if (this.own?.announced) this.#mode = "fill";
    this.draw();
  }

  draw() {
    const { table } = this.model;
    if (!table?.own) return;
    setText(this.heading, t("table.heading", { code: table.room.code }));
    this.#drawSheets();
    this.#drawBanner();
    this.#drawDock();
    this.chips.update(this.model, this.seat);
    this.others.update(this.model, this.seat);
    setTitle(t("own.title"), t("table.room", { code: table.room.code }));
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  leave() {
    this.pad.close();
    this.others.leave();
  }

  /** @param {{code: string, detail?: {column?: string, row?: string, rows?: string[], values?: number[]}}} refused */
  refused({ code, detail }) {
    const values = detail?.values;
    const sentence =
      values && detail?.row
        ? t("own.values", { row: rowName(detail.row), values: listOr(values.map(String)) })
        : reasonSentence(code, detail?.column, detail?.rows);
    this.#message = sentence;
    play("error");
    alarm(sentence);
    this.draw();
  }

  #drawSheets() {
    const { table } = this.model;
    const dropped = table?.room.dropped_columns ?? [];
    const look = { ...sheetLook(this.model, this.seat, null), mode: this.#mode };
    const announced = this.own?.announced ?? null;
    show(this.sheet.element, this.isMine);
    show(this.shown.element, !this.isMine);
    const caption = t("sheet.of", { name: nameOf(this.model, this.seat) });
    if (this.isMine) this.sheet.update({ ...look, own: this.own, announced }, caption, dropped);
    else this.shown.update({ ...look, announced }, caption, dropped);
  }

  /** What is announced at the table, one line. */
  #drawBanner() {
    const lines = (this.model.table?.own?.seats ?? []).flatMap(({ seat, announced }) =>
      announced ? [t("own.announces", { name: nameOf(this.model, seat), row: rowName(announced.row) })] : [],
    );
    const text = lines.join(" ");
    show(this.banner, text !== "");
    if (this.banner.dataset.text !== text) fill(this.banner, sign("megaphone"), h("span", {}, text));
    this.banner.dataset.text = text;
  }

  #drawDock() {
    const isReady = this.line.isLive();
    const { own } = this;
    const canAnnounce = this.isMine && Object.values(own?.announce ?? {}).some((rows) => rows.length > 0);
    const isAnnouncing = this.#mode === "announce";
    setText(this.status, this.#message || this.#statusLine());
    show(this.cancel, isAnnouncing);
    setText(this.cancel, t("dock.cancel"));
    show(this.announce, canAnnounce && !isAnnouncing);
    fill(this.announce, sign("megaphone"), t("dock.announce"));
    show(this.withdraw, this.isMine && own?.announced !== null);
    setText(this.withdraw, t("own.withdraw"));
    show(this.clear, this.isMine);
    setText(this.clear, t("own.clear"));
    show(this.result, this.model.table?.result !== null);
    setText(this.result, t("own.to_the_result"));
    setOff(this.clear, !isReady || Object.keys(sheetOf(this.model, this.seat).cells).length === 0);
    for (const button of [this.announce, this.withdraw]) setOff(button, !isReady);
    this.more.setAttribute("aria-label", t("dock.more"));
    this.more.setAttribute("aria-haspopup", "dialog");
  }

  #statusLine() {
    const name = nameOf(this.model, this.seat);
    const hasLeft = mySeats(this.model).some((one) => one.seat === this.seat && one.left);
    if (!this.isMine) return hasLeft ? t("leave.left") : t("sheet.of", { name });
    if (this.#mode === "announce") return t("status.pick_announce");
    if (this.model.table?.result) return t("own.correcting");
    return t(mySeats(this.model).length > 1 ? "own.tap_for" : "own.tap", { name });
  }

  /**
   * @param {string} testId
   * @param {() => void} action
   */
  #button(testId, action) {
    const button = h("button", { type: "button", "data-testid": testId });
    button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && action());
    return button;
  }

  /** @param {Cell} cell */
  #tap(cell) {
    const table = this.model.table;
    const { own } = this;
    if (!table?.own || !own) return;
    if (this.#mode === "announce") {
      if (own.announce[cell.column]?.includes(cell.row)) this.#act({ type: "announce", ...cell });
      return;
    }
    const score = sheetOf(this.model, this.seat).cells[cell.column]?.[cell.row];
    const isOpen = own.open[cell.column]?.includes(cell.row) ?? false;
    if (score === undefined && !isOpen) {
      this.sheet.shake(cell);
      this.#tell(this.#closedSentence(cell, own));
      return;
    }
    this.pad.open({
      code: table.room.code,
      seat: this.seat,
      cell,
      score: score ?? null,
      values: table.own.values[cell.row] ?? [],
      dice: table.variant.dice,
    });
  }

  /**
   * @param {Cell} cell
   * @param {OwnSeat} own
   */
  #closedSentence(cell, own) {
    if (cell.column === "maximum") return reasonSentence("fills_itself", cell.column);
    const rows = own.open[cell.column] ?? [];
    if (rows.length === 0) return reasonSentence("final_too_early", cell.column);
    return reasonSentence("out_of_order", cell.column, rows);
  }

  /** @param {SheetAction} action */
  #act(action) {
    const { seat } = this;
    if (!this.line.give(() => onSheet(seat, action))) return this.#tell(t("connection.lost"));
    this.#mode = "fill";
    this.draw();
  }

  #announce() {
    this.#setMode("announce");
    say(t("status.pick_announce"));
    this.sheet.focusLegal(1);
  }

  /** @param {"fill" | "announce"} mode */
  #setMode(mode) {
    this.#mode = mode;
    this.draw();
  }

  /** @param {number} seat */
  #show(seat) {
    this.#chosen = seat;
    this.#mode = "fill";
    this.#message = "";
    this.draw();
    say(t("sheet.of", { name: nameOf(this.model, seat) }));
  }

  #askToClear() {
    const yes = h(
      "button",
      { type: "button", class: "primary", "data-testid": "clear-all" },
      t("own.clear_all"),
    );
    const no = h("button", { type: "button" }, t("dock.cancel"));
    const name = nameOf(this.model, this.seat);
    const dialog = openDialog(t("own.clear"), [
      h("p", {}, t("own.clear_question", { name })),
      h("div", { class: "buttons" }, no, yes),
    ]);
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      dialog.close();
      this.#act({ type: "clear" });
    });
  }

  #openMore() {
    const code = this.model.table?.room.code ?? "";
    const me = mySeats(this.model).find((one) => one.seat === this.seat);
    const button = (
      /** @type {string} */ testId,
      /** @type {string} */ text,
      /** @type {() => void} */ act,
    ) => {
      const one = h("button", { type: "button", "data-testid": testId }, text);
      one.addEventListener("click", () => {
        dialog.close();
        act();
      });
      return one;
    };
    const ways = h(
      "div",
      { class: "stack" },
      button("people-open", t("people.title"), () => openPeople(this.model, this.line)),
      me &&
        !me.left &&
        button("leave-game", t("leave.title"), () => askToLeave(this.model, this.line, me.seat)),
      me?.left &&
        !me.barred &&
        button("take-back", t("leave.take_back"), () => this.line.give(() => takeBack(me.seat))),
      h("a", { class: "button", href: "/" }, t("more.leave")),
    );
    const dialog = openDialog(t("dock.more"), [ways, shareBox(code)]);
  }

  /** @param {string} sentence */
  #tell(sentence) {
    this.#message = sentence;
    say(sentence);
    this.draw();
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
}

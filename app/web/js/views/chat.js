/**
 * What the players say to each other: a log, a line to write, and emotes. The panel stands in the page from the start
 * (index.html), so that its log is a live region that is known; closed it is silent, and only counts.
 */

/** @import {Command, Emoted, Said} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
import { fill, h, setAttribute, setText, show } from "../dom.js";
import { preferences } from "../preferences.js";
import { emote, sayText } from "../protocol.js";
import { say } from "../shell.js";
import { sign } from "../signs.js";
import { reasonSentence } from "../speech.js";
import { mySeat } from "../state.js";
import { formatNumber, t, tn } from "../words.js";
import { Bubble } from "./bubble.js";
import { Emotes } from "./emotes.js";
import { logLine, talkText } from "./talk_words.js";

const MOST_CHARACTERS = 200;
/** From here on the panel stands beside the game and needn't be closed to play. */
const WIDE = "(min-width: 900px)";

export class Chat {
  /** @type {{button: HTMLButtonElement, isCrowded: () => boolean}[]} */
  #buttons = [];
  /** What waits until the answer of another command has come. @type {Command[]} */
  #waiting = [];
  /** What was sent and has no answer yet, and its text. @type {Map<string, string>} */
  #sent = new Map();
  /** @type {Said | Emoted | null} the last message that was taken note of */
  #seen = null;
  #unread = 0;
  #problem = "";

  /**
   * @param {Model} model
   * @param {Line} line
   */
  constructor(model, line) {
    this.model = model;
    this.line = line;
    this.panel = /** @type {HTMLDialogElement} */ (document.getElementById("chat"));
    this.log = /** @type {HTMLElement} */ (document.getElementById("chat-log"));
    // It scrolls, so the keyboard has to reach it.
    this.log.tabIndex = 0;
    this.bubble = new Bubble();
    this.note = h("p", { class: "chat-note muted", hidden: true });
    this.problem = h("p", { class: "chat-problem chat-note", hidden: true });
    this.count = h("span", { class: "muted chat-count", id: "chat-count" });
    this.field = h("input", {
      id: "chat-field",
      "data-testid": "chat-field",
      autocomplete: "off",
      maxlength: MOST_CHARACTERS,
      "aria-describedby": "chat-count",
    });
    this.emotes = new Emotes((name) => {
      this.#give(emote(name), "");
      if (!matchMedia(WIDE).matches) this.close();
    });
    this.watching = h("p", { class: "muted chat-note", "data-testid": "chat-spectators" });
    this.form = h("form", { class: "chat-form" });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.field.addEventListener("input", () => this.#drawCount());
    this.onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.close();
    this.onClose = () => this.#closed();
    this.panel.addEventListener("keydown", this.onKey);
    this.panel.addEventListener("close", this.onClose);
    this.relabel();
  }

  /** Every word anew, also those that were said. */
  relabel() {
    const close = h("button", { type: "button", class: "icon", "aria-label": t("dialog.close") }, "×");
    close.addEventListener("click", () => this.close());
    fill(
      /** @type {HTMLElement} */ (document.getElementById("chat-head")),
      h("h2", { id: "chat-title" }, t("chat.title")),
      close,
    );
    fill(
      this.form,
      h("label", { for: "chat-field", class: "vh" }, t("chat.field")),
      this.field,
      h("button", { type: "submit", "data-testid": "chat-send" }, t("chat.send")),
      this.count,
    );
    setAttribute(this.field, "placeholder", t("chat.field"));
    this.emotes.relabel();
    fill(
      /** @type {HTMLElement} */ (document.getElementById("chat-foot")),
      this.emotes.element,
      this.note,
      this.problem,
      this.form,
      this.watching,
    );
    fill(this.log, ...this.model.talk.map((one) => logLine(this.model, one)));
    this.#seen = this.model.talk.at(-1) ?? null;
    this.#draw();
  }

  /**
   * A way in; every place where one stands shows the same count.
   * @param {() => boolean} [isCrowded] whether there is no room for it just now
   */
  makeButton(isCrowded = () => false) {
    const button = h("button", {
      type: "button",
      class: "icon framed chat-button",
      "data-testid": "chat-open",
      "aria-haspopup": "dialog",
    });
    button.addEventListener("click", () => this.toggle());
    this.#buttons = [...this.#buttons.filter((one) => one.button.isConnected), { button, isCrowded }];
    return button;
  }

  get unread() {
    return this.#unread;
  }

  /** Whether there is anybody to talk to. */
  get isUseful() {
    const persons = new Set(
      (this.model.table?.seats ?? []).filter((seat) => seat.kind !== "bot").map((seat) => seat.player),
    );
    return persons.size > 1 || (this.model.presence?.spectators ?? 0) > 0;
  }

  /** @param {Model} model */
  update(model) {
    this.model = model;
    const isNew = this.#takeNote();
    this.#sendWaiting();
    this.#draw();
    if (isNew && this.panel.open) this.log.scrollTop = this.log.scrollHeight;
  }

  /**
   * The answer of something that was said here.
   * @param {{type: string, request?: string | null, code?: string}} message
   * @returns {boolean} whether it was
   */
  takeAnswer({ type, request, code }) {
    const text = this.#sent.get(request ?? "");
    if (text === undefined || (type !== "ok" && type !== "refused")) return false;
    this.#sent.delete(request ?? "");
    this.#problem = type === "refused" ? reasonSentence(code ?? "") : "";
    if (type === "refused" && this.field.value === "") this.field.value = text;
    if (type === "refused") say(this.#problem);
    return true;
  }

  toggle() {
    if (this.panel.open) this.close();
    else this.open();
  }

  open() {
    if (this.panel.open) return;
    this.#unread = 0;
    this.bubble.hide();
    const isWide = matchMedia(WIDE).matches;
    if (isWide) this.panel.show();
    else this.panel.showModal();
    document.body.classList.toggle("beside-chat", isWide);
    this.#draw();
    this.log.scrollTop = this.log.scrollHeight;
    // On a phone the field would bring up the keyboard, and the emotes would be gone.
    const first = matchMedia("(pointer: fine)").matches && !this.form.hidden ? this.field : this.log;
    first.focus();
  }

  close() {
    this.panel.close();
  }

  #closed() {
    document.body.classList.remove("beside-chat");
    this.#draw();
  }

  /** The room is left: nothing of it stays on the page. */
  leave() {
    this.close();
    this.bubble.hide();
    this.panel.removeEventListener("keydown", this.onKey);
    this.panel.removeEventListener("close", this.onClose);
    fill(this.log);
  }

  #submit() {
    const text = this.field.value.trim();
    if (text === "") return;
    this.field.value = "";
    this.#give(sayText(text), text);
  }

  /**
   * @param {Command} command
   * @param {string} text what goes back into the field when it is refused
   */
  #give(command, text) {
    this.#problem = "";
    this.#sent.set(command.request, text);
    this.#waiting.push(command);
    this.#sendWaiting();
    this.#draw();
  }

  /** One command at a time has no answer yet, and the game's go first: they are given at once. */
  #sendWaiting() {
    const [next] = this.#waiting;
    if (next && this.line.isReady() && this.line.command(next)) this.#waiting.shift();
  }

  /** @returns {boolean} whether something new was said */
  #takeNote() {
    const { talk, you } = this.model;
    const fresh = this.#seen === null ? talk : talk.slice(talk.indexOf(this.#seen) + 1);
    const isAnotherTable = this.#seen !== null && !talk.includes(this.#seen);
    if (fresh.length === 0 || isAnotherTable) return false;
    this.#seen = fresh.at(-1) ?? null;
    this.log.append(...fresh.map((one) => logLine(this.model, one)));
    while (this.log.childElementCount > talk.length) this.log.firstElementChild?.remove();
    if (this.panel.open) return true;
    this.#unread += fresh.filter((one) => one.player !== you?.player).length;
    const lines = fresh.map((one) => talkText(this.model, one)).filter(Boolean);
    this.bubble.show(lines.at(-1) ?? "");
    if (preferences.speech === "full") say(lines.join(" "));
    return true;
  }

  #draw() {
    const { table } = this.model;
    const canSpeak = mySeat(this.model) !== null;
    const isOn = table?.room.chat ?? true;
    show(this.form, canSpeak && isOn);
    show(this.emotes.element, canSpeak);
    show(this.note, !canSpeak || !isOn);
    setText(this.note, t(canSpeak ? "chat.off" : "chat.seated_only"));
    show(this.problem, this.#problem !== "");
    setText(this.problem, this.#problem);
    const watching = this.model.presence?.spectators ?? 0;
    show(this.watching, watching > 0);
    setText(this.watching, tn("room.spectators", watching));
    this.#drawCount();
    this.drawButtons();
  }

  drawButtons() {
    for (const { button, isCrowded } of this.#buttons)
      this.#drawButton(button, this.isUseful && !isCrowded());
  }

  #drawCount() {
    const count = formatNumber(Array.from(this.field.value).length);
    setText(this.count, t("chat.count", { count, most: formatNumber(MOST_CHARACTERS) }));
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {boolean} isShown
   */
  #drawButton(button, isShown) {
    show(button, isShown);
    setAttribute(button, "aria-expanded", this.panel.open ? "true" : "false");
    setAttribute(
      button,
      "aria-label",
      this.#unread === 0 ? t("chat.title") : tn("chat.open_unread", this.#unread),
    );
    if (button.dataset.unread === String(this.#unread)) return;
    button.dataset.unread = String(this.#unread);
    const badge = h("span", { class: "badge-count", "data-testid": "unread" }, formatNumber(this.#unread));
    fill(button, sign("chat"), this.#unread > 0 && badge);
  }
}

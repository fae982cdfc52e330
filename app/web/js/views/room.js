/**
 * One room: it owns the socket and the model, and shows the lobby, the table or the result as the state says.
 */

/** @import {Command, ServerMessage} from "../protocol.js" */
/** @import {Status} from "../connection.js" */
/** @import {Model} from "../state.js" */
import { findRoom, getMe, isServerThere, playAs } from "../api.js";
import { Connection } from "../connection.js";
import { noteWish } from "../device_keeping.js";
import { pinned } from "../dice_pins.js";
import { fill, h } from "../dom.js";
import { EarlyPresses } from "../early_presses.js";
import { preferences, remember } from "../preferences.js";
import { presenceLine } from "../presence.js";
import { newDiceText, ready, rematch } from "../protocol.js";
import { noteSeat } from "../seat_at_stake.js";
import { alarm, drawBar, focusPage, homeLink, say, setTitle, showConnection } from "../shell.js";
import { reasonSentence, spokenLine } from "../speech.js";
import { EMPTY, mySeat, reduce } from "../state.js";
import { nextStep } from "../taking_place.js";
import { has, t } from "../words.js";
import { Chat } from "./chat.js";
import { playEvents } from "./event_sounds.js";
import { GuestCard } from "./guest_card.js";
import { LobbyView } from "./lobby.js";
import { openMenu } from "./menu.js";
import { OverView } from "./over.js";
import { OwnTableView } from "./own_table.js";
import { problemText } from "./problem.js";
import { TableView } from "./table.js";

/** @typedef {"lobby" | "table" | "own" | "over"} Scene */

export class RoomPage {
  /** @type {Model} */
  model = EMPTY;
  /** @type {Connection | null} */
  #connection = null;
  /** @type {LobbyView | TableView | OwnTableView | OverView | null} */
  #view = null;
  /** @type {Scene | null} */
  #scene = null;
  /** The maker of a room takes his seat without being asked, but only once. */
  #hasAskedToJoin = false;
  /** The game after which this player wants another one. @type {string | null} */
  #rematch = null;
  /** The result stays on the screen until its player goes on, although the room may be ahead. @type {Model | null} */
  #over = null;
  /** Whether the player corrects a sheet of own dice although the game is over. */
  #isCorrecting = false;
  #isLeft = false;
  /** Whether the server has let this page in since it last ended its session. */
  #wasLive = false;

  /** @param {string} code */
  constructor(code) {
    this.code = code;
    this.element = h("div", { class: "room" });
    this.wakeUp = () => this.#connection?.wake();
    this.seen = () => {
      this.#connection?.tellPresence();
      if (document.visibilityState === "visible") this.wakeUp();
    };
    const line = {
      command: (/** @type {Command} */ command) => this.#command(command),
      tell: (/** @type {object} */ message) => this.#connection?.send(message),
      isReady: () => this.#connection?.isFree() ?? false,
      isAnswerDue: () => this.#connection?.isAnswerDue() ?? false,
      isLive: () => this.#connection?.isLive() ?? false,
    };
    this.presses = new EarlyPresses(line);
    this.line = { ...line, give: (/** @type {() => Command | null} */ make) => this.presses.give(make) };
    this.chat = new Chat(EMPTY, this.line);
    this.#bar([homeLink()]);
    setTitle("", t("table.room", { code }));
    this.#say(t("connection.connecting"));
    void this.#enter();
  }

  leave() {
    this.#isLeft = true;
    removeEventListener("online", this.wakeUp);
    document.removeEventListener("visibilitychange", this.seen);
    this.#connection?.close();
    this.chat.leave();
    if (this.#view && "leave" in this.#view) this.#view.leave();
    delete document.body.dataset.scene;
    showConnection("");
  }

  relabel() {
    this.#bar([homeLink()]);
    this.chat.relabel();
    this.#scene = null;
    if (this.model.table) this.#draw();
    else void this.#enter();
  }

  /** @param {boolean} [wasHere] whether the session has ended by which this page was at the table */
  async #enter(wasHere = false) {
    try {
      const room = await findRoom(this.code);
      if (room === null) return this.#nothingHere();
      if ((await getMe()) === null) return this.#askName(room.phase === "lobby", wasHere);
    } catch (error) {
      return this.#failed(problemText(error));
    }
    this.#connect();
  }

  /**
   * A visitor has no session yet, or no more, and the socket wants one.
   * @param {boolean} canJoin
   * @param {boolean} wasHere
   */
  #askName(canJoin, wasHere) {
    if (this.#isLeft) return;
    const onName = async (/** @type {string} */ name, /** @type {boolean} */ wantsToJoin) => {
      await playAs(name);
      if (wantsToJoin) history.replaceState({ join: true }, "");
      this.#connect();
    };
    fill(this.element, new GuestCard(this.code, canJoin, onName, wasHere).element);
    focusPage();
    if (wasHere) alarm(t("connection.signed_out"));
  }

  /**
   * The session of this socket is over: the browser may have another by now, of the same player who has just
   * registered, or of another player. Whoever it is, he sees the table anew.
   */
  #sessionEnded() {
    if (!this.#wasLive) return this.#failed(t("connection.refused", { code: 4401 }));
    this.#wasLive = false;
    this.#forgetTable();
    this.model = EMPTY;
    this.#hasAskedToJoin = false;
    void this.#enter(true);
  }

  #connect() {
    // The answers of #enter may come when the player is on another page already.
    if (this.#isLeft) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/ws/rooms/${encodeURIComponent(this.code)}`;
    this.#connection?.close();
    this.#connection = new Connection(address, {
      seen: () => this.model,
      onMessage: (message) => this.#receive(message),
      onStatus: (status, code) => this.#statusChanged(status, code),
      isAway: () => document.visibilityState === "hidden",
      isServerThere,
    });
    addEventListener("online", this.wakeUp);
    document.addEventListener("visibilitychange", this.seen);
    this.#connection.connect();
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    const before = this.model;
    this.model = reduce(before, message, Date.now());
    if (message.type === "presence") say(presenceLine(before, this.model, preferences.speech));
    if (message.type === "update" && this.model.version !== before.version) {
      const isTurnNew = this.model.table?.turn?.turn !== before.table?.turn?.turn;
      say(spokenLine(this.model, message.events, isTurnNew, preferences.speech));
      playEvents(this.model, message.events, isTurnNew);
    }
    // An alert of its own, until the connection has something newer to say.
    if (message.type === "notice" && has(`notice.${message.code}`))
      showConnection(t(`notice.${message.code}`));
    // Buttons wait for the answer of a command: they look again when the connection has taken note of it.
    queueMicrotask(() => this.#afterMessage(message));
  }

  /** @param {ServerMessage} message */
  #afterMessage(message) {
    const isOfChat = this.chat.takeAnswer(message);
    if (message.type === "refused" && !isOfChat) this.#refused(message);
    if (this.model.table === null) return;
    this.#draw();
    if (message.type === "update" && this.#view instanceof LobbyView) this.#view.hear(message.events);
    this.presses.send();
    this.#takePlace();
    this.chat.update(this.model);
  }

  /** @param {import("../protocol.js").Refused} refused */
  #refused(refused) {
    if (this.#connection?.isBusy() && refused.code === "unavailable") return;
    if (this.#view instanceof TableView || this.#view instanceof OwnTableView) this.#view.refused(refused);
    else if (this.#view instanceof LobbyView) this.#view.refused(reasonSentence(refused.code));
    else alarm(reasonSentence(refused.code));
  }

  /**
   * Every command goes this way: what binds the server is written down before a text for the dice is sent.
   * @param {Command} command
   */
  #command(command) {
    if (!this.#connection || this.#connection.isBusy()) return false;
    return this.#connection.command(pinned(command, this.model));
  }

  /** What nobody has to press: a seat for the maker, bots where they were wished for, the start of a table of one. */
  #takePlace() {
    if (!this.line.isReady()) return;
    const { join = false, bots = 0 } = history.state ?? {};
    const wish = { join: join && !this.#hasAskedToJoin, bots, rematch: this.#rematch };
    const step = nextStep(this.model, wish);
    if (step === null || (step.type === "join" && this.#hasAskedToJoin)) return;
    if (step.type === "join") {
      this.#hasAskedToJoin = true;
      history.replaceState({ bots }, "");
    }
    if (step.type === "ready") this.#rematch = null;
    this.line.command(step);
  }

  /** Another game: the room is asked for it, and once it is there this player is ready with new dice. */
  #askForRematch() {
    const { table } = this.model;
    const game = this.#over?.table?.result?.game;
    if (!table || game === undefined || !this.line.isReady()) return;
    if (table.room.phase !== "lobby") {
      this.#rematch = game;
      this.line.command(rematch(game));
    } else {
      const seat = mySeat(this.model);
      const isReady = seat?.ready ?? false;
      this.line.command(ready(!isReady, !isReady && seat?.text === "" ? newDiceText() : null));
    }
    this.#draw();
  }

  #draw() {
    const scene = this.#sceneNow();
    if (scene !== "over") this.#over = null;
    else if (this.model.table?.result) this.#over = this.model;
    this.#keepInMind();
    noteSeat(this.model);
    if (scene === this.#scene && !(this.#view instanceof OverView && this.#view.isOutdatedBy(this.model))) {
      this.#view?.update(this.model);
      return;
    }
    const isFirst = this.#scene === null;
    const old = this.#view;
    if (old && "leave" in old) old.leave();
    this.#scene = scene;
    this.#view = this.#makeView(scene);
    // In another language the same dice are held.
    if (old instanceof TableView && this.#view instanceof TableView) this.#view.choose(old.choice);
    if ("chips" in this.#view) this.#bar([this.#view.chips.element]);
    else this.#bar([homeLink()], [this.chat.makeButton()]);
    document.body.dataset.scene = scene === "own" ? "table" : scene;
    fill(this.element, this.#view.element);
    this.chat.drawButtons();
    if ("focus" in this.#view) this.#view.focus();
    else if (!isFirst) focusPage();
  }

  /** @returns {Scene} */
  #sceneNow() {
    if (!this.model.table?.result) this.#isCorrecting = false;
    if (this.#isCorrecting) return "own";
    if (this.model.table?.result || this.#isStillOver()) return "over";
    if (this.model.table?.own) return "own";
    return this.model.table?.turn ? "table" : "lobby";
  }

  /** Others went on to the next game's lobby, and this player is still reading the result. */
  #isStillOver() {
    const { room } = this.model.table ?? {};
    const game = this.#over?.table?.result?.game;
    return game !== undefined && room?.phase === "lobby" && room.previous_game === game;
  }

  /** @param {Scene} scene */
  #makeView(scene) {
    switch (scene) {
      case "lobby":
        return new LobbyView(this.model, this.line);
      case "table":
        return new TableView(this.model, this.line, this.chat);
      case "own":
        return new OwnTableView(this.model, this.line, this.chat, () => this.#correct(false));
      case "over":
        return this.#makeOver();
    }
  }

  #makeOver() {
    const view = new OverView(this.#over ?? this.model, {
      isReady: () => this.line.isReady(),
      onRematch: () => this.#askForRematch(),
      onCorrect: () => this.#correct(true),
      onRoom: () => {
        this.#over = null;
        this.#draw();
      },
    });
    view.update(this.model);
    return view;
  }

  /** @param {boolean} isCorrecting */
  #correct(isCorrecting) {
    this.#isCorrecting = isCorrecting;
    this.#draw();
  }

  /** The open room for "Continue". */
  #keepInMind() {
    const { table } = this.model;
    if (!table || mySeat(this.model) === null) return;
    noteWish(this.model);
    const room = table.result ? null : table.room.code;
    if (preferences.room !== room) remember({ room });
  }

  /**
   * @param {Status} status
   * @param {number | null} code
   */
  #statusChanged(status, code) {
    const lost = t(code === 4431 ? "connection.too_many" : "connection.lost");
    const blocked = t("connection.blocked");
    const texts = { connecting: "", live: "", lost, blocked, closed: "", outdated: "" };
    showConnection(texts[status]);
    if (status === "live") this.#wasLive = true;
    this.presses.send();
    if (status === "closed") this.#closed(code ?? 0);
    else if (status === "outdated") this.#failed(t("connection.outdated"), reloadButton());
    else if (this.model.table) this.#draw();
  }

  /** @param {number} code */
  #closed(code) {
    if (code === 4401) return this.#sessionEnded();
    if (code === 4404) return this.#nothingHere();
    this.#failed(t(code === 4410 ? "connection.gone" : "connection.refused", { code }));
  }

  #nothingHere() {
    if (preferences.room === this.code) remember({ room: null });
    this.#failed(t("home.no_room", { code: this.code }));
  }

  /**
   * @param {string} text
   * @param {HTMLElement} [wayOut] where another one than the first page helps
   */
  #failed(text, wayOut) {
    this.#forgetTable();
    const home = wayOut ?? h("a", { class: "button primary", href: "/" }, t("menu.home"));
    fill(
      this.element,
      h("div", { class: "page" }, h("h1", {}, t("table.room", { code: this.code })), h("p", {}, text), home),
    );
    alarm(text);
  }

  /** Nothing of the table is shown any more. */
  #forgetTable() {
    if (this.#view && "leave" in this.#view) this.#view.leave();
    delete document.body.dataset.scene;
    this.#scene = null;
    this.#view = null;
    this.#over = null;
  }

  /** @param {string} text */
  #say(text) {
    fill(
      this.element,
      h("div", { class: "page" }, h("h1", {}, t("table.room", { code: this.code })), h("p", {}, text)),
    );
  }

  /**
   * @param {Node[]} start
   * @param {Node[]} [more]
   */
  #bar(start, more = []) {
    drawBar(start, openMenu, more);
  }
}

function reloadButton() {
  const button = h(
    "button",
    { type: "button", class: "primary", "data-testid": "reload" },
    t("connection.reload"),
  );
  button.addEventListener("click", () => location.reload());
  return button;
}

/**
 * The replay on a page of a finished game: loaded when somebody wants it, or when the address names a position
 * (`?move=42`). The address follows the position, so that it can be shared.
 */

/** @import {Replay} from "../replay.js" */
import { Problem } from "../api.js";
import { DeviceRefusal } from "../device_store.js";
import { fill, h, setText, show } from "../dom.js";
import { say } from "../shell.js";
import { nameAmong, tagOf } from "../tags.js";
import { t } from "../words.js";
import { DELETED } from "./player_name.js";
import { problemText } from "./problem.js";
import { ReplayView } from "./replay.js";
import { copyText } from "./share.js";

/** The name of the position in an address. */
const MOVE = "move";
const GAME = "game";
/** Some browsers refuse an address that changes with every repeat of a key. */
const ADDRESS_MS = 250;

export class ReplaySection {
  /** @type {ReplayView | null} */
  #view = null;
  /** @type {number | null} */
  #timer = null;
  #isLoading = false;
  #isLeft = false;

  /**
   * @param {() => Promise<Replay>} load throws Problem, DeviceRefusal
   * @param {{isOwnDice?: boolean, isShared?: boolean, game?: string | null}} [options] `isShared`: others find it at
   *   this address too; `game`: to be named by the address, where other games will be shown at the same one
   */
  constructor(load, { isOwnDice = false, isShared = true, game = null } = {}) {
    this.load = load;
    this.isOwnDice = isOwnDice;
    this.isShared = isShared;
    this.game = game;
    this.heading = h("h2", { id: "replay-title", tabindex: -1 }, t("replay.title"));
    this.told = h("p", { "data-testid": "replay-told" });
    this.button = h("button", { type: "button", "data-testid": "replay-open" }, t("replay.title"));
    this.button.addEventListener("click", () => void this.#open("0"));
    this.body = h(
      "div",
      {},
      h("p", { class: "muted" }, t("replay.about")),
      h("div", { class: "buttons" }, this.button),
    );
    this.element = h(
      "section",
      { class: "replay-section", id: "replay", "aria-labelledby": "replay-title" },
      this.heading,
      this.told,
      this.body,
    );
  }

  /** Once it is on the page: what the address asks for. */
  begin() {
    const query = new URLSearchParams(location.search);
    const at = query.get(MOVE);
    if (at !== null && (this.game === null || query.get(GAME) === this.game)) void this.#open(at);
  }

  leave() {
    this.#isLeft = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#view?.leave();
  }

  /** @param {string} at */
  async #open(at) {
    if (this.#isLoading || this.#view) return;
    this.#isLoading = true;
    this.#tell(t("page.loading"));
    try {
      const replay = await this.load();
      if (!this.#isLeft) this.#show(replay, at);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof DeviceRefusal)) throw error;
      const text = error instanceof DeviceRefusal ? t("device.refused") : problemText(error);
      this.#tell(t("replay.missing", { reason: text }), true);
      say(text);
    } finally {
      this.#isLoading = false;
    }
  }

  /**
   * @param {string} text
   * @param {boolean} [isProblem]
   */
  #tell(text, isProblem = false) {
    this.told.className = isProblem ? "problem" : "";
    setText(this.told, text);
    show(this.told, text !== "");
  }

  /** @param {Replay} replay @param {string} at */
  #show(replay, at) {
    this.#tell("");
    const called = replay.seats.map((one) => ({
      ...one,
      name: one.player === DELETED ? t("player.deleted") : one.name,
    }));
    const seats = new Map(called.map((one) => [one.seat, nameAmong(one, called, tagOf)]));
    this.#view = new ReplayView(replay, {
      at,
      isOwnDice: this.isOwnDice,
      nameOf: (seat) => seats.get(seat) ?? "",
      onPosition: (position) => this.#moved(position),
    });
    fill(this.body, this.#view.element, this.isShared && this.#copyButton());
    this.heading.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "start" });
  }

  /** @param {number} position */
  #moved(position) {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      history.replaceState(history.state, "", this.#addressOf(position));
    }, ADDRESS_MS);
  }

  #copyButton() {
    const copy = h("button", { type: "button", "data-testid": "replay-copy" }, t("replay.copy"));
    copy.addEventListener("click", async () => {
      const isCopied = await copyText(location.origin + this.#addressOf(this.#view?.position ?? 0));
      setText(copy, t(isCopied ? "share.copied" : "replay.copy"));
      say(t(isCopied ? "share.copied" : "share.select"));
    });
    return h("div", { class: "buttons" }, copy);
  }

  /** This page at a position of its game. @param {number} position */
  #addressOf(position) {
    const query = new URLSearchParams(location.search);
    if (this.game !== null) query.set(GAME, this.game);
    query.set(MOVE, String(position));
    return `${location.pathname}?${query}`;
  }
}

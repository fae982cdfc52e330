/** After a game that its player keeps: whether its record is on this device yet, and what to do where it isn't. */

/** @import {GameRecord} from "../api.js" */
import { gameAddress, Problem } from "../api.js";
import { isOnDevice, isRemoved, storeGame, storeSoon } from "../device_keeping.js";
import { DeviceRefusal } from "../device_store.js";
import { fill, h } from "../dom.js";
import { say } from "../shell.js";
import { t } from "../words.js";
import { placeAddress } from "./score_places.js";

/** @typedef {"storing" | "stored" | "removed" | "late" | "refused"} Stage */

export class KeptNote {
  /**
   * @param {string} game
   * @param {string} player who keeps it
   * @param {GameRecord | null} [record] where the page has it already
   */
  constructor(game, player, record = null) {
    this.game = game;
    this.player = player;
    this.record = record;
    this.element = h("section", { class: "kept", "data-testid": "kept-note", "aria-label": t("keep.title") });
    void this.#begin();
  }

  async #begin() {
    try {
      if (await isOnDevice(this.game)) return this.#draw("stored");
      if (isRemoved(this.game)) return this.#draw("removed");
    } catch (error) {
      if (!(error instanceof DeviceRefusal)) throw error;
      return this.#draw("refused");
    }
    await this.#store();
  }

  async #store() {
    this.#draw("storing");
    try {
      if (this.record) await storeGame(this.game, this.player, this.record);
      else await storeSoon(this.game, this.player);
      this.#draw("stored");
      say(t("keep.stored"));
    } catch (error) {
      if (!(error instanceof Problem || error instanceof DeviceRefusal)) throw error;
      this.#draw(error instanceof DeviceRefusal ? "refused" : "late");
      say(t(error instanceof DeviceRefusal ? "keep.not_stored" : "keep.late"));
    }
  }

  /** @param {Stage} stage */
  #draw(stage) {
    this.element.dataset.stage = stage;
    fill(this.element, h("p", {}, t(TEXTS[stage])), h("div", { class: "buttons" }, ...this.#ways(stage)));
  }

  /** @param {Stage} stage */
  #ways(stage) {
    if (stage === "storing") return [];
    if (stage === "stored")
      return [h("a", { class: "button", href: placeAddress("device") }, t("keep.list"))];
    const again = h(
      "button",
      { type: "button", "data-testid": "keep-again", onclick: () => void this.#store() },
      t(stage === "removed" ? "keep.store" : "keep.again"),
    );
    if (stage !== "refused") return [again];
    const record = h(
      "a",
      { class: "button", href: gameAddress(this.game), download: `yamb-${this.game}.json` },
      t("check.record"),
    );
    return [again, record];
  }
}

/** @type {Record<Stage, string>} */
const TEXTS = {
  storing: "keep.storing",
  stored: "keep.stored",
  removed: "keep.removed",
  late: "keep.late",
  refused: "keep.not_stored",
};

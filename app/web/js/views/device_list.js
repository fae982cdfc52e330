/** The high scores of this device: the games that were kept here, with the filters of the server's boards. */

/** @import {PlacedScore, Score} from "../device_scores.js" */
import { knownMe } from "../api.js";
import { periodOf } from "../board_filters.js";
import { fileOf, gamesIn, MOST_BYTES, WrongFile } from "../device_file.js";
import { storePending } from "../device_keeping.js";
import { boardsOf, placed, timeOf } from "../device_scores.js";
import { DeviceRefusal, deviceGames, deviceScores, keepOnDevice } from "../device_store.js";
import { download, fill, h, setText } from "../dom.js";
import { preferences } from "../preferences.js";
import { setTitle } from "../shell.js";
import { boardTitle, variantName } from "../speech.js";
import { formatDay, formatNumber, t, tn } from "../words.js";
import { scoresTable } from "./board_table.js";
import { periodSelect } from "./period_choice.js";
import { placeAddress, scorePlaces } from "./score_places.js";

export class DeviceListPage {
  /** @type {Score[]} */
  #scores = [];

  /** @param {URLSearchParams} query */
  constructor(query) {
    setTitle(t("home.scores"), t("scores.where.device"));
    this.chosen = query.get("variant");
    this.variant = h("select", { id: "variant", "data-testid": "filter-variant" });
    this.period = periodSelect(periodOf(query));
    for (const one of [this.variant, this.period]) one.addEventListener("change", () => this.#filter());
    this.results = h(
      "div",
      { class: "results", "data-testid": "device-scores" },
      h("p", {}, t("page.loading")),
    );
    this.told = h("p", { role: "status", "data-testid": "device-told" });
    this.element = h(
      "div",
      { class: "page" },
      h("h1", {}, t("home.scores")),
      scorePlaces("device"),
      h(
        "div",
        { class: "filters" },
        h("p", { class: "field" }, h("label", { for: "variant" }, t("lobby.variant")), this.variant),
        h("p", { class: "field" }, h("label", { for: "period" }, t("scores.period")), this.period),
      ),
      this.results,
      h(
        "section",
        { "aria-labelledby": "device-files" },
        h("h2", { id: "device-files" }, t("device.files")),
        h("p", { class: "muted" }, t("device.files_about")),
        h("div", { class: "buttons" }, this.#exportButton(), ...this.#importField()),
        this.told,
      ),
    );
    void this.#open();
  }

  async #open() {
    await this.#load();
    await storePending();
    await this.#load();
  }

  async #load() {
    try {
      this.#scores = await deviceScores();
    } catch (error) {
      if (!(error instanceof DeviceRefusal)) throw error;
      fill(this.results, h("p", { class: "problem" }, t("device.refused")));
      return;
    }
    this.#offerVariants();
    this.#draw();
  }

  /** The variants that there are games of, and the one that was asked for. */
  #offerVariants() {
    const boards = boardsOf(this.#scores);
    const chosen = this.chosen ?? boards[0]?.board ?? preferences.soloVariant;
    const nameless = { board: chosen, dice: 0, columns: [] };
    const all = boards.some((one) => one.board === chosen) ? boards : [nameless, ...boards];
    const titles = all.map(titleOf);
    const options = all.map(({ board }, index) => {
      const title = titles[index] ?? "";
      const isAmbiguous = titles.filter((one) => one === title).length > 1;
      return h(
        "option",
        { value: board, selected: board === chosen },
        isAmbiguous ? `${title} · ${board}` : title,
      );
    });
    fill(this.variant, ...options);
  }

  #filter() {
    this.chosen = this.variant.value;
    const filters = new URLSearchParams({ variant: this.chosen, period: this.period.value });
    history.replaceState(null, "", placeAddress("device", filters));
    this.#draw();
  }

  #draw() {
    const listed = placed(this.#scores, {
      board: this.variant.value,
      time: timeOf(this.period.value, Date.now()),
    });
    if (listed.length > 0) return fill(this.results, this.#count(), listOf(listed));
    fill(this.results, this.#count(), h("p", {}, t("device.empty")));
  }

  #count() {
    return h("p", { class: "muted", "data-testid": "device-count" }, tn("device.count", this.#scores.length));
  }

  #exportButton() {
    const button = h("button", { type: "button", "data-testid": "device-export" }, t("device.export"));
    button.addEventListener("click", () =>
      this.#attempt(async () => {
        const games = await deviceGames();
        download(`yamb-games-${new Date().toISOString().slice(0, 10)}.json`, fileOf(games));
        this.#tell(tn("device.exported", games.length));
      }),
    );
    return button;
  }

  /** The field itself can't be dressed: its button opens it. */
  #importField() {
    const field = h("input", {
      type: "file",
      accept: ".json,application/json",
      hidden: true,
      "data-testid": "device-file",
    });
    field.addEventListener("change", async () => {
      const [file] = field.files ?? [];
      if (file) await this.#attempt(() => this.#import(file));
      field.value = "";
    });
    const button = h("button", { type: "button", "data-testid": "device-import" }, t("device.import"));
    button.addEventListener("click", () => field.click());
    return [button, field];
  }

  /** @param {File} file */
  async #import(file) {
    if (file.size > MOST_BYTES) return this.#tell(t("device.too_big"), true);
    const me = await knownMe().catch(() => null);
    const games = gamesIn(await file.text(), me?.player ?? null);
    const added = await keepOnDevice(games);
    await this.#load();
    const known = games.length - added;
    const lines = [tn("device.imported", added), ...(known > 0 ? [tn("device.known", known)] : [])];
    this.#tell(lines.join(" "));
  }

  /** @param {() => Promise<void>} action */
  async #attempt(action) {
    try {
      await action();
    } catch (error) {
      if (error instanceof DeviceRefusal) return this.#tell(t("device.refused"), true);
      if (error instanceof WrongFile) return this.#tell(wrongFileText(error), true);
      if (error instanceof DOMException) return this.#tell(t("device.unreadable"), true);
      throw error;
    }
  }

  /**
   * @param {string} text
   * @param {boolean} [isProblem]
   */
  #tell(text, isProblem = false) {
    this.told.className = isProblem ? "problem" : "";
    setText(this.told, text);
  }
}

/** @param {WrongFile} error */
function wrongFileText({ code, game }) {
  return t(`device.wrong.${code}`, { game: formatNumber(game) });
}

/** @param {{board: string, dice: number, columns: string[]}} one */
function titleOf({ board, dice, columns }) {
  if (columns.length === 0) return variantName(board);
  return boardTitle({ variant: board, base: board, code: null, dice, columns });
}

/** @param {PlacedScore[]} scores */
function listOf(scores) {
  const lines = scores.map((one) =>
    h(
      "tr",
      { "data-testid": "device-row" },
      h("td", { class: "place" }, `${one.place}.`),
      h("th", { scope: "row" }, h("a", { href: `/games/${one.id}?from=device` }, one.name)),
      h("td", { class: "number" }, formatNumber(one.score)),
      h("td", { class: "day" }, formatDay(one.ended_at)),
    ),
  );
  const keys = ["scores.place", "scores.player", "scores.points", "scores.day"];
  return scoresTable(keys, lines, t("scores.where.device"));
}

/** High scores of the server: what is shown is kept in the address, so that a list can be shared. */

/** @import {Filters} from "../board_filters.js" */
/** @import {Leaderboard} from "../scores_api.js" */
import { knownMe, Problem } from "../api.js";
import { addressOf, filtersOf, MODES, placeAddressOf } from "../board_filters.js";
import { fill, h, setText, show } from "../dom.js";
import { preferences, remember } from "../preferences.js";
import { go } from "../router.js";
import { getLeaderboard } from "../scores_api.js";
import { say, setTitle } from "../shell.js";
import { boardTitle } from "../speech.js";
import { t } from "../words.js";
import { boardTable, pager } from "./board_table.js";
import { periodSelect, periodTitle } from "./period_choice.js";
import { problemText } from "./problem.js";
import { scorePlaces } from "./score_places.js";
import { variantSelect } from "./variant_select.js";

const TAPS = /** @type {const} */ (["game", "place"]);
/** What is answered when a link's page is none any more. */
const GONE = ["wrong_cursor", "result_not_listed"];

export class LeaderboardsPage {
  /** The player of this browser: he is asked for beside the list, which is the same for everybody. */
  #me = knownMe().then(
    (me) => me?.player ?? null,
    () => null,
  );
  #asked = 0;

  /**
   * @param {URLSearchParams} query
   * @param {string | null} [named] the variant, where it stands in the path
   */
  constructor(query, named = query.get("variant")) {
    setTitle(t("home.scores"));
    this.filters = filtersOf(query, named ?? preferences.soloVariant);
    this.variant = variantSelect(this.filters.variant);
    this.period = periodSelect(this.filters.period);
    this.mode = select("mode", MODES, this.filters.mode);
    this.mine = h("input", { type: "checkbox", checked: this.filters.mine, "data-testid": "filter-mine" });
    for (const one of [this.variant, this.period, this.mode, this.mine])
      one.addEventListener("change", () => this.#filter());
    this.place = h("button", { type: "button", "data-testid": "my-place" }, t("scores.my_place"));
    this.place.addEventListener("click", () => void this.#goToMyPlace());
    const mine = h("label", { class: "check" }, this.mine, h("span", {}, t("scores.mine")));
    this.own = h("div", { class: "buttons own", hidden: !this.filters.mine }, mine, this.place);
    this.note = h("p", { class: "note", "data-testid": "board-note", hidden: true });
    this.results = h("div", { class: "results", "data-testid": "leaderboard" });
    this.element = h(
      "div",
      { class: "page" },
      h("h1", {}, t("home.scores")),
      scorePlaces("server"),
      h(
        "div",
        { class: "filters board-filters" },
        field(this.variant, t("lobby.variant")),
        field(this.period, t("scores.period")),
        field(this.mode, t("scores.mode")),
      ),
      this.own,
      this.note,
      this.results,
      this.#tapChoice(),
    );
    void this.#me.then((me) => show(this.own, me !== null || this.filters.mine));
    void this.#load();
  }

  #filter() {
    this.filters = {
      ...this.filters,
      variant: this.variant.value,
      period: this.period.value,
      mode: /** @type {Filters["mode"]} */ (this.mode.value),
      mine: this.mine.checked,
      cursor: null,
      around: null,
      seat: null,
    };
    history.replaceState(null, "", addressOf(this.filters));
    void this.#load(true);
  }

  /** @param {boolean} [isSaid] whether it is told that the list is another one */
  async #load(isSaid = false) {
    this.#asked += 1;
    const asked = this.#asked;
    this.#tell("");
    fill(this.results, h("p", {}, t("page.loading")));
    try {
      const [board, me] = await Promise.all([this.#board(), this.#me]);
      if (asked === this.#asked) this.#draw(board, me, isSaid);
    } catch (error) {
      if (asked === this.#asked) fill(this.results, h("p", { class: "problem" }, problemText(error)));
    }
  }

  /** The page that is asked for. A link may be so old that its page is none any more: then the first. */
  async #board() {
    try {
      return await getLeaderboard(this.filters);
    } catch (error) {
      if (!(error instanceof Problem) || !GONE.includes(error.code)) throw error;
      if (error.code === "result_not_listed") this.#tell(t("scores.not_listed"));
      this.filters = { ...this.filters, cursor: null, around: null, seat: null };
      history.replaceState(null, "", addressOf(this.filters));
      return getLeaderboard(this.filters);
    }
  }

  /**
   * @param {Leaderboard} board
   * @param {string | null} me
   * @param {boolean} isSaid
   */
  #draw(board, me, isSaid) {
    const content = board.results.length > 0 ? this.#list(board, me) : this.#nothing();
    fill(
      this.results,
      h("h2", { "data-testid": "board-title" }, boardTitle(board)),
      h("p", { class: "muted", "data-testid": "board-period" }, periodTitle(board)),
      ...content,
    );
    if (isSaid) say(t(`scores.total.${board.mode}`, { total: board.total }));
    this.results.querySelector(".is-sought")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Leaderboard} board @param {string | null} me */
  #list(board, me) {
    return [boardTable(board, this.filters, me), pager(board, this.filters)];
  }

  #nothing() {
    const play = h("a", { class: "button primary", href: "/" }, t("scores.play"));
    return [h("p", {}, t(this.filters.mine ? "scores.empty_mine" : "scores.empty")), play];
  }

  /** The page on which the best result of this browser's player stands. */
  async #goToMyPlace() {
    try {
      const mine = { ...this.filters, mine: true, cursor: null, around: null };
      const [best] = (await getLeaderboard(mine, { limit: 1 })).results;
      if (best) go(placeAddressOf(this.filters, best));
      else this.#tell(t("scores.no_place"));
    } catch (error) {
      this.#tell(problemText(error));
    }
  }

  /** @param {string} text */
  #tell(text) {
    setText(this.note, text);
    show(this.note, text !== "");
    say(text);
  }

  #tapChoice() {
    const chosen = select("tap", TAPS, preferences.boardTap);
    chosen.addEventListener("change", () => {
      remember({ boardTap: chosen.value === "place" ? "place" : "game" });
      void this.#load();
    });
    return field(chosen, t("scores.tap"));
  }
}

/**
 * @param {string} id
 * @param {readonly string[]} values
 * @param {string} chosen
 */
function select(id, values, chosen) {
  const options = values.map((value) =>
    h("option", { value, selected: value === chosen }, t(`scores.${id}.${value}`)),
  );
  return h("select", { id, "data-testid": `filter-${id}` }, ...options);
}

/**
 * @param {HTMLSelectElement} element
 * @param {string} label
 */
function field(element, label) {
  return h("p", { class: "field" }, h("label", { for: element.id }, label), element);
}

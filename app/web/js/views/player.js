/** A player's page: who he is, his statistics, and his best results. The variant is kept in the address. */

/** @import {PlayerPage as Answer, ResultRow, VariantStatistics} from "../scores_api.js" */
import { getMe } from "../api.js";
import { fill, h } from "../dom.js";
import { go } from "../router.js";
import { getPlayer, getPlayerScores } from "../scores_api.js";
import { setTitle } from "../shell.js";
import { variantTitleOf } from "../speech.js";
import { tagOf } from "../tags.js";
import { formatDay, formatNumber, t } from "../words.js";
import { gameLink, scoresTable } from "./board_table.js";
import { playerAddress, withTag } from "./player_name.js";
import { numbers, statisticsTables } from "./player_statistics.js";
import { problemText } from "./problem.js";
import { nameOption } from "./variant_select.js";

/** At this address everybody finds himself. */
const MYSELF = "me";

export class PlayerPage {
  #asked = 0;

  /**
   * @param {string} id
   * @param {URLSearchParams} query
   */
  constructor(id, query) {
    setTitle(t("me.title"));
    this.id = id;
    this.wanted = query.get("variant");
    this.content = h("div", {});
    this.element = h("div", { class: "page" }, h("h1", {}, t("me.title")), h("p", {}, t("page.loading")));
    void this.#open();
  }

  async #open() {
    try {
      if (this.id === MYSELF) await this.#find();
      else this.#draw(await getPlayer(this.id));
    } catch (error) {
      fill(this.element, h("h1", {}, t("me.title")), h("p", { class: "problem" }, problemText(error)));
    }
  }

  async #find() {
    const me = await getMe();
    if (me !== null) return go(playerAddress(me.player), { replace: true });
    const way = h("a", { class: "button", href: "/me" }, t("me.sign_in"));
    fill(this.element, h("h1", {}, t("me.title")), h("p", {}, t("me.nobody")), way);
  }

  /** @param {Answer} answer */
  #draw({ player, variants }) {
    setTitle(player.name);
    const heading = h("h1", { tabindex: -1 }, ...withTag(player.name, tagOf(player)));
    const since = h("p", { class: "muted" }, t("player.since", { day: formatDay(player.since) }));
    const shown = variants.find((one) => one.variant === this.wanted) ?? variants[0];
    if (!shown) return fill(this.element, heading, since, h("p", {}, t("player.no_games")));
    fill(this.element, heading, since, this.#choice(variants, shown), this.content);
    void this.#show(shown);
  }

  /**
   * @param {VariantStatistics[]} variants
   * @param {VariantStatistics} shown
   */
  #choice(variants, shown) {
    const options = variants.map((one) => {
      const option = h(
        "option",
        { value: one.variant, selected: one === shown },
        variantTitleOf(one.variant, one.base) ?? one.code ?? one.variant,
      );
      if (variantTitleOf(one.variant, one.base) === null) void nameOption(option);
      return option;
    });
    const select = h("select", { id: "variant", "data-testid": "filter-variant" }, ...options);
    select.addEventListener("change", () => {
      const query = new URLSearchParams({ variant: select.value });
      history.replaceState(null, "", `${playerAddress(this.id)}?${query}`);
      const chosen = variants.find((one) => one.variant === select.value);
      if (chosen) void this.#show(chosen);
    });
    return h("p", { class: "field" }, h("label", { for: "variant" }, t("lobby.variant")), select);
  }

  /** @param {VariantStatistics} statistics */
  async #show(statistics) {
    this.#asked += 1;
    const asked = this.#asked;
    const best = h("section", { class: "best", "data-testid": "player-best" }, h("p", {}, t("page.loading")));
    fill(this.content, numbers(statistics), best, ...statisticsTables(statistics));
    try {
      const scores = await getPlayerScores(this.id, statistics.variant);
      if (asked !== this.#asked || !scores) return;
      fill(best, bestOf("best", scores.best), bestOf("month", scores.month));
    } catch (error) {
      if (asked === this.#asked) fill(best, h("p", { class: "problem" }, problemText(error)));
    }
  }
}

/**
 * @param {"best" | "month"} which
 * @param {ResultRow[]} results
 */
function bestOf(which, results) {
  const caption = t(`player.${which}_results`);
  if (results.length === 0) return h("div", {}, h("h2", {}, caption), h("p", {}, t("player.none_of_month")));
  const lines = results.map((one) =>
    h(
      "tr",
      { "data-testid": `${which}-row` },
      h("td", { class: "place" }, `${formatNumber(one.place)}.`),
      h("th", { scope: "row", class: "number" }, gameLink(one.game, one.score)),
      h("td", { class: "day" }, formatDay(one.ended_at)),
    ),
  );
  const table = scoresTable(["scores.place", "scores.points", "scores.day"], lines, caption);
  return h("div", {}, h("h2", {}, caption), table);
}

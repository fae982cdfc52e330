/** For a visitor who came by a link and has no name here yet: join, or only watch. */

import { h, setText, show } from "../dom.js";
import { alarm } from "../shell.js";
import { t } from "../words.js";
import { nameField, takeName } from "./name_field.js";
import { problemText } from "./problem.js";

export class GuestCard {
  /**
   * @param {string} code
   * @param {boolean} canJoin false once the game has started
   * @param {(name: string, wantsToJoin: boolean) => Promise<void>} onName
   */
  constructor(code, canJoin, onName) {
    this.onName = onName;
    const { field, input } = nameField();
    this.input = input;
    this.problem = h("p", { class: "problem", hidden: true });
    const join = h("button", { type: "submit", class: "primary", "data-testid": "join" }, t("lobby.join"));
    const watch = h("button", { type: "button", "data-testid": "watch" }, t("lobby.watch"));
    watch.addEventListener("click", () => this.#go(false));
    const form = h("form", {}, field, this.problem, h("div", { class: "buttons" }, canJoin && join, watch));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#go(canJoin);
    });
    this.element = h(
      "div",
      { class: "page" },
      h("h1", {}, t("table.room", { code })),
      h("p", {}, t(canJoin ? "lobby.invited" : "lobby.under_way")),
      form,
    );
  }

  /** @param {boolean} wantsToJoin */
  async #go(wantsToJoin) {
    const name = takeName(this.input);
    if (name === null) return;
    try {
      await this.onName(name, wantsToJoin);
    } catch (error) {
      const text = problemText(error);
      setText(this.problem, text);
      show(this.problem, true);
      alarm(text);
    }
  }
}

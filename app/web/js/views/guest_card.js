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
   * @param {boolean} [isSignedOut] whether somebody was here whose session has ended elsewhere
   */
  constructor(code, canJoin, onName, isSignedOut = false) {
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
      ...(isSignedOut ? signedOut() : []),
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

/** Why the table is gone, and the way back to it for who has an account. */
function signedOut() {
  const way = h("a", { class: "button", href: "/me", "data-testid": "sign-in-again" }, t("me.sign_in"));
  return [
    h("p", { class: "note", "data-testid": "signed-out" }, t("connection.signed_out")),
    h("p", {}, way),
  ];
}

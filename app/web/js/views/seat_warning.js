/** Before another player takes over this browser: the seat in the game that is going on would be lost. */

import { h } from "../dom.js";
import { seatAtStake } from "../seat_at_stake.js";
import { openDialog } from "../shell.js";
import { t } from "../words.js";

/** @returns {Promise<boolean>} whether to go on: nothing is at stake, or the player said yes */
export async function maySwitchPlayer() {
  const code = await seatAtStake();
  if (code === null) return true;
  return ask(code);
}

/** @param {string} code @returns {Promise<boolean>} */
function ask(code) {
  return new Promise((resolve) => {
    const answer = (/** @type {boolean} */ isSure) => () => {
      resolve(isSure);
      dialog.close();
    };
    const stay = h("button", { type: "button", "data-testid": "keep-seat", onclick: answer(false) });
    stay.append(t("me.keep_seat"));
    const leave = h("button", { type: "button", "data-testid": "give-up-seat", onclick: answer(true) });
    leave.append(t("me.give_up_seat"));
    const content = [
      h("p", {}, t("me.seat_at_stake", { code })),
      h("div", { class: "buttons" }, stay, leave),
    ];
    const dialog = openDialog(t("me.seat_title"), content, () => resolve(false));
    stay.focus();
  });
}

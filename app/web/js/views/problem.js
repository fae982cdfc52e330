/** A failed request in the player's words. */

import { Problem } from "../api.js";
import { has, t, tn } from "../words.js";

/** What an address names: where one of the wrong form leads to, there is nothing. */
const IN_ADDRESSES = ["around", "game", "period", "player", "variant"];

/** @param {unknown} error */
export function problemText(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 0) return t("problem.network");
  if (has(`problem.${error.code}.other`)) return tn(`problem.${error.code}`, Math.ceil(error.wait / 60));
  if (error.code === "invalid") return unusableText(error);
  if (has(`problem.${error.code}`)) return t(`problem.${error.code}`);
  if (error.status === 404) return t("problem.not_found");
  if (error.status === 422) return t("problem.invalid");
  return t("problem.server", { status: error.status });
}

/** @param {Problem} error */
function unusableText({ errors: [first] }) {
  if (!first) return t("problem.invalid");
  if (IN_ADDRESSES.includes(first.field)) return t("problem.not_found");
  return has(`wrong.${first.field}`) ? t(`wrong.${first.field}`) : t("problem.invalid");
}

/** A failed request in the player's words. */

import { Problem } from "../api.js";
import { has, t, tn } from "../words.js";

/** @param {unknown} error */
export function problemText(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 0) return t("problem.network");
  if (has(`problem.${error.code}.other`)) return tn(`problem.${error.code}`, Math.ceil(error.wait / 60));
  if (has(`problem.${error.code}`)) return t(`problem.${error.code}`);
  if (error.status === 404) return t("problem.not_found");
  if (error.status === 422) return t("problem.invalid");
  return t("problem.server", { status: error.status });
}

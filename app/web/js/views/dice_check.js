/** The button that recomputes every roll of a finished game in this browser. */

import { gameAddress, getGame } from "../api.js";
import { canCheckDice, checkDice } from "../dice_proof.js";
import { fill, h } from "../dom.js";
import { preferences } from "../preferences.js";
import { say } from "../shell.js";
import { t, tn } from "../words.js";
import { problemText } from "./problem.js";

/** @param {string} game */
export function diceCheck(game) {
  const answer = h("div", { class: "check-answer", "data-testid": "dice-verdict" });
  const button = h("button", { type: "button", "data-testid": "check-dice" }, t("check.button"));
  button.addEventListener("click", async () => {
    const lines = await verdictLines(game);
    fill(answer, ...lines.map((line) => h("p", {}, line)), ...(await proofList(game)));
    say(lines.join(" "));
  });
  const record = h("a", { href: gameAddress(game), download: `yamb-${game}.json` }, t("check.record"));
  return h(
    "section",
    { "aria-labelledby": "check-title" },
    h("h2", { id: "check-title" }, t("check.title")),
    h("p", { class: "muted" }, t("check.about")),
    h("div", { class: "buttons" }, button, record),
    answer,
  );
}

/** @param {string} game */
async function verdictLines(game) {
  if (!canCheckDice()) return [t("check.insecure")];
  try {
    const record = await getGame(game);
    const verdict = await checkDice(record);
    const lines = [
      verdict.wrong.length === 0 ? tn("check.right", verdict.rolls) : tn("check.wrong", verdict.wrong.length),
      t(verdict.isCommitmentKept ? "check.kept" : "check.broken"),
    ];
    const seen = preferences.commitment;
    if (seen?.game === game)
      lines.push(t(seen.commitment === record.proof.commitment ? "check.same" : "check.not_same"));
    return lines;
  } catch (error) {
    return [problemText(error)];
  }
}

/** @param {string} game */
async function proofList(game) {
  const record = await getGame(game).catch(() => null);
  if (record === null) return [];
  const { proof } = record;
  return [
    h(
      "dl",
      { class: "proof" },
      h("dt", {}, t("check.commitment")),
      h("dd", {}, proof.commitment),
      h("dt", {}, t("check.secret")),
      h("dd", {}, proof.secret),
      h("dt", {}, t("check.texts")),
      ...proof.texts.map((text) => h("dd", {}, text)),
      h("dt", {}, t("check.game")),
      h("dd", {}, proof.game),
    ),
  ];
}

/** The button that recomputes every roll of a finished game in this browser. */

/** @import {GameRecord} from "../api.js" */
import { gameAddress, getGame } from "../api.js";
import { compared, pins } from "../dice_pins.js";
import { canCheckDice, checkDice } from "../dice_proof.js";
import { download, fill, h } from "../dom.js";
import { say } from "../shell.js";
import { t, tn } from "../words.js";
import { problemText } from "./problem.js";

/**
 * @param {string} game
 * @param {GameRecord | null} [kept] the record that this device has: the server isn't asked then
 */
export function diceCheck(game, kept = null) {
  const load = async () => kept ?? (await getGame(game));
  const answer = h("div", { class: "check-answer", "data-testid": "dice-verdict" });
  const button = h("button", { type: "button", "data-testid": "check-dice" }, t("check.button"));
  button.addEventListener("click", async () => {
    const lines = await verdictLines(game, load);
    fill(answer, ...lines.map((line) => h("p", {}, line)), ...(await proofList(load)));
    say(lines.join(" "));
  });
  const name = `yamb-${game}.json`;
  const record = kept
    ? h("button", { type: "button", onclick: () => download(name, JSON.stringify(kept)) }, t("check.record"))
    : h("a", { href: gameAddress(game), download: name }, t("check.record"));
  return h(
    "section",
    { "aria-labelledby": "check-title" },
    h("h2", { id: "check-title" }, t("check.title")),
    h("p", { class: "muted" }, t("check.about")),
    h("div", { class: "buttons" }, button, record),
    answer,
  );
}

/** @typedef {() => Promise<GameRecord>} Load */

/**
 * First what the record proves by itself, then what this device can compare with what it saw.
 * @param {string} game
 * @param {Load} load
 */
async function verdictLines(game, load) {
  if (!canCheckDice()) return [t("check.insecure")];
  try {
    const record = await load();
    const verdict = await checkDice(record);
    const isThisGame = record.id === game && verdict.isKeyOfGame;
    return [
      verdict.wrong.length === 0 ? tn("check.right", verdict.rolls) : tn("check.wrong", verdict.wrong.length),
      t(verdict.isCommitmentKept ? "check.kept" : "check.broken"),
      ...(isThisGame ? [] : [t("check.other_game")]),
      ...(verdict.areBotsTextsKnown ? [] : [t("check.bot_text")]),
      ...compared(record, pins()).map((finding) => t(`check.${finding}`)),
    ];
  } catch (error) {
    return [problemText(error)];
  }
}

/** @param {Load} load */
async function proofList(load) {
  const record = await load().catch(() => null);
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

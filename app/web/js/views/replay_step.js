/** One step of a replay in full: its dice with what was kept, announcements, entries, what was taken back. */

/** @import {Model} from "../state.js" */
/** @import {RollShown, Step} from "../replay.js" */
/** @import {SeatMark} from "../presence.js" */
import { h, hiddenText } from "../dom.js";
import { rollsOf } from "../replay.js";
import { eventLine } from "../replay_words.js";
import { dieFace, showFace, sign } from "../signs.js";
import { spellFaces, t } from "../words.js";
import { playerMark } from "./chips.js";

/**
 * @param {Model} model at the end of the step
 * @param {Step} step
 * @param {{name: string, mark: SeatMark | null, title: string}} told
 */
export function stepDetails(model, step, { name, mark, title }) {
  const rolls = rollsOf(step);
  const lines = step.events.map((event) => {
    const roll = rolls.find(({ rolled }) => rolled === event);
    return roll ? rollItem(roll) : h("li", {}, eventLine(model, step, event));
  });
  const byBot =
    mark && h("p", { class: "muted", "data-testid": "replay-bot" }, t(`replay.${mark}`, { name }));
  return [
    h("h3", { class: "with-sign" }, playerMark(step.seat, name, mark), title),
    byBot,
    h("ol", { class: "replay-events", "data-testid": "replay-events" }, ...lines),
  ];
}

/** @param {RollShown} roll */
function rollItem({ rolled, kept }) {
  const dice = rolled.dice.map((value, place) => {
    const face = dieFace();
    showFace(face, value);
    return h("span", { class: kept.includes(place) ? "die held" : "die" }, face, sign("pin", "pin"));
  });
  const faces = kept.map((place) => rolled.dice[place] ?? 0);
  const said = [
    spellFaces(rolled.dice),
    ...(kept.length > 0 ? [t("replay.kept", { dice: spellFaces(faces) })] : []),
  ];
  return h(
    "li",
    { class: "replay-roll" },
    h("span", { class: "roll-number" }, t("replay.roll", { roll: rolled.roll })),
    h("span", { class: "dice", "aria-hidden": "true" }, ...dice),
    hiddenText(` ${said.join(". ")}`),
  );
}

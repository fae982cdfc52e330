/** Dice, bonus, middle and the rest of a variant in the builder. */

/** @import {Draft} from "../variant_draft.js" */
/** @import {Change} from "./builder_rows.js" */
import { h } from "../dom.js";
import { changeStep, withDice, withStep } from "../variant_draft.js";
import { t, tn } from "../words.js";
import { checkField, choiceField, group, numberField } from "./builder_parts.js";

const MOST_POINTS = 1000;
const MOST_UPPER_POINTS = 105;
const MOST_STEPS = 20;

/**
 * @param {Draft} draft
 * @param {Change} change
 */
export function diceGroup(draft, change) {
  const dice = choiceField(
    "dice",
    t("builder.dice"),
    {
      field: "dice",
      value: String(draft.dice),
      options: [5, 6].map((one) => [String(one), t(`builder.dice.${one}`)]),
    },
    (value) => change((now) => withDice(now, Number(value)), true),
  );
  const held = choiceField(
    "max-hold",
    t("builder.max_hold"),
    {
      field: "max_hold",
      value: String(draft.max_hold),
      options: Array.from({ length: draft.dice + 1 }, (_none, most) => [
        String(most),
        tn("summary.dice", most),
      ]),
    },
    (value) => change((now) => ({ ...now, max_hold: Number(value) })),
  );
  const last = choiceField(
    "last-cell-rolls",
    t("builder.last_cell_rolls"),
    {
      field: "last_cell_rolls",
      value: String(draft.last_cell_rolls),
      options: ["3", "5"].map((one) => [one, one]),
    },
    (value) => change((now) => ({ ...now, last_cell_rolls: Number(value) })),
  );
  const auto = checkField("auto-fill", [h("span", {}, t("builder.auto_fill"))], draft.auto_fill, (isOn) =>
    change((now) => ({ ...now, auto_fill: isOn })),
  );
  return group("table", t("builder.turn"), h("div", { class: "builder-fields" }, dice, held, last), auto);
}

/**
 * @param {Draft} draft
 * @param {Change} change
 */
export function bonusGroup(draft, change) {
  const steps = draft.bonus_steps.map((step, place) => bonusStep(step, place, change));
  const add = h(
    "button",
    { type: "button", id: "add-step", "data-testid": "add-step" },
    t("builder.add_step"),
  );
  add.addEventListener("click", () => change(withStep, true));
  return group(
    "bonus_steps",
    t("builder.bonus_steps"),
    h("p", { class: "muted" }, t("builder.bonus_steps_about")),
    steps.length > 0 && h("ul", { class: "builder-list" }, ...steps),
    draft.bonus_steps.length < MOST_STEPS && add,
  );
}

/**
 * @param {Draft["bonus_steps"][number]} step
 * @param {number} place
 * @param {Change} change
 */
function bonusStep(step, place, change) {
  const path = `bonus_steps[${place}]`;
  const remove = h(
    "button",
    {
      type: "button",
      class: "icon framed",
      id: `remove-step-${place}`,
      "data-testid": `remove-step-${place}`,
      "aria-label": t("builder.remove_step", { place: place + 1 }),
    },
    "×",
  );
  remove.addEventListener("click", () =>
    change((now) => ({ ...now, bonus_steps: now.bonus_steps.filter((_one, at) => at !== place) }), true),
  );
  return h(
    "li",
    { class: "builder-step" },
    numberField(
      `at-least-${place}`,
      t("builder.at_least"),
      { field: `${path}.at_least`, value: step.at_least, most: MOST_UPPER_POINTS, least: 1 },
      (value) => change((now) => changeStep(now, place, { at_least: value })),
    ),
    numberField(
      `award-${place}`,
      t("builder.award"),
      { field: `${path}.award`, value: step.award, most: MOST_POINTS, least: 1 },
      (value) => change((now) => changeStep(now, place, { award: value })),
    ),
    remove,
  );
}

/**
 * @param {Draft} draft
 * @param {Change} change
 */
export function middleGroup(draft, change) {
  const put = (/** @type {Partial<Draft["middle"]>} */ changes) =>
    change((now) => ({ ...now, middle: { ...now.middle, ...changes } }));
  const formula = choiceField(
    "formula",
    t("builder.formula"),
    {
      field: "middle.formula",
      value: draft.middle.formula,
      options: ["times_ones", "difference"].map((one) => [one, t(`builder.formula.${one}`)]),
    },
    (value) => put({ formula: value }),
  );
  const floor = checkField("floor", [h("span", {}, t("builder.floor"))], draft.middle.floor, (isOn) =>
    put({ floor: isOn }),
  );
  return group("middle", t("panel.middle"), formula, floor);
}

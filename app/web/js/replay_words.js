/** What a step of a replay says, with the sentences of the table. Pure. */

/** @import {Sheet, TableState} from "./protocol.js" */
/** @import {Verbosity} from "./preferences.js" */
/** @import {Model} from "./state.js" */
/** @import {Replay, Step, StepEvent} from "./replay.js" */
import { entryOf } from "./replay.js";
import { spokenLine } from "./speech.js";
import { EMPTY } from "./state.js";
import { cellName, t } from "./words.js";

/**
 * As much of a table as sentences need: who sits there, and the sheets of that moment. Nobody looks on from a seat.
 * @param {Replay} replay
 * @param {Sheet[]} sheets
 * @param {(seat: number) => string} nameOf
 * @returns {Model}
 */
export function modelOf({ seats, variant }, sheets, nameOf) {
  const named = seats.map((one) => ({ ...one, name: nameOf(one.seat) }));
  return {
    ...EMPTY,
    table: /** @type {TableState} */ (/** @type {unknown} */ ({ seats: named, sheets, variant })),
  };
}

/**
 * One line for the whole step. An entry that was taken back has no total: the sheets are those of the step's end.
 * @param {Model} model at the end of the step
 * @param {Step} step
 * @param {Verbosity} verbosity in full the rolls too
 */
export function stepLine(model, { events }, verbosity) {
  const from = events.findLastIndex((event) => event.type === "undone") + 1;
  const taken = spokenLine(model, events.slice(0, from), false, verbosity === "full" ? "full" : "short");
  return [taken, spokenLine(model, events.slice(from), false, verbosity)].filter(Boolean).join(" ");
}

/**
 * The same for one of its events, a roll apart.
 * @param {Model} model
 * @param {Step} step
 * @param {StepEvent} event
 */
export function eventLine(model, { events }, event) {
  const isTakenBack = events.slice(events.indexOf(event)).some((one) => one.type === "undone");
  return spokenLine(model, [event], false, isTakenBack ? "short" : "normal");
}

/**
 * A step in the list of all of them: what was written, or else what happened.
 * @param {Model} model
 * @param {Step} step
 */
export function moveLine(model, step) {
  const entry = entryOf(step);
  const name = model.table?.seats.find((one) => one.seat === step.seat)?.name ?? "";
  if (entry) return t("status.entry", { name, score: entry.score, cell: cellName(entry) });
  return stepLine(model, step, "short");
}

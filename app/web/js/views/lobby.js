/** The room before the start: what is played, who sits there, who is ready, and how others get in. */

/** @import {Command, Pace, Seat, Variant} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
import { findVariant, getVariants } from "../api.js";
import { fill, h, isOff, setAttribute, setOff, setText, show } from "../dom.js";
import { remember } from "../preferences.js";
import { isSentAway } from "../presence.js";
import { join, leave, newDiceText, ready, settings, start } from "../protocol.js";
import { alarm, setTitle } from "../shell.js";
import { variantTitle } from "../speech.js";
import { isHost, mySeat } from "../state.js";
import { has, t } from "../words.js";
import { FurtherSeat } from "./further_seat.js";
import { KeepSwitch } from "./keep_switch.js";
import { LobbySeats } from "./lobby_seats.js";
import { RoomSettings } from "./room_settings.js";
import { shareBox } from "./share.js";
import { ColumnChoice, chooseOption, startingVariants, variantOptions } from "./variant_choice.js";
import { builderAddress, codeForm } from "./variant_code.js";
import { variantRules, variantSummary } from "./variant_summary.js";

export class LobbyView {
  /** Settings that were chosen while another command was under way. */
  #areSettingsWanted = false;
  /** Columns that were chosen with them; null for those of the variant. @type {string[] | null} */
  #wantedColumns = null;
  /** What was said beside them. @type {{undo?: "off" | "entry", own_dice?: boolean, pace?: Pace}} */
  #said = {};

  /**
   * @param {Model} model
   * @param {Line} line
   */
  constructor(model, line) {
    this.model = model;
    this.line = line;
    const code = model.table?.room.code ?? "";
    setTitle("", t("table.room", { code }));
    this.problem = h("p", { class: "problem", hidden: true });
    this.variant = h("select", { id: "variant", "data-testid": "variant" });
    this.variant.addEventListener("change", () => {
      // One of somebody's own is no proposal for the first page, which offers those that ship.
      if (has(`variant.${this.variant.value}`)) remember({ soloVariant: this.variant.value });
      this.#changeSettings(null);
    });
    this.maxSeats = h("select", { id: "max-seats", "data-testid": "max-seats" });
    this.maxSeats.addEventListener("change", () => this.#changeSettings(this.#ownColumns()));
    this.columns = new ColumnChoice((columns) => this.#changeSettings(columns));
    this.undoing = h("input", { type: "checkbox", "data-testid": "undoing" });
    this.undoing.addEventListener("change", () => {
      this.#said.undo = this.undoing.checked ? "entry" : "off";
      this.#changeSettings(this.#ownColumns());
    });
    this.ownDice = h("input", { type: "checkbox", "data-testid": "own-dice" });
    this.ownDice.addEventListener("change", () => {
      this.#said.own_dice = this.ownDice.checked;
      this.#changeSettings(this.#ownColumns());
    });
    this.undoingBox = h("label", { class: "check" }, this.undoing, h("span", {}, t("lobby.undoing")));
    this.company = new RoomSettings(line, (pace) => {
      this.#said.pace = pace;
      this.#changeSettings(this.#ownColumns());
    });
    this.furtherSeat = new FurtherSeat((name) => this.line.command(join(name)));
    this.choice = h(
      "div",
      { class: "settings" },
      h("p", { class: "field" }, h("label", { for: "variant" }, t("lobby.variant")), this.variant),
      h("p", { class: "field" }, h("label", { for: "max-seats" }, t("lobby.max_seats")), this.maxSeats),
      h("label", { class: "check" }, this.ownDice, h("span", {}, t("lobby.own_dice"))),
      this.undoingBox,
      ...this.company.elements,
      codeForm(code, (variant) => this.#useVariant(variant)),
    );
    this.undoable = h("p", { class: "muted", hidden: true }, t("lobby.undoable"));
    this.isOwnDice = h("p", { hidden: true }, t("own.about"));
    this.summary = h("div", { class: "summary" });
    this.seats = new LobbySeats(model, line);
    this.keep = new KeepSwitch(model, line);
    this.join = this.#button("join", "primary", () => join());
    this.ready = this.#button("ready", "primary", () => this.#ready());
    this.leaveSeat = this.#button("leave", "", () => leave());
    this.start = this.#button("start", "primary", () => start());
    this.removed = h("p", { class: "problem", hidden: true, "data-testid": "removed" }, t("say.you_kicked"));
    this.element = h(
      "div",
      { class: "page lobby" },
      h("h1", {}, t("lobby.title"), " ", h("span", { "data-testid": "room-code" }, code)),
      shareBox(code),
      h(
        "section",
        { "aria-labelledby": "lobby-seats" },
        h("h2", { id: "lobby-seats" }, t("lobby.seats")),
        this.seats.element,
        this.furtherSeat.element,
      ),
      this.removed,
      this.problem,
      h("div", { class: "buttons lobby-buttons" }, this.join, this.leaveSeat, this.ready, this.start),
      this.keep.element,
      h(
        "section",
        { "aria-labelledby": "lobby-rules" },
        h("h2", { id: "lobby-rules" }, t("lobby.rules")),
        this.choice,
        this.columns.element,
        this.isOwnDice,
        this.undoable,
        this.company.told,
        this.summary,
      ),
    );
    void this.#offerVariants();
    this.update(model);
    void this.#useProposed();
  }

  /** @param {Model} model */
  update(model) {
    if (model.version !== this.model.version) show(this.problem, false);
    this.model = model;
    const { table } = model;
    if (!table) return;
    const seat = mySeat(model);
    this.seats.update(model);
    this.keep.update(model);
    this.#sendSettings();
    this.#drawRules();
    this.#drawButtons(seat);
  }

  /**
   * Whoever has lost the seat to the host reads it for as long as the lobby is open.
   * @param {import("../protocol.js").GameEvent[]} events
   */
  hear(events) {
    if (isSentAway(this.model, events)) show(this.removed, true);
  }

  /** @param {string} sentence */
  refused(sentence) {
    setText(this.problem, sentence);
    this.#drawRules();
    show(this.problem, true);
    alarm(sentence);
  }

  /**
   * @param {string} testId
   * @param {string} className
   * @param {() => Command} make
   */
  #button(testId, className, make) {
    const button = h("button", { type: "button", class: className, "data-testid": testId });
    button.addEventListener("click", () => {
      if (!isOff(button) && this.line.command(make())) this.update(this.model);
    });
    return button;
  }

  #drawRules() {
    const { room, variant } = /** @type {NonNullable<Model["table"]>} */ (this.model.table);
    show(this.choice, isHost(this.model));
    show(this.columns.element, isHost(this.model) && (variant.choosable ?? []).length > 0);
    show(this.undoable, !isHost(this.model) && room.undo === "entry" && !room.own_dice);
    show(this.undoingBox, !room.own_dice);
    show(this.isOwnDice, room.own_dice);
    fillSeatCounts(this.maxSeats);
    // What was chosen and isn't at the table yet stays on the screen: the next choice is sent together with it.
    const isChanging = this.#areSettingsWanted || this.line.isAnswerDue();
    this.company.update(this.model, isChanging);
    if (!isChanging) {
      this.maxSeats.value = String(room.max_seats);
      this.undoing.checked = room.undo === "entry";
      this.ownDice.checked = room.own_dice;
      const id = variant.base ?? variant.id;
      chooseOption(this.variant, id, variantTitle(variant));
      this.columns.draw(variant);
    }
    const maker = this.choice.querySelector("[data-testid=make-variant]");
    if (maker) setAttribute(maker, "href", builderAddress(room.code, variant));
    const drawn = JSON.stringify([variant, room.dropped_columns]);
    if (this.summary.dataset.drawn !== drawn)
      fill(this.summary, ...variantSummary(variant, room.dropped_columns), rulesOf(variant));
    this.summary.dataset.drawn = drawn;
  }

  /** @param {Seat | null} seat */
  #drawButtons(seat) {
    const { seats, room } = /** @type {NonNullable<Model["table"]>} */ (this.model.table);
    const isReady = this.line.isReady();
    const readyCount = seats.filter((one) => one.ready).length;
    show(this.furtherSeat.element, seat !== null && room.own_dice);
    this.furtherSeat.setOff(!isReady || seats.length >= room.max_seats);
    show(this.join, seat === null);
    setText(this.join, t(seats.length < room.max_seats ? "lobby.join" : "lobby.full"));
    setOff(this.join, !isReady || seats.length >= room.max_seats);
    show(this.leaveSeat, seat !== null);
    setText(this.leaveSeat, t("lobby.leave"));
    setOff(this.leaveSeat, !isReady);
    show(this.ready, seat !== null);
    setText(this.ready, t("lobby.ready"));
    setAttribute(this.ready, "aria-pressed", seat?.ready ? "true" : "false");
    setOff(this.ready, !isReady);
    // A game that follows another starts by itself, unless the others went and left one who is ready alone.
    const isAllReady = readyCount === seats.length && seats.length > 0;
    show(this.start, isHost(this.model) && (!room.previous_game || isAllReady));
    setText(this.start, t("lobby.start", { ready: readyCount, seats: seats.length }));
    setOff(this.start, !isReady || !isAllReady);
  }

  /** A game that follows another has no text of mine yet, and nobody else may choose it. */
  #ready() {
    const seat = mySeat(this.model);
    const isReady = !(seat?.ready ?? false);
    return ready(isReady, isReady && seat?.text === "" ? newDiceText() : null);
  }

  /** @param {string[] | null} columns */
  #changeSettings(columns) {
    this.#areSettingsWanted = true;
    this.#wantedColumns = columns;
    this.#sendSettings();
  }

  /** Where the host comes back from making a variant, it is played. */
  async #useProposed() {
    const id = history.state?.variant;
    if (typeof id !== "string" || !isHost(this.model)) return;
    history.replaceState(null, "");
    const variant = await findVariant(id).catch(() => null);
    if (variant) this.#useVariant(variant);
  }

  /** @param {Variant} variant */
  #useVariant(variant) {
    chooseOption(this.variant, variant.id, variantTitle(variant));
    this.#changeSettings(null);
  }

  /** The columns of the table where they were chosen; they stay when the number of seats changes. */
  #ownColumns() {
    const variant = this.model.table?.variant;
    const isOwn = variant?.base !== undefined && variant.base !== variant.id;
    return isOwn ? variant.columns.map((one) => one.column) : null;
  }

  #sendSettings() {
    if (!this.#areSettingsWanted || !this.line.isReady()) return;
    this.#areSettingsWanted = false;
    const seats = Number(this.maxSeats.value);
    this.line.command(settings(this.variant.value, seats, this.#wantedColumns, this.#said));
    this.#said = {};
  }

  async #offerVariants() {
    const variants = startingVariants(await getVariants().catch(() => []));
    const chosen = this.variant.selectedOptions[0];
    fill(this.variant, ...variantOptions(variants, this.variant.value));
    if (chosen) chooseOption(this.variant, chosen.value, chosen.text);
    this.update(this.model);
  }
}

/** @param {Variant} variant */
function rulesOf(variant) {
  return h("details", {}, h("summary", {}, t("home.rules")), ...variantRules(variant));
}

/** @param {HTMLSelectElement} select */
function fillSeatCounts(select) {
  if (select.options.length > 0) return;
  fill(
    select,
    ...Array.from({ length: 8 }, (_none, more) => h("option", { value: more + 1 }, String(more + 1))),
  );
}

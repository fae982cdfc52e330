/**
 * Making a variant: every parameter, what it comes to in words and as a sheet, and the ways to play it.
 * The server says whether it can be played, and where not, which parameter is wrong.
 */

/** @import {Variant} from "../protocol.js" */
/** @import {Draft} from "../variant_draft.js" */
import { findVariant, getVariants, makeRoom, makeVariant, Problem, playAs, previewVariant } from "../api.js";
import { fill, h, isOff, setAttribute, setOff, setText, show } from "../dom.js";
import { go } from "../router.js";
import { alarm, say, setTitle } from "../shell.js";
import { variantTitle } from "../speech.js";
import { draftOf } from "../variant_draft.js";
import { variantNumbers, variantSentences } from "../variant_words.js";
import { has, t } from "../words.js";
import { columnsGroup } from "./builder_columns.js";
import { rowsGroup } from "./builder_rows.js";
import { bonusGroup, diceGroup, middleGroup } from "./builder_table.js";
import { nameField, takeName } from "./name_field.js";
import { problemText } from "./problem.js";
import { copyText } from "./share.js";
import { SheetView } from "./sheet.js";
import { variantOptions } from "./variant_choice.js";

const MOST_SEATS = 8;
const WAIT_MS = 250;

export class BuilderPage {
  /** @type {Variant[]} */
  #presets = [];
  /** @type {Draft | null} */
  #draft = null;
  /** What the draft makes, as the server last said; null while it makes nothing. @type {Variant | null} */
  #variant = null;
  #asked = 0;
  #timer = 0;
  #start = h("select", { id: "start-from", "data-testid": "start-from" });
  #form = h("div", { class: "builder-form", "data-testid": "builder-form" });
  #problem = h("p", { class: "problem", hidden: true, "data-testid": "builder-problem" });
  /** On a phone the form is long: what it comes to stays in sight. */
  #brief = h("p", { class: "builder-brief", "aria-hidden": "true" });
  #title = h("p", { "data-testid": "builder-title" });
  #summary = h("ul", { class: "builder-summary", "data-testid": "builder-summary" });
  #preview = new SheetView(null);
  #link = h("p", { class: "share-link", "data-testid": "variant-link", hidden: true });
  #name = nameField();
  /** @type {HTMLButtonElement[]} */
  #playing = [];

  /**
   * @param {string | null} name id or code to begin with
   * @param {string | null} room the code of the room that this is for
   */
  constructor(name, room) {
    this.room = room;
    this.element = h("div", { class: "page wide builder" });
    this.#start.addEventListener("change", () => this.#startFrom(this.#start.value));
    this.#build();
    void this.#begin(name);
  }

  leave() {
    clearTimeout(this.#timer);
  }

  relabel() {
    this.#build();
    this.#drawForm();
    if (this.#variant) this.#drawVariant(this.#variant);
  }

  #build() {
    setTitle(t("builder.title"));
    this.#name = nameField();
    const isWide = matchMedia("(min-width: 1200px)").matches;
    fill(
      this.element,
      h("h1", {}, t("builder.title")),
      h("p", { class: "field" }, h("label", { for: "start-from" }, t("builder.start_from")), this.#start),
      h(
        "div",
        { class: "builder-sides" },
        this.#brief,
        this.#form,
        h(
          "section",
          { class: "builder-side", "aria-labelledby": "builder-words" },
          h(
            "div",
            {},
            h("h2", { id: "builder-words" }, t("builder.in_words")),
            this.#problem,
            this.#title,
            this.#summary,
          ),
          h(
            "div",
            {},
            this.#name.field,
            this.#buttons(),
            this.#link,
            h(
              "details",
              { open: isWide },
              h("summary", {}, t("builder.preview")),
              h("div", { class: "builder-preview" }, this.#preview.element),
            ),
          ),
        ),
      ),
    );
  }

  #buttons() {
    const { room } = this;
    this.#playing = [
      room !== null &&
        this.#button("use-in-room", t("builder.use_in_room", { code: room }), (variant) =>
          go(`/rooms/${room}`, { state: { variant } }),
        ),
      this.#button("play-friends", t("home.friends"), (variant) => this.#makeRoom(variant, MOST_SEATS)),
      this.#button("play-alone", t("builder.alone"), (variant) => this.#makeRoom(variant, 1)),
      this.#button("share-variant", t("builder.share"), (variant) => this.#share(variant)),
    ].filter((button) => button !== false);
    return h("div", { class: "buttons" }, ...this.#playing);
  }

  /**
   * A button that needs the variant to be kept first.
   * @param {string} testId
   * @param {string} label
   * @param {(id: string) => Promise<void> | void} action
   */
  #button(testId, label, action) {
    const isFirst = testId === (this.room === null ? "play-friends" : "use-in-room");
    const button = h(
      "button",
      { type: "button", class: isFirst ? "primary" : "", "data-testid": testId },
      label,
    );
    button.addEventListener("click", async () => {
      const name = isOff(button) || this.#draft === null ? null : takeName(this.#name.input);
      if (name === null || this.#draft === null) return;
      setOff(button, true);
      try {
        await playAs(name);
        const variant = await makeVariant(this.#draft);
        this.#drawVariant(variant);
        await action(variant.id);
      } catch (error) {
        this.#failed(error);
      }
      setOff(button, this.#variant === null);
    });
    return button;
  }

  /** @param {string} variant @param {number} seats */
  async #makeRoom(variant, seats) {
    const { code } = await makeRoom(variant, seats);
    go(`/rooms/${code}`, { state: { join: true } });
  }

  /** @param {string} variant */
  async #share(variant) {
    const address = `/variants/${this.#variant?.code ?? variant}`;
    history.replaceState(null, "", address + location.search);
    const link = `${location.origin}${address}`;
    setText(this.#link, link);
    show(this.#link, true);
    const isCopied = await copyText(link);
    say(t(isCopied ? "share.copied" : "share.select"));
  }

  /** @param {string | null} name */
  async #begin(name) {
    fill(this.#form, h("p", {}, t("page.loading")));
    try {
      this.#presets = await getVariants();
      const found = name === null ? null : await findVariant(name);
      const first = found ?? this.#presets[0];
      if (!first) return;
      fill(this.#start, ...variantOptions(this.#presets, first.id));
      if (found && this.#presets.every((one) => one.id !== found.id)) this.#offer(found);
      this.#setDraft(first);
      if (name !== null && !found) this.#say(t("builder.no_code", { code: name }));
    } catch (error) {
      fill(this.#form);
      this.#say(problemText(error));
    }
  }

  /** What was shared is one of the things to start from. @param {Variant} variant */
  #offer(variant) {
    this.#start.prepend(h("option", { value: variant.id, selected: true }, variantTitle(variant)));
    this.#presets = [variant, ...this.#presets];
  }

  /** @param {string} id */
  #startFrom(id) {
    const variant = this.#presets.find((one) => one.id === id);
    if (variant) this.#setDraft(variant);
  }

  /** @param {Variant} variant */
  #setDraft(variant) {
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.#draft = draftOf(variant);
    this.#drawForm();
    this.#drawVariant(variant);
  }

  /** @type {import("./builder_rows.js").Change} */
  #change = (step, isRedrawn = false) => {
    if (this.#draft === null) return;
    this.#draft = step(this.#draft);
    if (isRedrawn) this.#drawForm();
    show(this.#link, false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), WAIT_MS);
  };

  /** Asks what the draft makes. Of several answers under way only that to the newest question counts. */
  async #ask() {
    if (this.#draft === null) return;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const variant = await previewVariant(this.#draft);
      if (asked === this.#asked) this.#drawVariant(variant);
    } catch (error) {
      if (asked === this.#asked) this.#failed(error);
    }
  }

  /** The focus stays on the control that it was on. */
  #drawForm() {
    const draft = this.#draft;
    if (draft === null) return;
    const { id } = document.activeElement ?? { id: "" };
    fill(
      this.#form,
      diceGroup(draft, this.#change),
      columnsGroup(draft, this.#change),
      rowsGroup(draft, this.#change),
      bonusGroup(draft, this.#change),
      middleGroup(draft, this.#change),
    );
    if (id !== "" && document.activeElement === document.body) document.getElementById(id)?.focus();
  }

  /** @param {Variant} variant */
  #drawVariant(variant) {
    this.#variant = variant;
    this.#clearProblem();
    fill(this.#title, h("strong", {}, variantTitle(variant)));
    setText(this.#brief, variantNumbers(variant));
    fill(this.#summary, ...variantSentences(variant).map((line) => h("li", {}, line)));
    const sheet = { seat: 0, total: 0, cells: {}, sums: {} };
    const look = {
      sheet,
      variant,
      legal: null,
      mode: /** @type {const} */ ("fill"),
      armed: null,
      announced: null,
    };
    this.#preview.update({ ...look, due: [], last: null }, t("builder.preview"));
    this.#allow(true);
  }

  /** @param {unknown} error */
  #failed(error) {
    const [first] = error instanceof Problem ? error.errors : [];
    if (!first) return this.#say(problemText(error));
    this.#variant = null;
    this.#allow(false);
    this.#clearProblem();
    const text = wrongText(first);
    this.#say(text);
    markField(this.#form, first.field, text);
  }

  /** @param {string} text */
  #say(text) {
    setText(this.#problem, text);
    setText(this.#brief, text);
    show(this.#problem, true);
    alarm(text);
  }

  #clearProblem() {
    show(this.#problem, false);
    unmarkFields(this.#form);
  }

  /** @param {boolean} isPlayable */
  #allow(isPlayable) {
    for (const button of this.#playing) setOff(button, !isPlayable);
  }
}

/** In the player's words where there are some for the parameter. @param {{field: string, sentence: string}} error */
function wrongText({ field, sentence }) {
  const steps = field.replaceAll(/\[\d+\]/g, "").split(".");
  for (; steps.length > 0; steps.pop()) {
    const key = `builder.wrong.${steps.join(".")}`;
    if (has(key)) return t(key);
  }
  return `${field}: ${sentence}`;
}

/**
 * Puts the text beside the field, or beside the closest part of the form that it belongs to.
 * @param {HTMLElement} form
 * @param {string} field
 * @param {string} text
 */
function markField(form, field, text) {
  for (let path = field; path !== ""; path = path.replace(/(\[\d+\]|\.?[^.[]+)$/, "")) {
    const place = form.querySelector(`[data-field="${CSS.escape(path)}"]`);
    if (!place) continue;
    const note = h("span", { class: "problem builder-note", id: "builder-note" }, text);
    const control = place.matches("p") ? place.querySelector("input, select") : place;
    if (place.matches("fieldset")) place.querySelector("legend")?.after(note);
    else place.append(note);
    setAttribute(/** @type {Element} */ (control), "aria-describedby", "builder-note");
    if (control !== place) setAttribute(/** @type {Element} */ (control), "aria-invalid", "true");
    return;
  }
}

/** @param {HTMLElement} form */
function unmarkFields(form) {
  form.querySelector("#builder-note")?.remove();
  for (const one of form.querySelectorAll("[aria-describedby], [aria-invalid]")) {
    setAttribute(one, "aria-describedby", null);
    setAttribute(one, "aria-invalid", null);
  }
}

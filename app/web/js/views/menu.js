/** The menu of every page: language, theme, speech, sound, keys, one-tap write, and the pages. Help is always last. */

/** @import {Preferences} from "../preferences.js" */
import { h } from "../dom.js";
import { applyTheme, preferences, remember } from "../preferences.js";
import { relabelPage } from "../router.js";
import { openDialog, toggleSound } from "../shell.js";
import { LANGUAGES, language, loadLanguage, t } from "../words.js";
import { openHelp } from "./help.js";

const THEMES = /** @type {const} */ (["system", "light", "dark"]);
const VERBOSITIES = /** @type {const} */ (["short", "normal", "full"]);

export function openMenu() {
  const dialog = openDialog(t("menu.title"), [
    languageField(() => dialog.close()),
    themeField(),
    speechField(),
    checkbox("sound", t("menu.sound"), (isOn) => isOn !== preferences.sound && toggleSound()),
    checkbox("keys", t("menu.keys"), (isOn) => remember({ keys: isOn })),
    checkbox("assign", t("menu.assign"), (isOn) => remember({ assign: isOn })),
    checkbox("oneTap", t("menu.one_tap"), (isOn) => remember({ oneTap: isOn })),
    h(
      "nav",
      { class: "pages", "aria-label": t("menu.pages") },
      link("/", t("menu.home")),
      link("/leaderboards", t("home.scores")),
      link("/rules", t("home.rules")),
      link("/fair", t("home.fair")),
      link("/me", t("me.title")),
      link("/players/me", t("player.mine")),
      helpButton(() => dialog.close()),
    ),
  ]);
  dialog.addEventListener(
    "click",
    (event) => /** @type {Element} */ (event.target).closest("a") && dialog.close(),
  );
}

/** @param {string} href @param {string} text */
function link(href, text) {
  return h("a", { class: "button", href }, text);
}

/** @param {() => void} done */
function helpButton(done) {
  const button = h("button", { type: "button" }, t("help.title"));
  button.addEventListener("click", () => {
    done();
    openHelp();
  });
  return button;
}

/** @param {() => void} done */
function languageField(done) {
  const options = LANGUAGES.map(({ tag, name }) =>
    h("option", { value: tag, lang: tag, selected: tag === language() }, name),
  );
  return selectField("language", options, async (tag) => {
    await loadLanguage(tag);
    remember({ language: tag });
    document.documentElement.lang = tag;
    done();
    relabelPage();
  });
}

function themeField() {
  const options = THEMES.map((theme) =>
    h("option", { value: theme, selected: theme === preferences.theme }, t(`theme.${theme}`)),
  );
  return selectField("theme", options, (theme) => {
    remember({ theme: /** @type {Preferences["theme"]} */ (theme) });
    applyTheme();
  });
}

function speechField() {
  const options = VERBOSITIES.map((verbosity) =>
    h("option", { value: verbosity, selected: verbosity === preferences.speech }, t(`speech.${verbosity}`)),
  );
  return selectField("speech", options, (verbosity) => {
    remember({ speech: /** @type {Preferences["speech"]} */ (verbosity) });
  });
}

/**
 * @param {"language" | "theme" | "speech"} name
 * @param {HTMLOptionElement[]} options
 * @param {(value: string) => void} onChange
 */
function selectField(name, options, onChange) {
  const id = `menu-${name}`;
  const select = h("select", { id, "data-testid": name }, ...options);
  select.addEventListener("change", () => onChange(select.value));
  return h("p", { class: "field" }, h("label", { for: id }, t(`menu.${name}`)), select);
}

/**
 * @param {"sound" | "keys" | "oneTap" | "assign"} name
 * @param {string} text
 * @param {(isOn: boolean) => void} onChange
 */
function checkbox(name, text, onChange) {
  const box = h("input", { type: "checkbox", "data-testid": `set-${name}`, checked: preferences[name] });
  box.addEventListener("change", () => onChange(box.checked));
  return h("label", { class: "check" }, box, h("span", {}, text));
}

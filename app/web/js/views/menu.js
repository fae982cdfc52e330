/** The menu of every page: language, theme, sound, keys, one-tap write, and the pages. Help is always last. */

/** @import {Preferences} from "../preferences.js" */
import { h } from "../dom.js";
import { applyTheme, preferences, remember } from "../preferences.js";
import { relabelPage } from "../router.js";
import { openDialog, toggleSound } from "../shell.js";
import { LANGUAGES, language, loadLanguage, t } from "../words.js";
import { openHelp } from "./help.js";

export function openMenu() {
  const dialog = openDialog(t("menu.title"), [
    languageField(() => dialog.close()),
    themeField(),
    checkbox("sound", t("menu.sound"), (isOn) => isOn !== preferences.sound && toggleSound()),
    checkbox("keys", t("menu.keys"), (isOn) => remember({ keys: isOn })),
    checkbox("oneTap", t("menu.one_tap"), (isOn) => remember({ oneTap: isOn })),
    h(
      "nav",
      { class: "pages", "aria-label": t("menu.pages") },
      link("/", t("menu.home")),
      link("/leaderboards", t("home.scores")),
      link("/rules", t("home.rules")),
      link("/fair", t("home.fair")),
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
  const select = h("select", { id: "menu-language", "data-testid": "language" }, ...options);
  select.addEventListener("change", async () => {
    await loadLanguage(select.value);
    remember({ language: select.value });
    document.documentElement.lang = select.value;
    done();
    relabelPage();
  });
  return h("p", { class: "field" }, h("label", { for: "menu-language" }, t("menu.language")), select);
}

function themeField() {
  const themes = /** @type {const} */ (["system", "light", "dark"]);
  const options = themes.map((theme) =>
    h("option", { value: theme, selected: theme === preferences.theme }, t(`theme.${theme}`)),
  );
  const select = h("select", { id: "menu-theme", "data-testid": "theme" }, ...options);
  select.addEventListener("change", () => {
    remember({ theme: /** @type {Preferences["theme"]} */ (select.value) });
    applyTheme();
  });
  return h("p", { class: "field" }, h("label", { for: "menu-theme" }, t("menu.theme")), select);
}

/**
 * @param {"sound" | "keys" | "oneTap"} name
 * @param {string} text
 * @param {(isOn: boolean) => void} onChange
 */
function checkbox(name, text, onChange) {
  const box = h("input", { type: "checkbox", "data-testid": `set-${name}`, checked: preferences[name] });
  box.addEventListener("change", () => onChange(box.checked));
  return h("label", { class: "check" }, box, h("span", {}, text));
}

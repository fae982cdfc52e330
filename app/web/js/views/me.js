/** The player of this browser: his name, his account, and what is kept of him. */

/** @import {Me} from "../api.js" */
/** @import {Field} from "./field_form.js" */
import {
  changePassword,
  EXPORT_ADDRESS,
  recover,
  register,
  renewRecoveryCode,
  signIn,
  signOut,
  signOutEverywhere,
} from "../account_api.js";
import { getMe, playAs } from "../api.js";
import { fill, h, setText, show } from "../dom.js";
import { preferences, remember } from "../preferences.js";
import { forgetSeat } from "../seat_at_stake.js";
import { alarm, say, setTitle } from "../shell.js";
import { t } from "../words.js";
import { openDeletion } from "./deletion.js";
import { FieldForm } from "./field_form.js";
import { playerAddress } from "./player_name.js";
import { problemText } from "./problem.js";
import { codeBox } from "./recovery_code.js";
import { maySwitchPlayer } from "./seat_warning.js";

const LEAST_PASSWORD = 8;

export class MePage {
  constructor() {
    /** @type {Me | null} */
    this.me = null;
    /** What is shown this once, until it is kept. @type {string | null} */
    this.code = null;
    this.isKnown = false;
    this.element = h("div", { class: "page me" });
    this.note = h("p", { class: "note", "data-testid": "note", hidden: true });
    this.relabel();
    void this.#load();
  }

  relabel() {
    setTitle(t("me.title"));
    if (this.isKnown) this.#draw();
    else fill(this.element, h("h1", {}, t("me.title")), h("p", {}, t("page.loading")));
  }

  async #load() {
    try {
      this.me = await getMe();
      this.isKnown = true;
      this.#draw();
    } catch (error) {
      fill(this.element, h("h1", {}, t("me.title")), h("p", { class: "problem" }, problemText(error)));
    }
  }

  #draw() {
    const heading = h("h1", { tabindex: -1 }, t("me.title"));
    if (this.code !== null) {
      fill(
        this.element,
        heading,
        codeBox(this.code, () => this.#codeIsKept()),
      );
      return;
    }
    fill(this.element, heading, this.note, ...this.#sections());
  }

  #sections() {
    if (this.me === null)
      return [
        h("p", {}, t("me.nobody")),
        h("h2", {}, t("me.sign_in")),
        this.#signInForm(),
        more("register", t("me.register"), h("p", {}, t("me.register_about")), this.#registerForm()),
        more("recover", t("me.forgot"), this.#recoverForm()),
      ];
    if (this.me.user_name === null)
      return [
        h("p", { "data-testid": "who" }, t("me.guest", { name: this.me.name, tag: this.me.tag ?? "" })),
        resultsLink(this.me),
        this.#nameForm(this.me),
        h("h2", {}, t("me.register")),
        h("p", {}, t("me.register_about")),
        this.#registerForm(),
        more("sign-in", t("me.have_account"), h("p", {}, t("me.guest_stays")), this.#signInForm()),
        more("recover", t("me.forgot"), h("p", {}, t("me.guest_stays")), this.#recoverForm()),
        ...this.#data(this.me),
      ];
    return [
      h("p", { "data-testid": "who" }, t("me.account", { user_name: this.me.user_name })),
      resultsLink(this.me),
      this.#nameForm(this.me),
      h(
        "div",
        { class: "buttons" },
        this.#button("sign-out", t("me.sign_out"), () => this.#leave(signOut)),
        this.#button("sign-out-everywhere", t("me.sign_out_everywhere"), () =>
          this.#leave(signOutEverywhere),
        ),
      ),
      more("change-password", t("me.change_password"), this.#passwordForm(this.me)),
      more("renew-code", t("me.renew"), h("p", {}, t("me.renew_about")), this.#renewForm(this.me)),
      ...this.#data(this.me),
    ];
  }

  /** @param {Me} me */
  #nameForm(me) {
    /** @type {Field} */
    const field = { name: "name", label: t("name.label"), autocomplete: "nickname", value: me.name };
    return new FieldForm("me-name", [field], t("me.save_name"), async ({ name = "" }) => {
      this.#become(await playAs(name.trim()));
      this.#tell(t("me.saved"));
    }).element;
  }

  #registerForm() {
    return new FieldForm(
      "register",
      [userName(t("me.user_name_about")), newPassword("password", t("me.password"))],
      t("me.register"),
      async ({ user_name = "", password = "" }) => {
        const made = await register({ user_name, password });
        this.#showCode(made.recovery_code, made);
      },
      { isPrimary: true },
    ).element;
  }

  #signInForm() {
    return new FieldForm(
      "sign-in",
      [userName(), givenPassword(t("me.password"))],
      t("me.sign_in"),
      async ({ user_name = "", password = "" }) => {
        if (this.me !== null && !(await maySwitchPlayer())) return;
        this.#become(await signIn({ user_name, password }));
        forgetSeat();
        this.#tell(t("me.signed_in"));
      },
      { isPrimary: this.me === null },
    ).element;
  }

  #recoverForm() {
    /** @type {Field} */
    const code = { name: "recovery_code", label: t("me.recovery_code"), autocomplete: "off" };
    return new FieldForm(
      "recover",
      [userName(), code, newPassword("password", t("me.new_password"))],
      t("me.recover"),
      async ({ user_name = "", recovery_code = "", password = "" }) => {
        if (this.me !== null && !(await maySwitchPlayer())) return;
        const made = await recover({ user_name, recovery_code, password });
        forgetSeat();
        this.#showCode(made.recovery_code, made);
      },
      { errorWords: { wrong_credentials: "wrong.recovery" } },
    ).element;
  }

  /** @param {Me} me */
  #passwordForm(me) {
    const form = new FieldForm(
      "change-password",
      [givenPassword(t("me.present_password")), newPassword("new_password", t("me.new_password"))],
      t("me.change_password"),
      async ({ password = "", new_password = "" }) => {
        await changePassword({ password, new_password });
        form.clear();
        this.#tell(t("me.password_changed"));
      },
      { userName: me.user_name },
    );
    return form.element;
  }

  /** @param {Me} me */
  #renewForm(me) {
    return new FieldForm(
      "renew-code",
      [givenPassword(t("me.present_password"))],
      t("me.renew"),
      async ({ password = "" }) => {
        this.#showCode((await renewRecoveryCode({ password })).recovery_code, me);
      },
      { userName: me.user_name },
    ).element;
  }

  /** @param {Me} me */
  #data(me) {
    const download = h("a", { class: "button", href: EXPORT_ADDRESS, download: "", "data-testid": "export" });
    setText(download, t("me.export"));
    const remove = h("button", { type: "button", "data-testid": "delete-me" }, t("me.delete"));
    remove.addEventListener("click", () => openDeletion(me, () => this.#left(t("me.deleted"))));
    return [h("h2", {}, t("me.data")), h("div", { class: "buttons" }, download, remove)];
  }

  /**
   * @param {string} id
   * @param {string} text
   * @param {() => Promise<void>} action
   */
  #button(id, text, action) {
    const button = h("button", { type: "button", "data-testid": id }, text);
    button.addEventListener("click", () =>
      action().catch((error) => {
        alarm(problemText(error));
        this.#tell(problemText(error));
      }),
    );
    return button;
  }

  /** @param {() => Promise<void>} out */
  async #leave(out) {
    await out();
    this.#left(t("me.signed_out"));
  }

  /** Nothing of who was here stays behind for whoever comes next. @param {string} text */
  #left(text) {
    remember({ name: "", room: null });
    this.#become(null);
    this.#tell(text);
  }

  /** @param {string} code @param {Me} me */
  #showCode(code, me) {
    this.code = code;
    this.#become(me);
  }

  #codeIsKept() {
    this.code = null;
    this.#draw();
    this.#focus();
  }

  /** @param {Me | null} me */
  #become(me) {
    this.me = me;
    if (me !== null && preferences.name !== me.name) remember({ name: me.name });
    show(this.note, false);
    this.#draw();
    this.#focus();
  }

  #focus() {
    scrollTo(0, 0);
    this.element.querySelector("h1")?.focus({ preventScroll: true });
  }

  /** @param {string} text */
  #tell(text) {
    setText(this.note, text);
    show(this.note, true);
    say(text);
    scrollTo(0, 0);
  }
}

/** @param {Me} me */
function resultsLink(me) {
  const link = h(
    "a",
    { class: "button", href: playerAddress(me.player), "data-testid": "my-results" },
    t("player.mine"),
  );
  return h("div", { class: "buttons" }, link);
}

/**
 * @param {string} id
 * @param {string} title
 * @param {...Node} content
 */
function more(id, title, ...content) {
  const summary = h("summary", { "data-testid": `more-${id}` }, h("h2", {}, title));
  return h("details", {}, summary, ...content);
}

/** @param {string} [about] @returns {Field} */
function userName(about = "") {
  return { name: "user_name", label: t("me.user_name"), autocomplete: "username", about };
}

/** @param {string} label @returns {Field} */
function givenPassword(label) {
  return { name: "password", label, type: "password", autocomplete: "current-password" };
}

/** @param {string} name @param {string} label @returns {Field} */
function newPassword(name, label) {
  return {
    name,
    label,
    type: "password",
    autocomplete: "new-password",
    about: t("me.password_about"),
    least: LEAST_PASSWORD,
  };
}

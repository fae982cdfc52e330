/** A player asks to be deleted: what that means, and the password of an account. */

/** @import {Me} from "../api.js" */
import { deleteMe } from "../account_api.js";
import { h } from "../dom.js";
import { openDialog } from "../shell.js";
import { t } from "../words.js";
import { FieldForm } from "./field_form.js";

/**
 * @param {Me} me
 * @param {() => void} onDeleted
 */
export function openDeletion(me, onDeleted) {
  /** @type {import("./field_form.js").Field} */
  const password = {
    name: "password",
    label: t("me.present_password"),
    type: "password",
    autocomplete: "current-password",
  };
  const form = new FieldForm(
    "delete",
    me.user_name === null ? [] : [password],
    t("me.delete.go"),
    async (given) => {
      await deleteMe(given);
      dialog.close();
      onDeleted();
    },
    { userName: me.user_name },
  );
  const dialog = openDialog(t("me.delete.title", { name: me.name }), [
    h("p", {}, t("me.delete.about")),
    form.element,
  ]);
}

/** The way into a room for others: link, copy, the system's share sheet, QR code. */

import { qrAddress } from "../api.js";
import { h, setText } from "../dom.js";
import { say } from "../shell.js";
import { t } from "../words.js";

/** Names of the own computer: another device that opens them finds itself. */
const ONLY_HERE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** @param {string} hostname as the browser writes it */
export function isOnlyHere(hostname) {
  return ONLY_HERE.test(hostname);
}

/** @param {string} code */
export function shareBox(code) {
  const link = `${location.origin}/rooms/${code}`;
  const copy = h("button", { type: "button", "data-testid": "copy" }, t("share.copy"));
  copy.addEventListener("click", async () => {
    const isCopied = await copyText(link);
    setText(copy, t(isCopied ? "share.copied" : "share.copy"));
    say(t(isCopied ? "share.copied" : "share.select"));
  });
  const share =
    "share" in navigator && h("button", { type: "button", "data-testid": "share" }, t("share.share"));
  if (share)
    share.addEventListener("click", () =>
      navigator.share({ title: "Yamb", text: t("share.text", { code }), url: link }).catch(() => {}),
    );
  return h(
    "section",
    { class: "share", "aria-label": t("share.title") },
    h("img", { class: "qr", src: qrAddress(code), alt: t("share.qr"), width: 128, height: 128 }),
    h(
      "div",
      { class: "share-text" },
      h("p", { class: "share-link", "data-testid": "room-link" }, link),
      isOnlyHere(location.hostname) &&
        h("p", { class: "note", "data-testid": "share-only-here" }, t("share.only_here")),
      h("div", { class: "buttons" }, copy, share),
    ),
  );
}

/**
 * The clipboard exists only on secure pages; a table at home may be on plain http.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { class: "vh" }, text);
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}

/** How the players keep each other company: the pace of a turn, and whether they may write to each other. */

/** @import {Pace} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
import { h, setText, show } from "../dom.js";
import { setChat } from "../protocol.js";
import { isHost } from "../state.js";
import { t } from "../words.js";

/** @type {Pace[]} */
const PACES = ["none", "relaxed", "brisk"];

export class RoomSettings {
  /**
   * @param {Line} line
   * @param {(pace: Pace) => void} onPace
   */
  constructor(line, onPace) {
    const options = PACES.map((pace) => h("option", { value: pace }, t(`pace.${pace}`)));
    this.pace = h("select", { id: "pace", "data-testid": "pace" }, ...options);
    this.pace.addEventListener("change", () => onPace(/** @type {Pace} */ (this.pace.value)));
    this.paceField = h("p", { class: "field wide" }, h("label", { for: "pace" }, t("pace.label")), this.pace);
    this.chat = h("input", { type: "checkbox", "data-testid": "chat-switch" });
    // Not one of the settings on the wire: it is no reason to ask everybody again whether he is ready.
    this.chat.addEventListener("change", () => {
      const isOn = this.chat.checked;
      if (!line.give(() => setChat(isOn))) this.chat.checked = !isOn;
    });
    this.chatField = h("label", { class: "check" }, this.chat, h("span", {}, t("chat.switch")));
    this.elements = [this.paceField, this.chatField];
    this.told = h("p", { class: "muted", "data-testid": "pace-told", hidden: true });
  }

  /**
   * @param {Model} model
   * @param {boolean} isChanging a change is on its way: what was chosen stays on the screen
   */
  update(model, isChanging) {
    const room = model.table?.room;
    if (!room) return;
    const pace = room.pace ?? "none";
    show(this.paceField, !room.own_dice);
    if (!isChanging) this.pace.value = pace;
    this.chat.checked = room.chat;
    show(this.told, !isHost(model) && pace !== "none" && !room.own_dice);
    setText(this.told, t("pace.told", { pace: t(`pace.${pace}`) }));
  }
}

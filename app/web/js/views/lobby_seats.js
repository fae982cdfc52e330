/** The seats of a room before the start: who sits there, who is ready, and what the host can do about it. */

/** @import {Command, Seat} from "../protocol.js" */
/** @import {Model} from "../state.js" */
/** @import {Line} from "./table.js" */
import { fill, h, isOff, setOff, setText, show } from "../dom.js";
import { presenceOf, spectators } from "../presence.js";
import { addBot, kick, leave } from "../protocol.js";
import { isHost, mySeat, nameOf } from "../state.js";
import { seatTag } from "../tags.js";
import { t, tn } from "../words.js";
import { playerMark } from "./chips.js";
import { withTag } from "./player_name.js";

export class LobbySeats {
  /**
   * @param {Model} model
   * @param {Line} line
   */
  constructor(model, line) {
    this.model = model;
    this.line = line;
    this.list = h("ol", { class: "seats", "data-testid": "seats" });
    this.bot = h("button", { type: "button", "data-testid": "add-bot" });
    this.bot.addEventListener("click", () => !isOff(this.bot) && this.line.command(addBot()));
    this.watching = h("p", { class: "muted", "data-testid": "spectators", hidden: true });
    this.element = h("div", {}, this.list, h("div", { class: "buttons" }, this.bot), this.watching);
    this.update(model);
  }

  /** @param {Model} model */
  update(model) {
    this.model = model;
    const { table, presence } = model;
    if (!table) return;
    const drawn = JSON.stringify([table.seats, table.room, model.you, presence]);
    if (this.list.dataset.drawn !== drawn)
      fill(this.list, ...table.seats.map((one) => this.#line(one)), this.#freeSeats());
    this.list.dataset.drawn = drawn;
    const hasRoom = table.seats.length < table.room.max_seats;
    show(this.bot, isHost(model) && hasRoom && !table.room.own_dice);
    setText(this.bot, t("lobby.add_bot"));
    setOff(this.bot, !this.line.isReady());
    show(this.watching, spectators(model) > 0);
    setText(this.watching, tn("room.spectators", spectators(model)));
  }

  /** @param {Seat} seat */
  #line(seat) {
    const isMine = seat.player === this.model.you?.player;
    const isFurther = isMine && mySeat(this.model)?.seat !== seat.seat;
    const state = presenceOf(this.model, seat.player);
    const mark = seat.kind === "bot" ? "bot" : state === "here" || isMine ? null : state;
    const notes = [
      isMine && t(isFurther ? "lobby.here" : "you"),
      seat.player === this.model.table?.room.host && !isFurther && t("lobby.host"),
      seat.kept && t("keep.note"),
      mark && mark !== "bot" && t(`presence.${mark}`),
    ];
    return h(
      "li",
      { class: seat.ready ? "is-ready" : "" },
      playerMark(seat.seat, seat.name, mark),
      h("span", { class: "seat-name" }, ...withTag(seat.name, seatTag(seat, this.model.table?.seats ?? []))),
      h("span", { class: "muted" }, notes.filter(Boolean).join(", ")),
      h("span", { class: "ready-mark" }, seat.ready ? `✓ ${t("lobby.is_ready")}` : t("lobby.not_ready")),
      this.#removal(seat, isMine, isFurther),
    );
  }

  /**
   * A further seat of this device is given back; the host removes bots and players.
   * @param {Seat} seat
   * @param {boolean} isMine
   * @param {boolean} isFurther
   */
  #removal(seat, isMine, isFurther) {
    if (isFurther)
      return this.#removeButton(t("lobby.remove", { name: seat.name }), seat, () => leave(seat.seat));
    if (isMine || !isHost(this.model)) return null;
    const name = nameOf(this.model, seat.seat);
    return this.#removeButton(t("people.remove_name", { name }), seat, () => kick(seat.seat));
  }

  /**
   * @param {string} name
   * @param {Seat} seat
   * @param {() => Command} make
   */
  #removeButton(name, seat, make) {
    const button = h(
      "button",
      {
        type: "button",
        class: "icon",
        "aria-label": name,
        title: name,
        "data-testid": `kick-${seat.seat}`,
      },
      "×",
    );
    button.addEventListener("click", () => this.line.command(make()));
    return button;
  }

  #freeSeats() {
    const { room, seats } = /** @type {NonNullable<Model["table"]>} */ (this.model.table);
    const free = room.max_seats - seats.length;
    return free > 0 && h("li", { class: "free" }, tn("lobby.free", free));
  }
}

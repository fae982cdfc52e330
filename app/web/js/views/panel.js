/**
 * The score panel: for every seat the points now and those still possible, with their shares of a perfect game.
 * The figures are the server's, asked for when the panel opens and after every update while it is open.
 */

/** @import {ScorePanels, SeatPanel} from "../api.js" */
/** @import {PanelLine} from "../panel_lines.js" */
/** @import {Model} from "../state.js" */
import { getPanels } from "../api.js";
import { fill, h, hiddenText, setText } from "../dom.js";
import { mineFirst, panelLines } from "../panel_lines.js";
import { openDialog } from "../shell.js";
import { mySeat, nameOf } from "../state.js";
import { formatNumber, t } from "../words.js";
import { playerMark } from "./chips.js";
import { problemText } from "./problem.js";

export class PanelDialog {
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #isAsking = false;
  /** The version of the table that was asked about last. */
  #asked = -1;

  /**
   * @param {() => Model} model
   * @param {() => void} onClose
   */
  constructor(model, onClose) {
    this.model = model;
    this.onClose = onClose;
    this.note = h("p", { class: "muted" });
    this.problem = h("p", { class: "problem", role: "status" });
    this.tables = h("div", { class: "panels", "data-testid": "panels" });
  }

  open() {
    if (this.#dialog) return;
    setText(this.note, t("page.loading"));
    setText(this.problem, "");
    fill(this.tables);
    this.#dialog = openDialog(t("panel.title"), [this.tables, this.problem, this.note], () => {
      this.#dialog = null;
      this.onClose();
    });
    this.#asked = -1;
    this.update();
  }

  close() {
    this.#dialog?.close();
  }

  /** Asks again if the table has moved on; one question at a time. */
  update() {
    const { table, version } = this.model();
    if (!this.#dialog || !table || this.#isAsking || version === this.#asked) return;
    this.#isAsking = true;
    this.#asked = version;
    getPanels(table.room.code)
      .then((panels) => this.#draw(panels))
      .catch((error) => setText(this.problem, problemText(error)))
      .finally(() => {
        this.#isAsking = false;
        this.update();
      });
  }

  /** @param {ScorePanels} answer */
  #draw({ panels }) {
    const model = this.model();
    const mine = mySeat(model)?.seat ?? null;
    setText(this.problem, "");
    fill(
      this.tables,
      ...mineFirst(panels, mine).map((panel) => panelTable(panel, nameOf(model, panel.seat))),
    );
    const total = formatNumber(panels[0]?.perfect.total ?? 0);
    setText(this.note, t("panel.note", { total }));
  }
}

/**
 * @param {SeatPanel} panel
 * @param {string} name
 */
function panelTable(panel, name) {
  const groups = ["panel.now", "panel.possible"].map((key, place) =>
    h("th", { scope: "colgroup", colspan: 2, class: figureClass(place * 2) }, t(key)),
  );
  const heads = ["scores.points", "panel.share", "scores.points", "panel.share"].map((key, place) =>
    h("th", { scope: "col", class: figureClass(place) }, t(key)),
  );
  return h(
    "table",
    { class: "plain panel", "data-testid": `panel-${panel.seat}` },
    h("caption", {}, h("span", { class: "with-sign" }, playerMark(panel.seat, name), name)),
    h("colgroup", {}),
    h("colgroup", { span: 2 }),
    h("colgroup", { span: 2 }),
    h(
      "thead",
      {},
      h("tr", {}, h("th", { scope: "col", rowspan: 2 }, hiddenText(t("panel.part"))), ...groups),
      h("tr", {}, ...heads),
    ),
    h("tbody", {}, ...panelLines(panel).map(panelLine)),
  );
}

/** @param {PanelLine} line */
function panelLine({ part, name, figures }) {
  const cells = figures.map((figure, place) =>
    h("td", { class: figureClass(place), "data-testid": `${part}-${place}` }, figure),
  );
  return h("tr", { class: part }, h("th", { scope: "row" }, name), ...cells);
}

/** Two figures of now, then two of what is possible. @param {number} place */
function figureClass(place) {
  return place < 2 ? "number now" : "number possible";
}

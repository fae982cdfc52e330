/** How the totals rose, round by round: a picture, and the numbers as a table. */

import { h, svg } from "../dom.js";
import { formatNumber, t } from "../words.js";
import { playerMark } from "./chips.js";

/** @typedef {{round: number, totals: number[]}} Round */
/** @typedef {{seat: number, name: string}} Player */

const WIDTH = 320;
const HEIGHT = 160;
const MARGIN = 10;
/** Room at the right for the mark that a line ends in. */
const END = 26;
const MARK = 9;
/** Lines differ by their dashes, since the colours of players are too faint for lines. */
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "4 4", "12 3", "2 6", "6 2 2 2 2 2"];

/**
 * @param {Player[]} players
 * @param {Round[]} rounds
 */
export function totalsByRoundView(players, rounds) {
  return h(
    "details",
    { class: "replay-totals" },
    h("summary", { "data-testid": "replay-totals-open" }, t("replay.totals")),
    chart(players, rounds),
    h(
      "div",
      { class: "replay-scroll", tabindex: 0, role: "group", "aria-label": t("replay.totals") },
      table(players, rounds),
    ),
  );
}

/** @param {Player[]} players @param {Round[]} rounds */
function table(players, rounds) {
  const heads = [t("replay.round"), ...players.map(({ name }) => name)];
  return h(
    "table",
    { class: "plain", "data-testid": "replay-totals" },
    h("caption", { class: "vh" }, t("replay.totals")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...heads.map((head, column) => h("th", { scope: "col", class: column > 0 && "number" }, head)),
      ),
    ),
    h(
      "tbody",
      {},
      ...rounds.map(({ round, totals }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, String(round)),
          ...totals.map((total) => h("td", { class: "number" }, formatNumber(total))),
        ),
      ),
    ),
  );
}

/** @param {Player[]} players @param {Round[]} rounds */
function chart(players, rounds) {
  const highest = Math.max(1, ...rounds.flatMap(({ totals }) => totals));
  const lowest = Math.min(0, ...rounds.flatMap(({ totals }) => totals));
  const across = (/** @type {number} */ round) =>
    MARGIN + ((WIDTH - MARGIN - END) * round) / Math.max(1, rounds.length);
  const up = (/** @type {number} */ total) =>
    HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (total - lowest)) / (highest - lowest);
  const ends = apart(players.map((_one, place) => up(rounds.at(-1)?.totals[place] ?? 0)));
  const lines = players.map((player, place) => {
    const points = [
      [across(0), up(0)],
      ...rounds.map(({ round, totals }) => [across(round), up(totals[place] ?? 0)]),
    ];
    return svg("polyline", {
      class: "chart-line",
      points: points.map((point) => point.map((one) => one.toFixed(1)).join()).join(" "),
      "stroke-dasharray": DASHES[player.seat % DASHES.length] || null,
    });
  });
  const marks = players.map((player, place) => endMark(player, ends[place] ?? 0));
  const axis = svg("path", { class: "chart-axis", d: `M${MARGIN} ${MARGIN}V${up(0)}H${WIDTH - END}` });
  return h(
    "div",
    { class: "chart" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": t("replay.chart", { best: formatNumber(highest) }),
      },
      axis,
      ...lines,
      ...marks,
    ),
    h("p", { class: "chart-legend", "aria-hidden": "true" }, ...players.map(legend)),
  );
}

/** @param {Player} player @param {number} height */
function endMark({ seat, name }, height) {
  const initial = Array.from(name.trim())[0]?.toUpperCase() ?? "?";
  const x = WIDTH - END + MARK + 4;
  return svg(
    "g",
    { class: "chart-mark", "data-colour": seat % DASHES.length },
    svg("circle", { cx: x, cy: height.toFixed(1), r: MARK }),
    svg("text", { x, y: (height + 3.5).toFixed(1) }, initial),
  );
}

/** @param {Player} player */
function legend({ seat, name }) {
  const line = svg("svg", { viewBox: "0 0 40 8", class: "chart-sample" });
  line.append(
    svg("path", {
      class: "chart-line",
      d: "M0 4H40",
      "stroke-dasharray": DASHES[seat % DASHES.length] || null,
    }),
  );
  return h("span", { class: "with-sign" }, playerMark(seat, name), line, name);
}

/**
 * Marks that would lie on each other, moved apart as little as it takes, and kept in the picture.
 * @param {number[]} heights
 */
function apart(heights) {
  const order = heights.map((height, place) => ({ height, place })).sort((a, b) => a.height - b.height);
  let least = MARK;
  for (const one of order) {
    one.height = Math.max(one.height, least);
    least = one.height + 2 * MARK;
  }
  let most = HEIGHT - MARK;
  for (const one of order.toReversed()) {
    one.height = Math.min(one.height, most);
    most = one.height - 2 * MARK;
  }
  return order.sort((a, b) => a.place - b.place).map((one) => one.height);
}

/**
 * What the score panel says, in words and figures of the language. Pure.
 */

/** @import {PanelPart, SeatPanel} from "./api.js" */
import { formatNumber, formatShare, t } from "./words.js";

/** @typedef {{part: PanelPart, name: string, figures: string[]}} PanelLine */

const PARTS = /** @type {const} */ (["upper", "middle", "lower", "total"]);

/**
 * A line for every part that the sheet has: points and share now, points and share still possible.
 * @param {SeatPanel} panel
 * @returns {PanelLine[]}
 */
export function panelLines(panel) {
  return PARTS.filter((part) => panel.perfect[part] > 0).map((part) => {
    const { now, now_share, attainable, attainable_share } = panel[part];
    const figures = [
      formatNumber(now),
      formatShare(now_share),
      formatNumber(attainable),
      formatShare(attainable_share),
    ];
    return { part, name: t(`panel.${part}`), figures };
  });
}

/**
 * Mine first, then the seats as they follow.
 * @param {SeatPanel[]} panels
 * @param {number | null} mine
 */
export function mineFirst(panels, mine) {
  return [...panels].sort((a, b) => Number(b.seat === mine) - Number(a.seat === mine) || a.seat - b.seat);
}

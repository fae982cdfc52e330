/** Choosing the time of which results are listed. Months and days are those of UTC. */

import { earlierMonths, isMonth, PERIODS } from "../board_filters.js";
import { h } from "../dom.js";
import { formatDay, formatMonth, t } from "../words.js";

/** @param {string} chosen */
export function periodSelect(chosen) {
  const option = (/** @type {string} */ value) =>
    h("option", { value, selected: value === chosen }, periodName(value));
  const months = earlierMonths(Date.now(), chosen);
  return h(
    "select",
    { id: "period", "data-testid": "filter-period" },
    ...PERIODS.map(option),
    h("optgroup", { label: t("period.earlier") }, ...months.map(option)),
  );
}

/** @param {string} period */
export function periodName(period) {
  return isMonth(period) ? formatMonth(period) : t(`period.${period}`);
}

/**
 * "November 2026", "30 Nov 2026": what the period that was asked for means.
 * @param {{period: string, month: string | null, day: string | null}} board
 */
export function periodTitle({ period, month, day }) {
  if (day !== null) return formatDay(Date.parse(day), "UTC");
  return periodName(month ?? period);
}

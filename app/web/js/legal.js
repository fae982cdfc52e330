/** What the server says is legal, asked cell by cell. Pure. */

/** @import {Cell, Legal, Turn} from "./protocol.js" */

/**
 * The score that the cell would be filled with now; undefined where it can't be.
 * @param {Legal | null | undefined} legal
 * @param {Cell} cell
 */
export function scoreOf(legal, { column, row }) {
  return legal?.open[column]?.includes(row) ? legal.scores[row] : undefined;
}

/** @param {Legal} legal @returns {{cell: Cell, score: number}[]} in the order of the sheet */
export function openCells(legal) {
  return Object.entries(legal.open).flatMap(([column, rows]) =>
    rows.map((row) => ({ cell: { column, row }, score: legal.scores[row] ?? 0 })),
  );
}

/**
 * The dice that count in a row, as their places from 0: of several with one face the first.
 * @param {Turn} turn
 * @param {string} row
 */
export function countedPlaces({ dice, legal }, row) {
  const faces = [...(legal.counted[row] ?? [])];
  return dice.flatMap((face, place) => {
    const at = faces.indexOf(face);
    if (at < 0) return [];
    faces.splice(at, 1);
    return [place];
  });
}

import type { CellMask } from '@cellfolio/model';
import { xorshift } from '../drawing/xorshift.ts';

/** Cells of one figure: more lines than its pixels hold would only be blended. */
export const maxLines = 2000;

/**
 * How many cells of each group are lines: the same number of each, and all of those that have fewer; `most` of them
 * together.
 */
export function linesOfGroups(cells: readonly number[], most = maxLines): number[] {
  const lines = new Array<number>(cells.length).fill(0);
  let left = most;
  const rising = Array.from(cells.keys()).sort((a, b) => cells[a]! - cells[b]!);
  rising.forEach((group, place) => {
    lines[group] = Math.min(cells[group]!, Math.floor(left / (cells.length - place)));
    left -= lines[group];
  });
  return lines;
}

/**
 * Cells drawn at random from each group, without replacement, in the order of the file (Knuth, TAOCP 2, algorithm S). The
 * same groups give the same cells.
 * @param codes the group of each cell
 * @param lines cells to draw from each group, and how many it has, by its code
 * @returns the cells by code
 */
export function sampleCells(
  codes: ArrayLike<number>,
  lines: ReadonlyMap<number, { readonly wanted: number; readonly cells: number }>,
  mask: CellMask | undefined,
): Map<number, Uint32Array> {
  const random = xorshift(2_463_534_242);
  const groups: { drawn: Uint32Array; count: number; left: number }[] = [];
  for (const [code, { wanted, cells }] of lines)
    groups[code] = { drawn: new Uint32Array(wanted), count: 0, left: cells };
  for (let cell = 0; cell < codes.length; cell++) {
    const group = groups[codes[cell]!];
    if (group === undefined || (mask !== undefined && mask.bits[cell] !== 1)) continue;
    const { drawn, count, left } = group;
    if (random() * left < drawn.length - count) drawn[group.count++] = cell;
    group.left--;
  }
  return new Map(Array.from(lines.keys(), (code) => [code, groups[code]!.drawn]));
}

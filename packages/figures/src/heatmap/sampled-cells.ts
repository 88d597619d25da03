import type { CellMask } from '@cellfolio/model';
import { xorshift } from '../drawing/xorshift.ts';

/** Maximum cells of one figure: more lines than pixels would only be blended. */
export const maxLines = 2000;

/** Number of lines for each group: the same for all groups, or all cells of smaller ones; `limit` in total. */
export function linesOfGroups(cells: readonly number[], limit = maxLines): number[] {
  const lines = new Array<number>(cells.length).fill(0);
  let left = limit;
  const rising = Array.from(cells.keys()).sort((a, b) => cells[a]! - cells[b]!);
  rising.forEach((group, place) => {
    lines[group] = Math.min(cells[group]!, Math.floor(left / (cells.length - place)));
    left -= lines[group];
  });
  return lines;
}

/**
 * Random cells of each group, without replacement, in file order (Knuth, TAOCP 2, algorithm S). The same groups give
 * the same cells. `codes`: group of each cell. `lines`: number of cells to draw and of cells in the group, by its code.
 * Returns the cells by code.
 */
export function sampleCells(
  codes: ArrayLike<number>,
  lines: ReadonlyMap<number, { wanted: number; cells: number }>,
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

import { median } from '../statistics/quantile.ts';
import { diffusionMap } from './diffusion-map.ts';
import { type CellGraph, type GraphParts, graphOfPart } from './cell-graph.ts';
import type { Eigenpairs } from './largest-eigenpairs.ts';

/** Where pseudotime begins, as it was asked for: a cell; of the given cells, or of all, the one at the tip of the first component. */
export type RootChoice =
  | { readonly by: 'cell'; readonly cell: number }
  | { readonly by: 'group'; readonly isInside: (cell: number) => boolean }
  | { readonly by: 'suggestion' };

/** The connected part of a graph that holds the root, with its diffusion map. */
export interface RootedPart {
  /** The root among all cells of the graph, and among those of the part. */
  readonly root: number;
  readonly place: number;
  /** The cells of the part. */
  readonly cells: Int32Array;
  readonly map: Eigenpairs;
  /**
   * How far the root lies towards a tip of the part: of its cells, the share that lie between it and the middle along
   * the first diffusion component, on its side: 1 is the tip, 0 the middle.
   */
  readonly tipShare: number;
}

/**
 * The part of a graph that has the root, and its diffusion map. A tip is the cell farthest from the median along the
 * first component after the stationary one, whose direction is arbitrary. Of a group it is looked for in the part that
 * holds most of its cells, where nothing is given in the largest part. Undefined where no cell is in the group, or the
 * part has fewer than `minCells`.
 */
export function rootedPart(
  graph: CellGraph,
  parts: GraphParts,
  choice: RootChoice,
  minCells: number,
): RootedPart | undefined {
  const part = partOf(choice, parts);
  if (part === undefined || parts.sizes[part]! < minCells) return undefined;
  const found = graphOfPart(graph, parts, part);
  const { cells } = found;
  const map = diffusionMap(found.graph);
  const along = map.vectors[1]!;
  const middle = median(along);
  let place = 0;
  if (choice.by === 'cell') place = cells.indexOf(choice.cell);
  else {
    let farthest = -1;
    cells.forEach((cell, at) => {
      const far = Math.abs(along[at]! - middle);
      if (far <= farthest || (choice.by === 'group' && !choice.isInside(cell))) return;
      farthest = far;
      place = at;
    });
  }
  const offset = along[place]! - middle;
  const sameSide = along.filter((value) => (value - middle) * offset > 0);
  const inner = sameSide.filter((value) => Math.abs(value - middle) <= Math.abs(offset)).length;
  return { root: cells[place]!, place, cells, map, tipShare: inner / Math.max(1, sameSide.length) };
}

function partOf(choice: RootChoice, { partOf: partOfCell, sizes }: GraphParts): number | undefined {
  if (choice.by === 'cell') return partOfCell[choice.cell];
  if (choice.by === 'suggestion') return sizes.length > 0 ? 0 : undefined;
  const counts = new Int32Array(sizes.length);
  partOfCell.forEach((part, cell) => {
    if (choice.isInside(cell)) counts[part]!++;
  });
  const most = counts.reduce((best, count) => Math.max(best, count), 0);
  return most === 0 ? undefined : counts.indexOf(most);
}

import { type CellGraph, type GraphParts, graphOfPart } from './cell-graph.ts';
import { diffusionMap } from './diffusion-map.ts';
import { diffusionPseudotime } from './diffusion-pseudotime.ts';
import type { Eigenpairs } from './largest-eigenpairs.ts';

/** Requested start of pseudotime: a cell, or the cell at the tip of the given cells or of all. */
export type RootChoice =
  | { readonly by: 'cell'; readonly cell: number }
  | { readonly by: 'group'; readonly isInside: (cell: number) => boolean }
  | { readonly by: 'suggestion' };

/** Connected part of a graph that contains the root, with its diffusion map. */
interface RootedPart {
  root: number;
  place: number;
  cells: Int32Array;
  map: Eigenpairs;
  /**
   * Closeness of the root to a tip: among the quarter of the cells nearest to it in diffusion distance, the share
   * nearer to the middle. Near 1 at a tip, 1/2 along a path, 0 in the middle.
   */
  tipShare: number;
}

/**
 * The part of a graph with the root, and its diffusion map. Undefined if no cell is in the group, or the part has fewer
 * than `minCells`.
 */
export function rootedPart(
  graph: CellGraph,
  parts: GraphParts,
  choice: RootChoice,
  minCells: number,
): RootedPart | undefined {
  const part = partOfRoot(graph, parts, choice, minCells);
  return part && rootOfPart(diffusionMap(part.graph), part.cells, choice);
}

/**
 * The part of a graph with the root: for a group, the part with most of its cells; without a choice, the largest part.
 * Undefined if no cell is in the group, or the part has fewer than `minCells`.
 */
export function partOfRoot(
  graph: CellGraph,
  parts: GraphParts,
  choice: RootChoice,
  minCells: number,
): ReturnType<typeof graphOfPart> | undefined {
  const part = partOf(choice, parts);
  if (part === undefined || parts.sizes[part]! < minCells) return undefined;
  return graphOfPart(graph, parts, part);
}

/**
 * Root among the cells of a part. The tip is the cell farthest from the mean of all in diffusion components weighted as
 * in pseudotime: the first component alone would miss the stem of a fork, which is in the middle of it.
 */
export function rootOfPart(map: Eigenpairs, cells: Int32Array, choice: RootChoice): RootedPart {
  const distances = middleDistances(map);
  let place = 0;
  if (choice.by === 'cell') place = cells.indexOf(choice.cell);
  else {
    let farthest = -1;
    cells.forEach((cell, at) => {
      if (distances[at]! <= farthest || (choice.by === 'group' && !choice.isInside(cell))) return;
      farthest = distances[at]!;
      place = at;
    });
  }
  return { root: cells[place]!, place, cells, map, tipShare: tipShareOf(map, distances, place) };
}

function partOf(choice: RootChoice, { partOf: partOfCell, sizes }: GraphParts): number | undefined {
  if (choice.by === 'cell') return partOfCell[choice.cell];
  if (choice.by === 'suggestion') return sizes.length > 0 ? 0 : undefined;
  const counts = new Int32Array(sizes.length);
  partOfCell.forEach((part, cell) => {
    if (choice.isInside(cell)) counts[part]!++;
  });
  const maxCount = counts.reduce((best, count) => Math.max(best, count), 0);
  return maxCount === 0 ? undefined : counts.indexOf(maxCount);
}

/** Squared distances from the mean of all cells in the components after the stationary one. */
function middleDistances({ values, vectors }: Eigenpairs): Float64Array {
  const squares = new Float64Array(vectors[0]!.length);
  for (let at = 1; at < values.length; at++) {
    const vector = vectors[at]!;
    const mean = vector.reduce((sum, value) => sum + value, 0) / vector.length;
    // Rounding may leave 1 of the second eigenvalue of a graph that is all but in two parts.
    const factor = values[at]! / Math.max(1e-9, 1 - values[at]!);
    for (let cell = 0; cell < squares.length; cell++)
      squares[cell]! += (factor * (vector[cell]! - mean)) ** 2;
  }
  return squares;
}

function tipShareOf(map: Eigenpairs, distances: Float64Array, root: number): number {
  const fromRoot = diffusionPseudotime(map, root, map.values.length);
  // Numbers sort many times faster without a comparison in JavaScript. The root itself is the first.
  const limit = fromRoot.slice().sort()[Math.ceil(fromRoot.length / 4)] ?? Infinity;
  let [near, inside] = [0, 0];
  for (let cell = 0; cell < fromRoot.length; cell++) {
    if (cell === root || fromRoot[cell]! > limit) continue;
    near++;
    if (distances[cell]! < distances[root]!) inside++;
  }
  return inside / Math.max(1, near);
}

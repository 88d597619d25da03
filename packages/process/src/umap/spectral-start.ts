import { type Network, networkOf } from '../leiden.ts';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import { seededRandom, seeds } from '../random.ts';
import { leadingVectors, width } from './leading-vectors.ts';

/** Initial extent of the map from the middle, and size of the random displacements, as in umap-learn. */
const reach = 10;
const jitter = 1e-4;

/**
 * Initial coordinates of a graph's cells: the eigenvectors of its normalised Laplacian, as in umap-learn. Disconnected
 * parts each use their own, around their middle in the first two principal components (`places`, n x 2), with an area
 * by their number of cells; small parts are placed at random. Returns n x 2 coordinates, cell after cell.
 */
export function spectralStart(graph: NeighbourGraph, places: Float32Array): Float32Array {
  const cellCount = places.length / 2;
  const network = networkOf(graph, cellCount);
  const parts = connectedParts(network);
  const middles = middlesOf(parts, places);
  const random = seededRandom(seeds.umapStart);
  const start = new Float32Array(2 * cellCount);
  for (const [part, cells] of parts.entries()) {
    const own =
      cells.length > width
        ? leadingVectors(parts.length === 1 ? network : networkWithin(network, cells))
        : Float32Array.from({ length: 2 * cells.length }, () => random() - 0.5);
    const farthest = own.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
    const scale = (reach * Math.sqrt(cells.length / cellCount)) / (farthest || 1);
    for (let at = 0; at < own.length; at++)
      start[2 * cells[at >> 1]! + (at & 1)] =
        middles[2 * part + (at & 1)]! + scale * own[at]! + jitter * (random() - 0.5);
  }
  return start;
}

/** Cells of each connected part, ascending; parts in the order of their first cells. */
function connectedParts({ count, starts, others }: Network): Int32Array[] {
  const seen = new Uint8Array(count);
  const queue = new Int32Array(count);
  const parts: Int32Array[] = [];
  for (let first = 0; first < count; first++) {
    if (seen[first] === 1) continue;
    seen[first] = 1;
    queue[0] = first;
    let queued = 1;
    for (let at = 0; at < queued; at++) {
      const cell = queue[at]!;
      for (let edge = starts[cell]!; edge < starts[cell + 1]!; edge++) {
        const other = others[edge]!;
        if (seen[other] === 1) continue;
        seen[other] = 1;
        queue[queued++] = other;
      }
    }
    parts.push(queue.slice(0, queued).sort());
  }
  return parts;
}

/**
 * Middle of each part, relative to that of all cells, scaled so that the farthest is at the edge; a single part is in
 * the middle.
 */
function middlesOf(parts: readonly Int32Array[], places: Float32Array): Float64Array {
  const middles = new Float64Array(2 * parts.length);
  if (parts.length === 1) return middles;
  const all = [0, 0];
  for (let at = 0; at < places.length; at++) all[at & 1]! += (2 * places[at]!) / places.length;
  for (const [part, cells] of parts.entries())
    for (const cell of cells)
      for (const axis of [0, 1])
        middles[2 * part + axis]! += (places[2 * cell + axis]! - all[axis]!) / cells.length;
  const farthest = middles.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  return middles.map((value) => (farthest === 0 ? 0 : (reach * value) / farthest));
}

function networkWithin({ starts, others, weights, sizes, count }: Network, cells: Int32Array): Network {
  const numbers = new Int32Array(count);
  cells.forEach((cell, number) => (numbers[cell] = number));
  const ownStarts = new Int32Array(cells.length + 1);
  cells.forEach((cell, number) => {
    ownStarts[number + 1] = ownStarts[number]! + starts[cell + 1]! - starts[cell]!;
  });
  const ownOthers = new Int32Array(ownStarts.at(-1)!);
  const ownWeights = new Float64Array(ownOthers.length);
  cells.forEach((cell, number) => {
    const [from, to] = [starts[cell]!, starts[cell + 1]!];
    ownWeights.set(weights.subarray(from, to), ownStarts[number]);
    ownOthers.set(
      others.subarray(from, to).map((other) => numbers[other]!),
      ownStarts[number],
    );
  });
  return {
    count: cells.length,
    starts: ownStarts,
    others: ownOthers,
    weights: ownWeights,
    sizes: Float64Array.from(cells, (cell) => sizes[cell]!),
  };
}

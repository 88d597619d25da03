import {
  type CellGraph,
  cellGraph,
  type GraphParts,
  graphParts,
  joinNearestCells,
  nearestCells,
  type Neighbours,
  placePoints,
  rootedPart,
} from '@cellfolio/analysis';
import { neighbourGraph } from '@cellfolio/process';

/** The second eigenvalue of the graph of some cells, and of the same with each component shuffled independently. */
export interface PathStructure {
  own: number;
  shuffled: number;
  cells: number;
}

/** When a random walk mixes faster than this fraction of its rate on shuffled components, there is no path. */
const rateOfShuffled = 0.5;

export function hasNoPath({ own, shuffled }: PathStructure): boolean {
  return 1 - own > rateOfShuffled * (1 - shuffled);
}

/**
 * How slowly a random walk mixes in the graph of some cells, compared with each principal component shuffled
 * independently, which keeps the values and destroys any path. `sample` holds concatenated coordinates, cell after
 * cell.
 */
export function pathStructure(sample: Float32Array, dimensions: number, k: number): PathStructure {
  const count = sample.length / dimensions;
  const shuffled = sample.slice();
  let state = 1;
  // Fisher and Yates with a fixed seed: Lehmer's generator with the multiplier 48271.
  const below = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit;
  for (let at = 0; at < dimensions; at++) {
    for (let row = count - 1; row > 0; row--) {
      const [one, other] = [row * dimensions + at, below(row + 1) * dimensions + at];
      const temporary = shuffled[one]!;
      shuffled[one] = shuffled[other]!;
      shuffled[other] = temporary;
    }
  }
  const near = Math.min(k, count - 1);
  return {
    own: slowness(sample, dimensions, near),
    shuffled: slowness(shuffled, dimensions, near),
    cells: count,
  };
}

function slowness(coordinates: Float32Array, dimensions: number, k: number): number {
  const count = coordinates.length / dimensions;
  const pieces = [nearestCells(placePoints(coordinates, dimensions), k, { from: 0, to: count })];
  const { graph, parts } = connectedGraph(joinNearestCells(pieces, count));
  return rootedPart(graph, parts, { by: 'suggestion' }, 3)?.map.values[1] ?? NaN;
}

/** The weighted graph that scanpy's `pp.neighbors` builds from nearest cells, and its connected parts. */
export function connectedGraph(neighbours: Neighbours): { graph: CellGraph; parts: GraphParts } {
  const cellCount = neighbours.indices.length / neighbours.k;
  const graph = cellGraph(neighbourGraph({ cellCount, ...neighbours }), cellCount);
  return { graph, parts: graphParts(graph) };
}

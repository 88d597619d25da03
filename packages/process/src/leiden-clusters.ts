import Random from 'java-random';
import { LeidenAlgorithm, Network } from 'networkanalysis-ts';
import type { NeighbourGraph } from './neighbour-graph.ts';

const ITERATIONS = 10;
const SEED = 0;

/**
 * Leiden communities by modularity (Traag et al. 2019, doi:10.1038/s41598-019-41695-z), in the implementation of the
 * method's own authors.
 *
 * @returns n cluster numbers, from 0, the largest cluster first.
 */
export function leidenClusters(graph: NeighbourGraph, cellCount: number, resolution: number): Int32Array {
  const network = new Network({
    nNodes: cellCount,
    setNodeWeightsToTotalEdgeWeights: true,
    edges: [graph.from, graph.to],
    edgeWeights: graph.weights,
    sortedEdges: false,
    checkIntegrity: false,
  });
  // The library maximises the constant Potts model; with these node weights this resolution makes it modularity.
  const scaled = resolution / (2 * network.getTotalEdgeWeight() + network.getTotalEdgeWeightSelfLinks());
  const algorithm = new LeidenAlgorithm();
  algorithm.initializeBasedOnResolutionAndNIterationsAndRandomnessAndRandom(
    scaled,
    ITERATIONS,
    LeidenAlgorithm.DEFAULT_RANDOMNESS,
    new Random(SEED),
  );
  return bySize(algorithm.findClustering(network).getClusters());
}

function bySize(membership: readonly number[]): Int32Array {
  const sizes = new Map<number, number>();
  for (const cluster of membership) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const order = [...sizes].toSorted(([a, left], [b, right]) => right - left || a - b);
  const rank = new Map(order.map(([cluster], position) => [cluster, position]));
  return Int32Array.from(membership, (cluster) => rank.get(cluster)!);
}

import {
  buildNeighborSearchIndex,
  findNearestNeighbors,
  initializeUmap,
  type FindNearestNeighborsResults,
} from 'scran.js';
import type { Components } from './components-of.ts';
import { leidenClusters } from './leiden-clusters.ts';
import { neighbourGraph, neighbourMixing } from './neighbour-graph.ts';
import {
  type ProcessPart,
  type ProcessProgress,
  type ProcessResult,
  stepBegins,
  type Step,
} from './process-result.ts';
import type { ProcessSettings } from './process-input.ts';

/**
 * Up to so many cells the nearest are searched for exactly. An approximate search found 84 % of them in 10,000 cells of
 * mouse brain, which showed in the clusters, and took longer; only its growth with the number of cells is slower.
 */
const maxExactCells = 60_000;
interface MapJob {
  readonly settings: ProcessSettings;
  readonly parts: readonly ProcessPart[];
}

export type CellMap = Pick<ProcessResult, 'clusters' | 'clusterCount' | 'umap' | 'mixing'>;

export interface PlacedCells extends Pick<Components, 'coordinates' | 'components'> {
  /** The sample of each cell, or -1. */
  readonly samples?: Int32Array;
}

/** What is asked for of clusters and UMAP: both come from the nearest neighbours by principal components. */
export function mapCells(
  { coordinates, components, samples }: PlacedCells,
  { settings, parts }: MapJob,
  report: (progress: ProcessProgress) => void,
): CellMap {
  const begins = stepBegins(parts);
  const onStep = (name: Step, done = 0) => {
    const begin = begins.get(name)!;
    report({ step: name, fraction: begin + (1 - begin) * done });
  };
  const cells = coordinates.length / components;
  onStep('Neighbours');
  const index = buildNeighborSearchIndex(coordinates, {
    numberOfDims: components,
    numberOfCells: cells,
    approximate: cells > maxExactCells,
  });
  // A cell counts as its own neighbour, as in umap-learn and scanpy.
  const k = Math.min(settings.neighbours, cells) - 1;
  const neighbours = findNearestNeighbors(index, k);
  index.free();

  const { indices, distances } = neighbours.serialize();
  const mixing = samples && neighbourMixing({ indices, k }, samples);
  let clusters: Int32Array | undefined;
  if (parts.includes('clusters')) {
    onStep('Clusters');
    const graph = neighbourGraph({ cellCount: cells, k, indices, distances });
    clusters = leidenClusters(graph, cells, settings.resolution);
  }
  let umap: Float32Array | undefined;
  if (parts.includes('umap')) {
    onStep('UMAP');
    umap = umapOf(neighbours, k, cells, settings.minimumDistance, (done) => onStep('UMAP', done));
  }
  neighbours.free();
  return {
    ...(clusters !== undefined && { clusters }),
    clusterCount: new Set(clusters).size,
    ...(umap !== undefined && { umap }),
    ...(mixing !== undefined && { mixing }),
  };
}

/** As many epochs as umap-learn takes: 500 up to 10,000 cells, 200 above. */
function umapOf(
  neighbours: FindNearestNeighborsResults,
  k: number,
  cells: number,
  minDist: number,
  onProgress: (fraction: number) => void,
): Float32Array {
  const state = initializeUmap(neighbours, {
    neighbors: k,
    epochs: cells <= 10_000 ? 500 : 200,
    minDist,
  });
  const epochs = state.totalEpochs();
  while (state.currentEpoch() < epochs) {
    state.run({ runTime: 250 });
    onProgress(state.currentEpoch() / epochs);
  }
  const { x, y } = state.extractCoordinates();
  state.free();
  const umap = new Float32Array(cells * 2);
  for (let cell = 0; cell < cells; cell++) {
    umap[2 * cell] = x[cell]!;
    umap[2 * cell + 1] = y[cell]!;
  }
  return umap;
}

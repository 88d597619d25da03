import {
  buildNeighborSearchIndex,
  filterCells,
  findNearestNeighbors,
  initializeUmap,
  modelGeneVariances,
  normalizeCounts,
  runPca,
  type FindNearestNeighborsResults,
  type RunPcaResults,
  type ScranMatrix,
} from 'scran.js';
import { ProcessError } from './errors.ts';
import { leidenClusters } from './leiden-clusters.ts';
import { neighbourGraph } from './neighbour-graph.ts';
import type { ProcessProgress, ProcessResult } from './process-result.ts';
import { qualityOf } from './quality.ts';
import type { ProcessSettings } from './settings.ts';
import { variableGenesOf, type GeneMoments } from './variable-genes.ts';

/** As scanpy's `normalize_total(target_sum=1e4)`, and as expression is shown. */
const TARGET_SUM = 10_000;
/** Fewer cells than this have no neighbourhoods to speak of. */
const FEWEST_CELLS = 20;
/**
 * Up to so many cells the nearest are searched for exactly. An approximate search found 84 % of them in 10,000 cells of
 * mouse brain, which showed in the clusters, and took longer; only its growth with the number of cells is slower.
 */
const MOST_EXACT_CELLS = 60_000;
/** Share of the whole at which each step begins, from runs of 10,000 to 50,000 cells. */
const begins = {
  'Quality control': 0.2,
  Normalisation: 0.24,
  'Variable genes': 0.26,
  'Principal components': 0.3,
  Neighbours: 0.45,
  Clusters: 0.52,
  UMAP: 0.68,
} as const;

/** Runs every step on counts of genes x cells. Throws ProcessError. */
export function compute(
  counts: ScranMatrix,
  geneNames: readonly string[],
  settings: ProcessSettings,
  computedBy: string,
  report: (progress: ProcessProgress) => void,
): ProcessResult {
  const step = (name: keyof typeof begins) => report({ step: name, fraction: begins[name] });

  step('Quality control');
  const { report: quality, keep } = qualityOf(counts, geneNames, settings.quality);
  const keptCells = Int32Array.from(positionsOf(keep));
  const cells = keptCells.length;
  if (cells < FEWEST_CELLS) throw tooFewCells(cells, keep.length, quality.thresholds);

  step('Normalisation');
  const sizeFactors = Float64Array.from(keptCells, (cell) => quality.counts[cell]! / TARGET_SUM);
  const kept = filterCells(counts, keep);
  const normalised = normalizeCounts(kept, { sizeFactors });

  step('Variable genes');
  const variableGenes = variableGenesOf(momentsOf(kept, sizeFactors), settings.variableGenes);
  const chosen = variableGenes.reduce((sum, is) => sum + is, 0);
  if (chosen < 2) {
    throw new ProcessError(
      'no-variable-genes',
      'No genes vary more between the cells than chance would have them, so no map can be drawn. Is this the whole matrix of counts?',
    );
  }

  step('Principal components');
  const pca = runPca(normalised, {
    features: variableGenes,
    numberOfPCs: Math.min(settings.components, chosen - 1, cells - 1),
    realizeMatrix: true,
  });

  step('Neighbours');
  const index = buildNeighborSearchIndex(pca, { approximate: cells > MOST_EXACT_CELLS });
  // A cell counts as its own neighbour, as in umap-learn and scanpy.
  const k = Math.min(settings.neighbours, cells) - 1;
  const neighbours = findNearestNeighbors(index, k);
  index.free();

  step('Clusters');
  const { indices, distances } = neighbours.serialize();
  const graph = neighbourGraph({ cellCount: cells, k, indices, distances });
  const clusters = leidenClusters(graph, cells, settings.resolution);

  step('UMAP');
  const umap = umapOf(neighbours, k, cells, settings.minimumDistance, (done) =>
    report({ step: 'UMAP', fraction: begins.UMAP + (1 - begins.UMAP) * done }),
  );
  const components = pca.numberOfPCs();
  return {
    quality,
    keptCells,
    variableGenes,
    pca: coordinatesOf(pca),
    components,
    clusters,
    clusterCount: new Set(clusters).size,
    umap,
    settings,
    computedBy,
  };
}

function* positionsOf(marks: Uint8Array): Iterable<number> {
  for (let at = 0; at < marks.length; at++) if (marks[at] === 1) yield at;
}

function momentsOf(counts: ScranMatrix, sizeFactors: Float64Array): GeneMoments {
  const linear = normalizeCounts(counts, { sizeFactors, log: false });
  const model = modelGeneVariances(linear);
  const moments = { means: model.means(), variances: model.variances() };
  model.free();
  linear.free();
  return moments;
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

/** Cell after cell, as the library has them too. */
function coordinatesOf(pca: RunPcaResults): Float32Array {
  return Float32Array.from(pca.principalComponents());
}

function tooFewCells(
  kept: number,
  all: number,
  { minimumCounts, minimumGenes, maximumMitochondrial }: ProcessResult['quality']['thresholds'],
): ProcessError {
  return new ProcessError(
    'too-few-cells',
    `${kept} of ${all} cells pass quality control (at least ${Math.ceil(minimumCounts)} counts and ${Math.ceil(minimumGenes)} genes, at most ${(maximumMitochondrial * 100).toFixed(1)} % mitochondrial), and at least ${FEWEST_CELLS} are needed. Loosen the filters, or check that the matrix is the right way round.`,
  );
}

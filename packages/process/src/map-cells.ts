import type { IntegrationMethod } from '@cellfolio/model';
import type { Components } from './counts-to-components.ts';
import { batchMethods } from './integration/batch-methods.ts';
import { keptApart } from './integration/kept-apart.ts';
import { leidenClusters } from './leiden-clusters.ts';
import { nearestCells, type NearestCells } from './nearest-cells.ts';
import { type NeighbourGraph, neighbourGraph, neighbourMixing } from './neighbour-graph.ts';
import {
  type Clustering,
  type Integration,
  type ProcessPart,
  type ProcessProgress,
  type ProcessResult,
  type Step,
  stepProgress,
} from './process-result.ts';
import { threadResult } from './thread-result.ts';
import type { LayoutJob } from './umap/layout-worker.ts';
import type { CombineOptions, ProcessSettings, Samples } from './process-input.ts';

interface MapJob {
  settings: ProcessSettings;
  parts: readonly ProcessPart[];
  combine: CombineOptions;
  threads: number;
}

export type CellMap = Pick<
  ProcessResult,
  'clusters' | 'clusterCount' | 'clusterings' | 'umap' | 'mixing' | 'neighbourRecall' | 'integration'
>;

export interface PlacedCells extends Pick<Components, 'coordinates' | 'components'> {
  /** Sample of each cell, or -1. */
  samples?: Int32Array;
  /** Batch of each cell: differences between them are removed by that method. */
  batches?: {
    codes: Int32Array;
    names: readonly string[];
    method: IntegrationMethod;
  };
  types?: Samples;
}

type OnStep = (name: Step, done?: number) => void;

export async function mapCells(
  cells: PlacedCells,
  job: MapJob,
  report: (progress: ProcessProgress) => void,
): Promise<CellMap> {
  const progress = stepProgress(job.parts, job.combine);
  const onStep: OnStep = (name, done) => report(progress(name, done));
  onStep('Neighbors');
  const plain = await nearestOf(cells, job);
  const { batches } = cells;
  if (batches === undefined) return mapOf(plain, cells, job, onStep);

  onStep('Integration');
  const { codes, names, method } = batches;
  const { coordinates, run } = await batchMethods[method].integrate({
    cells: { ...cells, batches: codes, batchCount: names.length },
    names,
    threads: job.threads,
    // Judging it takes about as long.
    onProgress: (done) => onStep('Integration', 0.4 * done),
  });
  const integrated = { ...cells, coordinates };
  onStep('Integration', 0.4);
  const nearest = await nearestOf(integrated, job);
  onStep('Integration', 0.5);
  const graph = neighbourGraph(plain);
  const judged = judgedGroups(cells, graph, job.settings);
  onStep('Integration', 0.6);
  const { within } = judged;
  const integration: Integration = {
    run,
    pca: Float32Array.from(coordinates),
    judgedBy: within === undefined ? 'types' : 'clusters',
    groups: keptApart({ before: plain, after: nearest }, judged, within),
    ...mixingOf('mixingBefore', plain, cells),
    ...(job.parts.includes('umap') && {
      umapBefore: await umapOf(cells, graph, job.settings, (done) => onStep('Integration', 0.6 + 0.4 * done)),
    }),
  };
  return { ...(await mapOf(nearest, integrated, job, onStep)), integration };
}

/** Given types; else the clusters of each batch, which are compared within it. */
function judgedGroups(
  { batches, types }: PlacedCells,
  graph: NeighbourGraph,
  { resolution }: ProcessSettings,
): Samples & { within?: Int32Array } {
  if (types !== undefined || batches === undefined) return types ?? { codes: [], names: [] };
  const clusters = leidenClusters(graph, batches.codes.length, resolution);
  const { codes: within, names } = batches;
  const clusterNames = Array.from({ length: new Set(clusters).size }, (_, cluster) => cluster);
  return {
    codes: within.map((batch, cell) => clusters[cell]! * names.length + batch),
    names: clusterNames.flatMap((cluster) => names.map((name) => `cluster ${cluster} of ${name}`)),
    within,
  };
}

async function mapOf(
  nearest: NearestCells,
  cells: PlacedCells,
  { settings, parts, combine, threads }: MapJob,
  onStep: OnStep,
): Promise<CellMap> {
  const clusterings: Clustering[] = [];
  const graph = neighbourGraph(nearest);
  const layOut = () => umapOf(cells, graph, settings, (done) => onStep('UMAP', done));
  const includesUmap = parts.includes('umap');
  // Beside the clusters, which hold this thread; what it tells of itself comes after them.
  const begun = includesUmap && threads > 1 ? layOut() : undefined;
  if (parts.includes('clusters')) {
    const resolutions = [settings.resolution, ...(combine.resolutions ?? [])];
    for (const [at, resolution] of resolutions.entries()) {
      const onProgress = (done: number) => onStep('Clusters', (at + done) / resolutions.length);
      onProgress(0);
      const clusters = leidenClusters(graph, nearest.cellCount, resolution, onProgress);
      clusterings.push({ resolution, clusters, clusterCount: new Set(clusters).size });
    }
  }
  if (includesUmap) onStep('UMAP');
  const umap = await (begun ?? (includesUmap ? layOut() : undefined));
  const [first, ...further] = clusterings;
  return {
    ...(first !== undefined && { clusters: first.clusters }),
    clusterCount: first?.clusterCount ?? 0,
    ...(further.length > 0 && { clusterings: further }),
    ...(umap !== undefined && { umap }),
    ...mixingOf('mixing', nearest, cells),
    ...(nearest.recall && { neighbourRecall: nearest.recall }),
  };
}

function mixingOf<K extends string>(name: K, nearest: NearestCells, { samples }: PlacedCells) {
  const mixing = samples && neighbourMixing(nearest, samples);
  return (mixing === undefined ? {} : { [name]: mixing }) as Partial<Record<K, NonNullable<typeof mixing>>>;
}

function nearestOf(
  cells: Pick<PlacedCells, 'coordinates' | 'components'>,
  { settings: { neighbours }, threads }: MapJob,
): Promise<NearestCells> {
  // A cell counts as its own neighbour, as in umap-learn and scanpy.
  const k = Math.min(neighbours, cells.coordinates.length / cells.components) - 1;
  return nearestCells(cells, k, threads);
}

/** Number of epochs as in umap-learn: 500 up to 10,000 cells, 200 above. */
function umapOf(
  { coordinates, components }: PlacedCells,
  graph: NeighbourGraph,
  { minimumDistance }: ProcessSettings,
  onProgress: (fraction: number) => void,
): Promise<Float32Array> {
  const cellCount = coordinates.length / components;
  const places = Float32Array.from({ length: 2 * cellCount }, (_, at) =>
    (at & 1) < components ? coordinates[(at >> 1) * components + (at & 1)]! : 0,
  );
  const epochs = cellCount <= 10_000 ? 500 : 200;
  return threadResult<LayoutJob, Float32Array>(
    new URL('./umap/layout-worker.ts', import.meta.url),
    { graph, places, minimumDistance, epochs },
    onProgress,
  );
}

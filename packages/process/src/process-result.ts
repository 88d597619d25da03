import type { IntegrationRun, KeptGroup, NeighbourMixing, NeighbourRecall } from '@cellfolio/model';
import type { DoubletReport } from './doublets/find-doublets.ts';
import type { CellMeasures } from './quality/cell-measures.ts';
import type { QualityPlan } from './quality/plan-quality.ts';
import type { CombineOptions, ProcessSettings } from './process-input.ts';

export interface QualityReport extends CellMeasures, QualityPlan {}

export type ProcessPart = 'clusters' | 'umap';

export interface Clustering {
  readonly resolution: number;
  /** n cluster numbers, from 0, the largest cluster first. */
  readonly clusters: Int32Array;
  readonly clusterCount: number;
}

export interface Integration {
  /** n x `components` corrected coordinates, cell after cell. */
  readonly pca: Float32Array;
  /** n x 2 coordinates from the uncorrected components; absent if no UMAP was requested. */
  readonly umapBefore?: Float32Array;
  readonly mixingBefore?: NeighbourMixing;
  readonly run: IntegrationRun;
  /** Groups used to judge whether cells were kept apart: given types, or clusters of each batch before. */
  readonly judgedBy: 'types' | 'clusters';
  readonly groups: readonly KeptGroup[];
}

/** Results computed from raw counts. n is the number of kept cells. */
export interface ProcessResult {
  readonly quality: QualityReport;
  /** Ascending indices of the n kept cells among all. */
  readonly keptCells: Int32Array;
  /** Per gene 1 if highly variable. */
  readonly variableGenes: Uint8Array;
  /** n x `components` coordinates, cell after cell. */
  readonly pca: Float32Array;
  readonly components: number;
  /** Share of the variance of all variable genes in each component, from 0 to 1, descending. */
  readonly varianceShares: Float64Array;
  /** n cluster numbers, from 0, the largest cluster first; absent if not requested. */
  readonly clusters?: Int32Array;
  /** 0 if none were requested. */
  readonly clusterCount: number;
  /** n x 2 coordinates, cell after cell; absent if not requested. */
  readonly umap?: Float32Array;
  readonly clusterings?: readonly Clustering[];
  /** Per cell of the counts, if doublets were searched for. */
  readonly doublets?: DoubletReport;
  readonly integration?: Integration;
  /** Mixing of samples among the nearest neighbours; absent if none were given, or fewer than two. */
  readonly mixing?: NeighbourMixing;
  /** Absent if the neighbour search was exact. */
  readonly neighbourRecall?: NeighbourRecall;
  readonly settings: ProcessSettings;
  readonly computedBy: string;
}

/** Current step; `fraction` of the whole, from 0 to 1. */
export interface ProcessProgress {
  readonly step:
    | 'Reading counts'
    | 'Quality control'
    | 'Doublets'
    | 'Normalization'
    | 'Variable genes'
    | 'Principal components'
    | 'Neighbors'
    | 'Integration'
    | 'Clusters'
    | 'UMAP';
  readonly fraction: number;
}

export type Step = Exclude<ProcessProgress['step'], 'Reading counts'>;

export const readingShare = 0.2;
/** Relative durations of the steps, in order, from runs of 10,000 to 50,000 cells. */
const weights: Readonly<Record<Step, number>> = {
  'Quality control': 4,
  Doublets: 40,
  Normalization: 2,
  'Variable genes': 4,
  'Principal components': 15,
  Neighbors: 7,
  Integration: 60,
  Clusters: 16,
  UMAP: 32,
};

/** Fraction of the whole, from 0 to 1, at which each step begins; parts that are not requested take none. */
export function stepBegins(
  parts: readonly ProcessPart[],
  { doublets, integrate }: CombineOptions = {},
): ReadonlyMap<Step, number> {
  const left: Partial<Record<Step, boolean>> = {
    Doublets: doublets === undefined,
    Integration: integrate === undefined || parts.length === 0,
    Neighbors: parts.length === 0,
    Clusters: !parts.includes('clusters'),
    UMAP: !parts.includes('umap'),
  };
  const steps = (Object.keys(weights) as Step[]).filter((step) => left[step] !== true);
  const whole = steps.reduce((sum, step) => sum + weights[step], 0);
  const begins = new Map<Step, number>();
  let before = 0;
  for (const step of steps) {
    begins.set(step, readingShare + (1 - readingShare) * (before / whole));
    before += weights[step];
  }
  return begins;
}

/** Progress of the whole, from 0 to 1, given that of a step, from 0 to 1. */
export function stepProgress(
  parts: readonly ProcessPart[],
  combine: CombineOptions,
): (step: Step, done?: number) => ProcessProgress {
  const begins = [...stepBegins(parts, combine)];
  return (step, done = 0) => {
    const at = begins.findIndex(([name]) => name === step);
    const [, begin] = begins[at]!;
    const [, end] = begins[at + 1] ?? [step, 1];
    return { step, fraction: begin + (end - begin) * done };
  };
}

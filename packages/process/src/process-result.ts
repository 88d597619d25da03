import type { IntegrationRun, KeptGroup, NeighbourMixing, NeighbourRecall } from '@cellfolio/model';
import type { DoubletReport } from './doublets/find-doublets.ts';
import type { CellMeasures } from './quality/cell-measures.ts';
import type { QualityPlan } from './quality/plan-quality.ts';
import type { CombineOptions, ProcessSettings } from './process-input.ts';

/** Where each cell stood, where the lines were drawn, and who went for which reason. */
export interface QualityReport extends CellMeasures, QualityPlan {}

/** What is made of the principal components. */
export type ProcessPart = 'clusters' | 'umap';

/** Leiden clusters at one resolution. */
export interface Clustering {
  readonly resolution: number;
  /** n cluster numbers, from 0, the largest cluster first. */
  readonly clusters: Int32Array;
  readonly clusterCount: number;
}

/** How differences between batches were taken out, and what that did. */
export interface Integration {
  /** n x `components` corrected coordinates, cell after cell. */
  readonly pca: Float32Array;
  /** n x 2 coordinates from the components as they were; absent where no UMAP was asked for. */
  readonly umapBefore?: Float32Array;
  /** How samples lay among the nearest neighbours before. */
  readonly mixingBefore?: NeighbourMixing;
  /** The method, and what it says of itself. */
  readonly run: IntegrationRun;
  /** Whether groups of cells kept apart, and which groups: known types, or clusters of each batch before. */
  readonly judgedBy: 'types' | 'clusters';
  readonly groups: readonly KeptGroup[];
}

/** What was computed from raw counts. n is the number of cells that were kept. */
export interface ProcessResult {
  readonly quality: QualityReport;
  /** Positions of the n kept cells among all, rising. */
  readonly keptCells: Int32Array;
  /** Per gene 1 where it was taken as highly variable. */
  readonly variableGenes: Uint8Array;
  /** n x `components` coordinates, cell after cell. */
  readonly pca: Float32Array;
  readonly components: number;
  /** Share of the variance of all variable genes in each component, from 0 to 1, falling. */
  readonly varianceShares: Float64Array;
  /** n cluster numbers, from 0, the largest cluster first; absent where they were not asked for. */
  readonly clusters?: Int32Array;
  /** 0 where none were asked for. */
  readonly clusterCount: number;
  /** n x 2 coordinates, cell after cell; absent where it was not asked for. */
  readonly umap?: Float32Array;
  /** At the further resolutions that were asked for, in their order. */
  readonly clusterings?: readonly Clustering[];
  /** Of each cell of the counts, where doublets were looked for. */
  readonly doublets?: DoubletReport;
  /** Absent where batches were not integrated. */
  readonly integration?: Integration;
  /** How samples lie among the nearest neighbours; absent where none were given, or fewer than two. */
  readonly mixing?: NeighbourMixing;
  /** Absent where neighbours were searched for exactly. */
  readonly neighbourRecall?: NeighbourRecall;
  readonly settings: ProcessSettings;
  /** Name and version of what computed it. */
  readonly computedBy: string;
}

/** A step under way; `fraction` of the whole, from 0 to 1. */
export interface ProcessProgress {
  readonly step:
    | 'Reading counts'
    | 'Quality control'
    | 'Doublets'
    | 'Normalisation'
    | 'Variable genes'
    | 'Principal components'
    | 'Neighbours'
    | 'Integration'
    | 'Clusters'
    | 'UMAP';
  readonly fraction: number;
}

/** Steps after the reading. */
export type Step = Exclude<ProcessProgress['step'], 'Reading counts'>;

/** Share of the whole that reading takes. */
export const readingShare = 0.2;
/** How long the steps take beside each other, from runs of 10,000 to 50,000 cells; in their order. */
const weights: Readonly<Record<Step, number>> = {
  'Quality control': 4,
  Doublets: 40,
  Normalisation: 2,
  'Variable genes': 4,
  'Principal components': 15,
  Neighbours: 7,
  Integration: 60,
  Clusters: 16,
  UMAP: 32,
};

/** Fraction of the whole, from 0 to 1, at which each step begins; what is not asked for takes no share. */
export function stepBegins(
  parts: readonly ProcessPart[],
  { doublets, integrate }: CombineOptions = {},
): ReadonlyMap<Step, number> {
  const left: Partial<Record<Step, boolean>> = {
    Doublets: doublets === undefined,
    Integration: integrate === undefined || parts.length === 0,
    Neighbours: parts.length === 0,
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

/** How far the whole is, from 0 to 1, where so much of a step is done, from 0 to 1. */
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

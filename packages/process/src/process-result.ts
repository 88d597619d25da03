import type { NeighbourMixing } from '@cellfolio/model';
import type { CellMeasures } from './quality/cell-measures.ts';
import type { QualityPlan } from './quality/plan-quality.ts';
import type { ProcessSettings } from './settings.ts';

/** Where each cell stood, where the lines were drawn, and who went for which reason. */
export interface QualityReport extends CellMeasures, QualityPlan {}

/** What is made of the principal components. */
export type ProcessPart = 'clusters' | 'umap';

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
  /** n cluster numbers, from 0, the largest cluster first; absent where they were not asked for. */
  readonly clusters?: Int32Array;
  /** 0 where none were asked for. */
  readonly clusterCount: number;
  /** n x 2 coordinates, cell after cell; absent where it was not asked for. */
  readonly umap?: Float32Array;
  /** How samples lie among the nearest neighbours; absent where none were told, or fewer than two. */
  readonly mixing?: NeighbourMixing;
  readonly settings: ProcessSettings;
  /** Name and version of the library that computed it. */
  readonly computedBy: string;
}

/** A step under way; `fraction` of the whole, from 0 to 1. */
export interface ProcessProgress {
  readonly step:
    | 'Reading counts'
    | 'Quality control'
    | 'Normalisation'
    | 'Variable genes'
    | 'Principal components'
    | 'Neighbours'
    | 'Clusters'
    | 'UMAP';
  readonly fraction: number;
}

import type { IntegrationMethod, QualitySettings } from '@cellfolio/model';
import type { GeneFacts } from './quality/gene-kinds.ts';

/** Some consecutive cells (or genes) of a sparse matrix of counts, in their order. */
export interface CountBlock {
  /** count + 1 rising positions in `indices` and `counts`, the first of them 0. */
  readonly pointers: ArrayLike<number>;
  /** Gene of each entry in a block of cells, cell of each entry in a block of genes; rising within each. */
  readonly indices: Int32Array;
  /** Whole numbers, none negative. */
  readonly counts: ArrayLike<number>;
}

/**
 * Raw counts of cells x genes that come block after block, either by cells or by genes, so that they need never
 * be whole in memory in this form.
 */
export interface CountMatrix extends GeneFacts {
  readonly cellCount: number;
  readonly by: 'cell' | 'gene';
  /** Entries of all blocks, where known: what is too large is then refused before any is read. */
  readonly entryCount?: number;
  readonly blocks: Iterable<CountBlock> | AsyncIterable<CountBlock>;
}

/** What a researcher may choose. Lengths in cells or genes, fractions from 0 to 1. */
export interface ProcessSettings {
  readonly quality: QualitySettings;
  /** Genes that the principal components are made of, the most variable ones; fewer where fewer vary. */
  readonly variableGenes: number;
  /** Principal components; fewer where there are fewer genes or cells. */
  readonly components: number;
  /** Neighbours of each cell, for clusters and UMAP alike. */
  readonly neighbours: number;
  /** Of the Leiden clustering (modularity): a larger one gives more clusters. */
  readonly resolution: number;
  /** Of the UMAP: how close points may lie. */
  readonly minimumDistance: number;
}

/** The sample of each cell, or what else cells are grouped by. */
export interface Samples {
  /** Position in `names`; -1 where a cell has none. */
  readonly codes: ArrayLike<number>;
  readonly names: readonly string[];
}

/** What is done because the cells come from several samples. */
export interface CombineOptions {
  /** The sample of each cell, where that is not the one of the quality control: doublets are of one sample. */
  readonly samples?: Samples;
  /** Doublets are looked for within each sample, and taken away or only marked. */
  readonly doublets?: 'remove' | 'mark';
  /** Score above which a cell of any sample is called a doublet, from 0 to 1; found in each sample by default. */
  readonly doubletThreshold?: number;
  /** The batch of each cell, none of them -1 where they are integrated: genes are chosen that vary within batches. */
  readonly batches?: Samples;
  /** How differences between the batches are taken out of the principal components; they stay by default. */
  readonly integrate?: IntegrationMethod;
  /** Known types of cells, by which integration is judged; by clusters that were found before it where there are none. */
  readonly types?: Samples;
  /** Resolutions of further Leiden clusterings. */
  readonly resolutions?: readonly number[];
}

export type ProcessErrorCode =
  | 'too-large'
  | 'not-counts'
  | 'malformed-counts'
  | 'too-few-cells'
  | 'no-variable-genes'
  | 'worker-died';

/** Counts that cannot be processed; the message says why and what to do. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly code: ProcessErrorCode;

  constructor(code: ProcessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

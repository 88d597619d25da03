import type { GeneFacts, IntegrationMethod, MapNumber, QualitySettings } from '@cellfolio/model';

/** Consecutive cells (or genes) of a sparse matrix of counts, in order. */
export interface CountBlock {
  /** count + 1 rising positions in `indices` and `counts`, the first of them 0. */
  readonly pointers: ArrayLike<number>;
  /** Gene of each entry in a block of cells, cell of each entry in a block of genes; rising within each. */
  readonly indices: Int32Array;
  /** Non-negative integers. */
  readonly counts: ArrayLike<number>;
}

/**
 * Raw counts of cells x genes that arrive block by block, by cells or by genes, so that they are never in memory as a
 * whole in this form.
 */
export interface CountMatrix extends GeneFacts {
  readonly cellCount: number;
  readonly by: 'cell' | 'gene';
  /** Entries of all blocks, if known: too large an input is then refused before reading. */
  readonly entryCount?: number;
  readonly blocks: Iterable<CountBlock> | AsyncIterable<CountBlock>;
}

/** A researcher's choices; fewer genes, components and neighbours are taken where there are fewer. */
export interface ProcessSettings extends Readonly<Record<MapNumber, number>> {
  readonly quality: QualitySettings;
}

/** Sample of each cell, or another grouping. */
export interface Samples {
  /** Index into `names`; -1 for none. */
  readonly codes: ArrayLike<number>;
  readonly names: readonly string[];
}

export interface CombineOptions {
  /** Sample of each cell, if not that of the quality control: doublets are of one sample. */
  readonly samples?: Samples;
  readonly doublets?: 'remove' | 'mark';
  /** Score above which a cell of any sample is called a doublet, from 0 to 1; default detected in each sample. */
  readonly doubletThreshold?: number;
  /** Batch of each cell, never -1 for integration: genes are chosen by their variation within batches. */
  readonly batches?: Samples;
  readonly integrate?: IntegrationMethod;
  /** Given cell types, by which integration is judged; default the clusters from before it. */
  readonly types?: Samples;
  readonly resolutions?: readonly number[];
}

export type ProcessErrorCode =
  | 'too-large'
  | 'not-counts'
  | 'malformed-counts'
  | 'too-few-cells'
  | 'no-variable-genes'
  | 'worker-died';

export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly code: ProcessErrorCode;

  constructor(code: ProcessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

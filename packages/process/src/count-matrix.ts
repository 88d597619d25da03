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

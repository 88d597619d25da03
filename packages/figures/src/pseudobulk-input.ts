import type { Caution } from '@cellfolio/model';

/** A column of the samples in the model; missing values are null. */
export type SampleColumnInput = {
  name: string;
  /** Side of a sample, its pair, or an adjusted covariate. */
  role: 'side' | 'pairing' | 'covariate';
} & (
  | { kind: 'categorical'; values: readonly (string | null)[] }
  | { kind: 'numeric'; values: readonly (number | null)[] }
);

/** Summed cells of one sample on one side: a sample with cells on both sides occurs twice. */
interface SampleInput {
  name: string;
  side: 'a' | 'b';
  cells: number;
  /** Counts in the tested genes. */
  librarySize: number;
  factor: number;
  /** Position on the map of samples, in leading log2 fold changes. */
  x: number;
  y: number;
}

export interface PseudobulkInput {
  readonly a: string;
  readonly b: string;
  /** Category whose cells are compared; empty for all. */
  readonly part: string;
  readonly test: string;
  /** Model, such as `~ side + batch`. */
  readonly formula: string;
  readonly samples: readonly SampleInput[];
  /** Share of the variance in the first and second dimension of the map, from 0 to 1. */
  readonly axes: readonly [number, number];
  /** One value per sample: the side first, then covariates and pairs. */
  readonly columns: readonly SampleColumnInput[];
  readonly coefficients: readonly { readonly name: string; readonly values: ArrayLike<number> }[];
  /** Variation of each gene between samples over its log2 mean count, and the fitted curve. */
  readonly spread: {
    /** Root of the residual standard deviation (voom), or of the dispersion (quasi-likelihood, negative binomial). */
    readonly measure: SpreadMeasure;
    readonly points: PlanePoints;
    readonly trend: PlanePoints;
  };
  /** Number of genes by unadjusted p-value, in twentieths of 0 to 1. */
  readonly histogram: ArrayLike<number>;
  readonly tested: number;
  readonly gene?: SampleGene;
  readonly surest?: readonly SampleGene[];
  readonly cautions?: readonly Caution[];
}

interface SampleGene {
  symbol: string;
  /** log2 of its counts per million in each sample. */
  logCpm: ArrayLike<number>;
  /** NaN if not tested. */
  logFoldChange: number;
  adjustedP: number;
}

export type SpreadMeasure = 'deviation' | 'quasi-dispersion' | 'dispersion';

interface PlanePoints {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

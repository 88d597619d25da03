import type { Caution } from '@cellfolio/model';

/** A column of the samples in the model; missing values are null. */
export type SampleColumnInput = {
  readonly name: string;
  /** Side of a sample, its pair, or an adjusted covariate. */
  readonly role: 'side' | 'pairing' | 'covariate';
} & (
  | { readonly kind: 'categorical'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'numeric'; readonly values: readonly (number | null)[] }
);

/** Summed cells of one sample on one side: a sample with cells on both sides occurs twice. */
interface SampleInput {
  readonly name: string;
  readonly side: 'a' | 'b';
  readonly cells: number;
  /** Counts in the tested genes. */
  readonly librarySize: number;
  readonly factor: number;
  /** Position on the map of samples, in leading log2 fold changes. */
  readonly x: number;
  readonly y: number;
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
  readonly symbol: string;
  /** log2 of its counts per million in each sample. */
  readonly logCpm: ArrayLike<number>;
  /** NaN if not tested. */
  readonly logFoldChange: number;
  readonly adjustedP: number;
}

export type SpreadMeasure = 'deviation' | 'quasi-dispersion' | 'dispersion';

interface PlanePoints {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

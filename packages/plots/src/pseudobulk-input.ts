import type { Caution } from '@cellfolio/model';

/** A column of the samples that a model knows; missing values are null. */
export type SampleColumnInput = {
  readonly name: string;
  /** Which side a sample is of, which samples are a pair, or what else is allowed for. */
  readonly role: 'side' | 'pairing' | 'covariate';
} & (
  | { readonly kind: 'categorical'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'numeric'; readonly values: readonly (number | null)[] }
);

/** The cells of one sample on one side, summed: a sample with cells on both sides is there twice. */
interface SampleInput {
  readonly name: string;
  readonly side: 'a' | 'b';
  readonly cells: number;
  /** Counts in the genes that were tested. */
  readonly librarySize: number;
  /** Normalisation factor of the library. */
  readonly factor: number;
  /** Place on the map of samples, in leading log2 fold changes. */
  readonly x: number;
  readonly y: number;
}

/** A test of sums of counts by sample, as its figures show it. */
export interface PseudobulkInput {
  readonly a: string;
  readonly b: string;
  /** The category whose cells are compared; empty for all. */
  readonly part: string;
  /** How it was tested, in words. */
  readonly test: string;
  /** The model, such as `~ side + batch`. */
  readonly formula: string;
  readonly samples: readonly SampleInput[];
  /** Share of the variance in the first and the second dimension of the map, from 0 to 1. */
  readonly axes: readonly [number, number];
  /** A value for each sample: the side first, then covariates and pairs. */
  readonly columns: readonly SampleColumnInput[];
  /** The columns of the design, a value for each sample. */
  readonly coefficients: readonly { readonly name: string; readonly values: ArrayLike<number> }[];
  /** How much each gene varies between samples over its log2 mean count, and the curve through them. */
  readonly spread: {
    /** Root of the residual standard deviation (voom), or of the dispersion (quasi-likelihood, negative binomial). */
    readonly measure: SpreadMeasure;
    readonly points: PlanePoints;
    readonly trend: PlanePoints;
  };
  /** Genes whose p-value, not adjusted, is in each twentieth of 0 to 1. */
  readonly histogram: ArrayLike<number>;
  /** Genes with counts enough. */
  readonly tested: number;
  /** The gene that was asked for. */
  readonly gene?: SampleGene;
  /** Genes of the smallest p-values, where they were asked for. */
  readonly surest?: readonly SampleGene[];
  readonly cautions?: readonly Caution[];
}

interface SampleGene {
  readonly symbol: string;
  /** log2 of its counts per million in each sample. */
  readonly logCpm: ArrayLike<number>;
  /** NaN where it was not tested. */
  readonly logFoldChange: number;
  readonly adjustedP: number;
}

export type SpreadMeasure = 'deviation' | 'quasi-dispersion' | 'dispersion';

interface PlanePoints {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

import { readReference } from '../../markers/testing/reference.ts';
import type { Design } from '../../pseudobulk/design.ts';

type Column = readonly (number | null)[];

interface ReferenceColumns {
  readonly genewise: Column;
  readonly trend: Column;
  readonly final: Column;
  readonly baseMean: Column;
  readonly log2FoldChange: Column;
  readonly lfcSE: Column;
  readonly stat: Column;
  readonly pvalue: Column;
  readonly padj: Column;
}

export interface NegativeBinomialCase {
  readonly name: string;
  readonly genes: number;
  readonly samples: number;
  readonly counts: readonly number[];
  /** Samples × coefficients. */
  readonly design: readonly number[];
  readonly coefficients: number;
  readonly contrast: readonly number[];
  readonly sizeFactors: readonly number[];
  readonly trendKind: string;
  readonly priorVariance: number;
  readonly replaced: readonly number[];
  readonly outliers: readonly number[];
  readonly cooks: Column;
  /** With PyDESeq2's optimisers run until their gradients are zero; `shipped`: as they stop by themselves. */
  readonly exact: ReferenceColumns;
  readonly shipped: ReferenceColumns;
  readonly failed: readonly number[];
}

export const cases = readReference<readonly NegativeBinomialCase[]>(
  new URL('../negative-binomial-reference.json', import.meta.url),
);

export function designOfCase({
  samples,
  design,
  coefficients,
}: Pick<NegativeBinomialCase, 'samples' | 'design' | 'coefficients'>): Design {
  return {
    sampleCount: samples,
    coefficients: Array.from({ length: coefficients }, (_, at) => ({ name: `c${at}`, parts: [] })),
    references: new Map(),
    columns: Array.from({ length: coefficients }, (_, at) =>
      Float64Array.from({ length: samples }, (__, sample) => design[sample * coefficients + at]!),
    ),
  };
}

export function valuesOf(column: Column, genes: ArrayLike<number>): Float64Array {
  return Float64Array.from(genes, (gene) => column[gene] ?? NaN);
}

export function largestDifference(actual: Float64Array, expected: Float64Array, floor = 1e-300): number {
  if (actual.length !== expected.length) return Infinity;
  return expected.reduce((largest, theirs, at) => {
    const own = actual[at]!;
    if (Number.isNaN(theirs) || Number.isNaN(own))
      return Number.isNaN(theirs) && Number.isNaN(own) ? largest : Infinity;
    return own === theirs
      ? largest
      : Math.max(largest, Math.abs(own - theirs) / Math.max(Math.abs(theirs), floor));
  }, 0);
}

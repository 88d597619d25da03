import { readReference } from '../../markers/testing/reference.ts';
import type { Design } from '../../pseudobulk/design.ts';

type Column = readonly (number | null)[];

interface ReferenceColumns {
  genewise: Column;
  trend: Column;
  final: Column;
  baseMean: Column;
  log2FoldChange: Column;
  lfcSE: Column;
  stat: Column;
  pvalue: Column;
  padj: Column;
}

export interface NegativeBinomialCase {
  name: string;
  genes: number;
  samples: number;
  counts: readonly number[];
  /** Samples × coefficients. */
  design: readonly number[];
  coefficients: number;
  contrast: readonly number[];
  sizeFactors: readonly number[];
  trendKind: string;
  priorVariance: number;
  replaced: readonly number[];
  outliers: readonly number[];
  cooks: Column;
  /** With PyDESeq2's optimisers run until their gradients are zero; `shipped`: as they stop by themselves. */
  exact: ReferenceColumns;
  shipped: ReferenceColumns;
  failed: readonly number[];
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

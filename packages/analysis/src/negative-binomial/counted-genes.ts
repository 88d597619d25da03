import type { GeneSampleMatrix } from '../pseudobulk/gene-sample-matrix.ts';
import { selectGenes } from '../pseudobulk/gene-sample-matrix.ts';
import { checkCounts } from '../pseudobulk/not-counts.ts';
import { minGenes, type CountsRefusal } from '../pseudobulk/pseudobulk-test.ts';
import { sizeFactors } from './size-factors.ts';

/** The genes that can be tested, and what makes the samples comparable. Plain arrays, fit to be sent to a thread. */
export interface CountedGenes {
  /** Rows of the genes with a count in any sample, rising. */
  readonly genes: Int32Array;
  readonly sizeFactors: Float64Array;
}

/** Throws NotCounts, for counts that are not whole, too. */
export function countedGenes(counts: GeneSampleMatrix): CountedGenes | { readonly refusal: CountsRefusal } {
  checkCounts(counts, (value) => value >= 0 && Number.isSafeInteger(value));
  const { geneCount, sampleCount, values } = counts;
  const genes = Int32Array.from({ length: geneCount }, (_, gene) => gene).filter((gene) =>
    values.subarray(gene * sampleCount, (gene + 1) * sampleCount).some((count) => count > 0),
  );
  const factors = sizeFactors(selectGenes(counts, genes));
  const empty = Array.from(factors.keys()).filter((sample) => !(factors[sample]! > 0));
  if (empty.length > 0 && genes.length > 0) return { refusal: { code: 'empty_library', samples: empty } };
  if (genes.length < minGenes) {
    return { refusal: { code: 'too_few_genes', genes: genes.length, needed: minGenes } };
  }
  return { genes, sizeFactors: factors };
}

import {
  emptySamples,
  genesWithCounts,
  type GeneSampleMatrix,
  selectGenes,
} from '../pseudobulk/gene-sample-matrix.ts';
import { checkCounts } from '../pseudobulk/not-counts.ts';
import { minGenes, type CountsRefusal } from '../pseudobulk/pseudobulk-test.ts';
import { sizeFactors } from './size-factors.ts';

/** Genes that can be tested, and the size factors of the samples. Plain arrays, which can be sent to a thread. */
export interface CountedGenes {
  /** Rows of the genes with a count in any sample, ascending. */
  readonly genes: Int32Array;
  readonly sizeFactors: Float64Array;
}

/** Throws NotCounts, also for counts that are not whole numbers. */
export function countedGenes(counts: GeneSampleMatrix): CountedGenes | { readonly refusal: CountsRefusal } {
  checkCounts(counts, (value) => value >= 0 && Number.isSafeInteger(value));
  const genes = genesWithCounts(counts);
  const empty = emptySamples(counts);
  if (empty.length > 0 && genes.length > 0) {
    return { refusal: { code: 'empty_library', samples: empty, genes: genes.length } };
  }
  const tested = selectGenes(counts, genes);
  const factors = sizeFactors(tested);
  const unsized = Array.from(factors.keys()).filter((sample) => !(factors[sample]! > 0));
  // Where every gene has a zero, factors are made of the genes with a count above 1.
  const usable = unsized.length > 0 ? genesWithCounts(tested, 2).length : genes.length;
  if (unsized.length > 0 && usable > 0) {
    return { refusal: { code: 'empty_library', samples: unsized, genes: usable } };
  }
  if (usable < minGenes) return { refusal: { code: 'too_few_genes', genes: usable, needed: minGenes } };
  return { genes, sizeFactors: factors };
}

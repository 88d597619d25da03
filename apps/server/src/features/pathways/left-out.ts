import type { PathwayAnalysisAnswer } from '@cellfolio/contract';
import type { RankedSets } from './enrichment-task.ts';
import type { PathwayResult } from './enrichment-tests.ts';

/** Genes of the list that were not tested, as they were given: those that the dataset lacks, and the others. */
export function leftOut({ notInBackground, notInDataset }: RankedSets) {
  const missing = new Set(notInDataset);
  return { notInDataset, onlyNotInBackground: notInBackground.filter((gene) => !missing.has(gene)) };
}

/** The rows whose overlap is large enough to be reported, in the order given. */
export function reportedRows(
  { order, overlapStarts }: Pick<RankedSets, 'order' | 'overlapStarts'>,
  minimumOverlap: number,
): Int32Array {
  return order.filter((row) => overlapStarts[row + 1]! - overlapStarts[row]! >= minimumOverlap);
}

/** What became of the sets of the library. */
export function setCounts({ result, library, parameters }: PathwayResult): PathwayAnalysisAnswer['sets'] {
  const { dropped, shrunk, starts } = library.compiled;
  const tested = result.order.length;
  const reported = reportedRows(result, parameters.minimum_overlap).length;
  return {
    library: starts.length - 1 + dropped,
    dropped,
    shrunk,
    tested,
    below_minimum_overlap: tested - reported,
    reported,
  };
}

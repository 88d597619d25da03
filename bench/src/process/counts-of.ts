import type { RawCounts } from '@cellfolio/ingest';
import type { CountMatrix } from '@cellfolio/process';

/** The counts of a file in the form that processing takes. */
export function countsOf(counts: RawCounts): CountMatrix {
  const { cellCount, geneNames, by, entryCount } = counts;
  return { cellCount, geneNames, by, entryCount, blocks: counts.blocks() };
}

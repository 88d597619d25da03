import type { RawCounts } from '@cellfolio/ingest';
import type { CountMatrix } from '@cellfolio/process';

/** The raw counts of a file, to be read once more from front to back. */
export function countMatrixOf(counts: RawCounts): CountMatrix {
  const { cellCount, geneCount, entryCount, geneNames, geneIds, chromosomes, by } = counts;
  return {
    cellCount,
    geneNames,
    ...(geneIds !== undefined && { geneIds }),
    ...(chromosomes !== undefined && { chromosomes }),
    by,
    blocks: counts.blocks(),
    // All values of a dense matrix would count as entries; how many are, shows while they are read.
    ...(entryCount < cellCount * geneCount && { entryCount }),
  };
}

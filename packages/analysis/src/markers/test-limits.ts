/** Maximum number of groups of an analysis that tests no genes in them, or draws and lists all. */
export const maxGroups = 500;

/*
 * Markers are tests of groups × genes, whose sums are in memory at once: 20 bytes a test, and 28 of ranks against a
 * reference, which is 340 and 476 MB for all that are allowed.
 */
const maxTests = 17_000_000;
/** Codes of groups are 16 bits; answers list each group. */
const mostGroups = 10_000;

/**
 * Maximum number of groups whose markers are tested over `geneCount` genes; 500 of any number: of 60,000 genes they take
 * 600 MB, and 840 against a reference.
 */
export function maxMarkerGroups(geneCount: number): number {
  const byTests = Math.floor(maxTests / Math.max(1, geneCount));
  return Math.min(mostGroups, Math.max(maxGroups, byTests));
}

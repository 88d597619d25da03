/** Sizes of raw counts, known before any is read. */
export interface CountsSize {
  readonly cellCount: number;
  readonly geneCount: number;
  /** Entries other than zero. */
  readonly entryCount: number;
}

/**
 * Bytes that processing takes at its peak, on the safe side. Counts are kept in 3 to 7 bytes an entry; then each
 * cell costs its components, its neighbours and the graph, and the variable genes are held once more in full.
 * The factors were measured on simulated counts of 5,000 cells (341 MB) and of 50,000 cells x 20,000 genes (1,688 MB).
 */
export function memoryNeeded(
  { cellCount, geneCount, entryCount }: CountsSize,
  {
    variableGenes,
    neighbours,
    components,
  }: { variableGenes: number; neighbours: number; components: number },
): number {
  const base = 320 * 2 ** 20;
  const matrix = entryCount * 7 + geneCount * 64;
  const variable = entryCount * Math.min(1, variableGenes / Math.max(1, geneCount)) * 12 * 2;
  const perCell = components * 8 * 3 + neighbours * neighbours * 2 * 16 + neighbours * 64 + 2560;
  return Math.ceil(base + matrix + variable + cellCount * perCell);
}

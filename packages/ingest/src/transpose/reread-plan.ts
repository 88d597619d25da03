/** What must be known of a matrix to say whether it is better read several times than sorted. */
export interface RereadDemand {
  readonly geneCount: number;
  readonly cellCount: number;
  readonly entryCount: number;
  readonly longestRow: number;
  /** Bytes that all buffers may take together. */
  readonly memoryBudget: number;
  /** Bytes of the file's matrix, and of memory that the system could keep it in between the passes. */
  readonly storedBytes: number;
  readonly availableMemory: number;
  readonly threads: number;
}

export interface RereadPlan {
  /** Most entries of the genes that one pass puts together. */
  readonly blockEntries: number;
  /** Entries that a thread reads at once. */
  readonly sliceEntries: number;
  /** Bytes of all buffers. */
  readonly bytes: number;
}

/** Each pass reads the whole matrix: with more of them the detour through a temporary file is shorter. */
const MOST_PASSES = 10;
/** One block is written while the next one is put together. */
export const BLOCKS = 2;
const SLICE_ENTRIES = 1_048_576;
/** Cell (int32) and value (float32). */
const ENTRY_BYTES = 8;

/** The plan, or undefined where the matrix should not be read several times. Pure. */
export function planReread(demand: RereadDemand): RereadPlan | undefined {
  const { geneCount, cellCount, entryCount, longestRow, memoryBudget, threads } = demand;
  const sliceEntries = Math.max(Math.min(SLICE_ENTRIES, entryCount), longestRow);
  // A slice as it is read and sorted by gene; first positions of each gene in each part of the rows, and the row positions with their totals.
  const fixed =
    threads * sliceEntries * 2 * ENTRY_BYTES + partCount(threads) * geneCount * 4 + (cellCount + 1) * 16;
  const fits = Math.floor((memoryBudget - fixed) / BLOCKS / ENTRY_BYTES);
  // A gene is never cut, so that blocks end up to one gene short of what is allowed.
  const spare = Math.min(cellCount, entryCount);
  if (fits <= spare) return undefined;
  const passes = Math.ceil(entryCount / (fits - spare));
  if (passes > MOST_PASSES) return undefined;
  // Passes from a disk, not from memory, would cost more than they save.
  if (demand.storedBytes > demand.availableMemory / 2) return undefined;
  const blockEntries = Math.ceil(entryCount / passes) + spare;
  return { blockEntries, sliceEntries, bytes: fixed + BLOCKS * ENTRY_BYTES * blockEntries };
}

/** Parts that the rows are cut into: some a thread, so that none is idle for long at the end of a pass. */
export function partCount(threads: number): number {
  return threads * 4;
}

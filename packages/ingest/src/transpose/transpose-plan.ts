import { sorterBytesPerEntry } from './batch-sorters.ts';

/** What the planner needs to know of a matrix. */
interface TransposeDemand {
  readonly geneCount: number;
  /** Stored entries; cells x genes for a dense matrix. */
  readonly entryCount: number;
  /** Entries that must be held together: the longest row (a gene's for a gene-major matrix). */
  readonly longestRow: number;
  /** Also keep the raw counts beside the expression. */
  readonly normalise: boolean;
  readonly valueBytes: 4 | 8;
  /** Bytes that the buffers of the transposition may take in all. */
  readonly memoryBudget: number;
  readonly threads: number;
  /** Matrices of at most so many entries are transposed in the calling thread; default 4 million. */
  readonly inlineEntries?: number | undefined;
}

/** How a matrix is transposed: pure data, so that tests can hold it to its budget. */
export interface TransposePlan {
  /** 0: in the calling thread. */
  readonly threads: number;
  readonly spill: 'memory' | 'file';
  /** Maximum number of entries of a batch that is sorted at once. */
  readonly batchEntries: number;
  /** Maximum number of entries of a run of genes that is assembled at once. */
  readonly gatherEntries: number;
  /** Bytes of all buffers in the sorting phase and in the gathering phase. */
  readonly sortBytes: number;
  readonly gatherBytes: number;
}

const maxBatchEntries = 4_194_304;
const maxGatherEntries = 2_097_152;
const minEntries = 65_536;
/** Under this, starting threads costs more than they save. */
export const inlineEntries = 4_000_000;
/** Runs of genes ahead of the writer, a thread. */
export const gathersAhead = 2;

export function planTranspose(demand: TransposeDemand): TransposePlan {
  const { entryCount, longestRow, normalise, valueBytes, memoryBudget } = demand;
  const threads = entryCount <= (demand.inlineEntries ?? inlineEntries) ? 0 : demand.threads;
  const workers = Math.max(1, threads);
  // Index (4) and value of each entry as read, and what the sorter holds beside them.
  const perSorted = 4 + valueBytes + sorterBytesPerEntry(normalise, valueBytes);
  // Cell and value put together for each run ahead, and the piece of a batch they are copied from.
  const perGathered = (4 + valueBytes) * gathersAhead + Math.max(4, valueBytes);
  const spilled = entryCount * (4 + valueBytes + (normalise ? 4 : 0));
  const keep = threads === 0 && spilled <= memoryBudget / 4;
  const free = memoryBudget - (keep ? spilled : 0);
  const fit = (perEntry: number, most: number) =>
    Math.max(minEntries, longestRow, Math.min(most, entryCount, Math.floor(free / workers / perEntry)));
  const batchEntries = fit(perSorted, maxBatchEntries);
  const gatherEntries = Math.min(fit(perGathered, maxGatherEntries), Math.max(1, entryCount));
  return {
    threads,
    spill: keep ? 'memory' : 'file',
    batchEntries,
    gatherEntries,
    sortBytes: workers * batchEntries * perSorted + (keep ? spilled : 0),
    gatherBytes: workers * gatherEntries * perGathered + (keep ? spilled : 0),
  };
}

/**
 * Cuts rows into batches of at most `most` entries and `maxRows` rows; a longer row is a batch of its own.
 * Returns the rows at which batches start, and the number of rows last.
 */
export function cutRows(rowStart: Float64Array, most: number, maxRows: number): number[] {
  const cuts = [0];
  const rowCount = rowStart.length - 1;
  for (let row = 0; row < rowCount;) {
    let end = row + 1;
    while (end < rowCount && end - row < maxRows && rowStart[end + 1]! - rowStart[row]! <= most) end++;
    cuts.push(end);
    row = end;
  }
  return cuts;
}

/** What must be known of a matrix to say whether it is better read several times than sorted. */
interface RereadDemand {
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
  /** Entries that a thread sorts at once. */
  readonly sliceEntries: number;
  /** Bytes of all buffers. */
  readonly bytes: number;
}

/** Each pass reads the whole matrix: with more of them the detour through a temporary file is shorter. */
const maxPasses = 10;
const maxSliceEntries = 1_048_576;
/** Entries that are read at once, unless a row has more: 256 KiB each of indices and values, which caches hold. */
export const readEntries = 65_536;
/** A gene is counted in a slice with 16 bits. */
export const maxSliceRows = 65_535;
/** Cell (int32) and value (float32). */
const entryBytes = 8;

/** The plan, or undefined where the matrix should not be read several times. Pure. */
export function planReread(demand: RereadDemand): RereadPlan | undefined {
  const { geneCount, cellCount, entryCount, longestRow, memoryBudget, threads } = demand;
  const sliceEntries = Math.max(Math.min(maxSliceEntries, entryCount), longestRow);
  const parts = partCount(threads);
  // A slice ends where another row would be too much, or with its part.
  const slices =
    entryCount / Math.max(sliceEntries / 2, sliceEntries - longestRow) + cellCount / maxSliceRows + parts;
  // A slice as it is sorted by gene and the rows of it that are read at once; entries of each gene in each slice, and in
  // each part their number and first position; and the row positions with their totals.
  const fixed =
    threads * (sliceEntries + Math.max(readEntries, longestRow)) * entryBytes +
    (slices * 2 + parts * 8) * geneCount +
    (cellCount + 1) * 16;
  const fits = Math.floor((memoryBudget - fixed) / entryBytes);
  // A gene is never cut, so that blocks end up to one gene short of what is allowed.
  const spare = Math.min(cellCount, entryCount);
  if (fits <= spare) return undefined;
  const passes = Math.ceil(entryCount / (fits - spare));
  if (passes > maxPasses) return undefined;
  // Passes from a disk, not from memory, would cost more than they save.
  if (demand.storedBytes > demand.availableMemory / 2) return undefined;
  const blockEntries = Math.ceil(entryCount / passes) + spare;
  return { blockEntries, sliceEntries, bytes: fixed + entryBytes * blockEntries };
}

/** Parts that the rows are cut into: some a thread, so that none is idle for long at the end of a pass. */
export function partCount(threads: number): number {
  return threads * 4;
}

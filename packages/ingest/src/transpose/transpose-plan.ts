import { sorterBytesPerEntry } from './batch-sorters.ts';

interface TransposeDemand {
  geneCount: number;
  /** Stored entries; cells x genes for a dense matrix. */
  entryCount: number;
  /** Entries that must be in memory together: the longest row (a gene's in a gene-major matrix). */
  longestRow: number;
  normalise: boolean;
  valueBytes: 4 | 8;
  /** Maximum bytes of all buffers of the transposition. */
  memoryBudget: number;
  threads: number;
  /** Matrices of at most this many entries are transposed in the calling thread; default 4 million. */
  inlineEntries?: number | undefined;
}

/** Plan of a transposition: plain data, so that tests can check it against its budget. */
export interface TransposePlan {
  /** 0: in the calling thread. */
  threads: number;
  spill: 'memory' | 'file';
  batchEntries: number;
  gatherEntries: number;
  /** Bytes of all buffers in the sorting phase and in the gathering phase. */
  sortBytes: number;
  gatherBytes: number;
}

const maxBatchEntries = 4_194_304;
const maxGatherEntries = 2_097_152;
const minEntries = 65_536;
/** Below this number, starting threads costs more than it saves. */
export const inlineEntries = 4_000_000;
/** Runs of genes gathered ahead of the writer, per thread. */
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
  const fit = (perEntry: number, limit: number) =>
    Math.max(minEntries, longestRow, Math.min(limit, entryCount, Math.floor(free / workers / perEntry)));
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
 * Cuts rows into batches of at most `maxEntries` entries and `maxRows` rows; a longer row is a batch by itself. Returns the
 * rows at which batches start, then the number of rows.
 */
export function cutRows(rowStart: Float64Array, maxEntries: number, maxRows: number): number[] {
  const cuts = [0];
  const rowCount = rowStart.length - 1;
  for (let row = 0; row < rowCount;) {
    let end = row + 1;
    while (end < rowCount && end - row < maxRows && rowStart[end + 1]! - rowStart[row]! <= maxEntries) end++;
    cuts.push(end);
    row = end;
  }
  return cuts;
}

interface RereadDemand {
  geneCount: number;
  cellCount: number;
  entryCount: number;
  longestRow: number;
  memoryBudget: number;
  /** Bytes of the matrix in the file, and of the memory in which the system could cache it between passes. */
  storedBytes: number;
  availableMemory: number;
  threads: number;
}

export interface RereadPlan {
  blockEntries: number;
  sliceEntries: number;
  bytes: number;
}

/** Each pass reads the whole matrix: with more passes, sorting through a temporary file is faster. */
const maxPasses = 10;
const maxSliceEntries = 1_048_576;
/** Entries read at once, unless a row has more: 256 KiB each of indices and values, which caches hold. */
export const readEntries = 65_536;
/** A slice counts each gene in 16 bits. */
export const maxSliceRows = 65_535;
/** Cell (int32) and value (float32). */
const entryBytes = 8;

/** Undefined if the matrix should not be read several times. Pure. */
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

/** Number of parts the rows are cut into: several per thread, so that none is idle for long at the end of a pass. */
export function partCount(threads: number): number {
  return threads * 4;
}

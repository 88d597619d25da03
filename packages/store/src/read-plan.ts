import type { ByteRange } from '@cellfolio/bytes';
import type { ShardLayout } from './shard-layout.ts';

export interface PlannedChunk {
  offset: number;
  /** Values `from` to `to` of the chunk go to position `into` of the gene. */
  from: number;
  to: number;
  into: number;
}

export interface PlannedRead {
  shard: number;
  range: ByteRange;
  chunks: readonly PlannedChunk[];
}

/**
 * Reads of the entries [start, end) of one array: one per touched shard, since inner chunks, `chunkBytes` each, are
 * adjacent.
 */
export function planEntries(
  { innerLength, shardLength }: ShardLayout,
  chunkBytes: number,
  start: number,
  end: number,
): PlannedRead[] {
  if (start === end) return [];
  const reads: PlannedRead[] = [];
  for (let shard = Math.floor(start / shardLength); shard * shardLength < end; shard++) {
    const origin = shard * shardLength;
    const first = Math.floor((Math.max(start, origin) - origin) / innerLength);
    const last = Math.floor((Math.min(end, origin + shardLength) - 1 - origin) / innerLength);
    const chunks: PlannedChunk[] = [];
    for (let chunk = first; chunk <= last; chunk++) {
      const chunkStart = origin + chunk * innerLength;
      chunks.push({
        offset: (chunk - first) * chunkBytes,
        from: Math.max(start - chunkStart, 0),
        to: Math.min(end - chunkStart, innerLength),
        into: Math.max(chunkStart - start, 0),
      });
    }
    const range = { offset: first * chunkBytes, length: chunks.length * chunkBytes };
    reads.push({ shard, range, chunks });
  }
  return reads;
}

interface PlannedPiece {
  place: number;
  start: number;
  end: number;
}

/** Inner chunks of one shard that are read at once, as the entries [start, end) that they contain. */
export interface PlannedRun {
  start: number;
  end: number;
  /** Indices, from 0, of the inner chunks that contain any piece. */
  wanted: ReadonlySet<number>;
  pieces: readonly PlannedPiece[];
}

interface RunLimits {
  chunks: number;
  /** Maximum unneeded inner chunks that are read to save a separate read. */
  gap: number;
}

/**
 * Runs for the entries of some genes, with rising rows: each inner chunk is in one run only, however many of the genes
 * it contains. Pieces are in gene order, and those of a gene in order. Throws RangeError.
 */
export function planPieces(
  layout: ShardLayout,
  indptr: Float64Array,
  rows: Int32Array,
  limits: RunLimits,
): PlannedRun[] {
  const { innerLength, shardLength, valueCount } = layout;
  const runs: { first: number; last: number; pieces: PlannedPiece[] }[] = [];
  const perShard = shardLength / innerLength;
  let before = -1;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    if (row <= before || row >= indptr.length - 1) {
      throw new RangeError(`gene ${row} after ${before}: genes must rise, below ${indptr.length - 1}`);
    }
    before = row;
    const geneEnd = indptr[row + 1]!;
    for (let start = indptr[row]!; start < geneEnd;) {
      const chunk = Math.floor(start / innerLength);
      const end = Math.min(geneEnd, (chunk + 1) * innerLength);
      let run = runs[runs.length - 1];
      const fits =
        run &&
        chunk - run.last <= limits.gap + 1 &&
        chunk - run.first < limits.chunks &&
        Math.floor(chunk / perShard) === Math.floor(run.first / perShard);
      if (!run || !fits) runs.push((run = { first: chunk, last: chunk, pieces: [] }));
      run.last = chunk;
      run.pieces.push({ place, start, end });
      start = end;
    }
  }
  return runs.map(({ first, last, pieces }) => ({
    start: first * innerLength,
    end: Math.min(valueCount, (last + 1) * innerLength),
    wanted: new Set(pieces.map(({ start }) => Math.floor(start / innerLength) - first)),
    pieces,
  }));
}

interface GeneRange {
  from: number;
  to: number;
}

/**
 * Cuts the genes [from, to) into ranges of at most `maxEntries` entries each, to be read one after the other with
 * bounded memory. A gene with more entries is a separate range. Every gene is in one range, including those without
 * entries. `valueStarts`: rising entry positions of a dataset. Throws RangeError.
 */
export function geneBlocks(
  valueStarts: Float64Array,
  maxEntries: number,
  from = 0,
  to = valueStarts.length - 1,
): GeneRange[] {
  if (!(maxEntries >= 1)) throw new RangeError(`a block cannot have ${maxEntries} entries at most`);
  if (
    !(Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to < valueStarts.length)
  ) {
    throw new RangeError(`there are no genes ${from} to ${to} among ${valueStarts.length - 1}`);
  }
  const blocks: GeneRange[] = [];
  for (let first = from; first < to;) {
    let end = first + 1;
    while (end < to && valueStarts[end + 1]! - valueStarts[first]! <= maxEntries) end++;
    blocks.push({ from: first, to: end });
    first = end;
  }
  return blocks;
}

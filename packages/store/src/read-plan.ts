import type { ByteRange } from '@cellfolio/bytes';
import type { ShardLayout } from './shard-layout.ts';

/** One inner chunk inside a read, and which of its values belong to the gene. */
export interface PlannedChunk {
  /** Byte position in what the read returns. */
  readonly offset: number;
  /** Values `from` to `to` of the chunk go to position `into` of the gene. */
  readonly from: number;
  readonly to: number;
  readonly into: number;
}

/** One range read of one shard. */
export interface PlannedRead {
  readonly shard: number;
  readonly range: ByteRange;
  readonly chunks: readonly PlannedChunk[];
}

/**
 * The reads for the entries [start, end) of one array: one for each shard touched, as the inner chunks, each of
 * `chunkBytes` bytes, lie side by side.
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

/** Entries of one gene inside one inner chunk. */
interface PlannedPiece {
  /** Place of the gene among those asked for. */
  readonly place: number;
  readonly start: number;
  readonly end: number;
}

/** Inner chunks of one shard that are read at once, as the entries [start, end) that they hold. */
export interface PlannedRun {
  readonly start: number;
  readonly end: number;
  /** Places, from 0, of the inner chunks that contain any piece. */
  readonly wanted: ReadonlySet<number>;
  readonly pieces: readonly PlannedPiece[];
}

interface RunLimits {
  /** Inner chunks of a run. */
  readonly chunks: number;
  /** Inner chunks that are read though not needed, where that saves a separate read. */
  readonly gap: number;
}

/**
 * The runs for the entries of some genes, whose rows rise: each inner chunk is in one run only, however many of the
 * genes it holds. Pieces are in the order of the genes, and those of a gene in order. Throws RangeError.
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

/** Consecutive genes [from, to), by row in var. */
interface GeneRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts the genes [from, to) into ranges of at most `maxEntries` entries each, to be read one after the other with
 * bounded memory. A gene with more entries than that is a range of its own. Every gene is in one range, those
 * without entries too. `valueStarts` are the rising entry positions of a dataset. Throws RangeError.
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

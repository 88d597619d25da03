import type { ShardLayout } from './shard-layout.ts';

/** Entries of one gene inside one inner chunk. */
export interface PlannedPiece {
  /** Place of the gene among those asked for. */
  readonly place: number;
  readonly start: number;
  readonly end: number;
}

/** Inner chunks of one shard that are read at once, as the entries [start, end) that they hold. */
export interface PlannedRun {
  readonly start: number;
  readonly end: number;
  /** Places, from 0, of the inner chunks that any piece lies in. */
  readonly wanted: ReadonlySet<number>;
  readonly pieces: readonly PlannedPiece[];
}

export interface RunLimits {
  /** Inner chunks of a run. */
  readonly chunks: number;
  /** Inner chunks that are read though nobody wants them, where that spares a read of its own. */
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

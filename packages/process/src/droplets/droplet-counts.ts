import type { CountBlock, CountMatrix } from '../count-matrix.ts';

/** Raw counts of droplets that can be read more than once. */
export interface DropletCounts extends Pick<CountMatrix, 'by' | 'cellCount'> {
  readonly geneCount: number;
  /** All counts from the first on, at each call. */
  blocks(): Iterable<CountBlock> | AsyncIterable<CountBlock>;
}

/** Tells each count with its barcode and gene; lets other work in between the blocks. Throws the signal's reason. */
export async function eachCount(
  { by, blocks }: DropletCounts,
  tell: (barcode: number, gene: number, count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  let first = 0;
  for await (const { pointers, indices, counts } of blocks()) {
    signal?.throwIfAborted();
    const vectors = pointers.length - 1;
    for (let vector = 0; vector < vectors; vector++) {
      for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) {
        if (by === 'cell') tell(first + vector, indices[at]!, counts[at]!);
        else tell(indices[at]!, first + vector, counts[at]!);
      }
    }
    first += vectors;
  }
}

/** Sum of the counts of each barcode. */
export async function barcodeTotals(counts: DropletCounts, signal?: AbortSignal): Promise<Float64Array> {
  const totals = new Float64Array(counts.cellCount);
  await eachCount(counts, (barcode, _, count) => (totals[barcode]! += count), signal);
  return totals;
}

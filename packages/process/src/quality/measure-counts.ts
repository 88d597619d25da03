import type { CountMatrix } from '../count-matrix.ts';
import { CellMeasurer, geneKinds, type CellMeasures } from './cell-measures.ts';

/**
 * Reads counts once and measures each cell. Throws ProcessError `not-counts`; what `blocks` throws; the signal's reason.
 */
export async function measureCounts(
  counts: CountMatrix,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<CellMeasures> {
  const measurer = new CellMeasurer(counts, geneKinds(counts));
  const all = counts.by === 'cell' ? counts.cellCount : counts.geneNames.length;
  let read = 0;
  for await (const block of counts.blocks) {
    signal?.throwIfAborted();
    measurer.add(block);
    read += block.pointers.length - 1;
    onProgress?.(Math.min(1, read / Math.max(1, all)));
  }
  return measurer.finish();
}

import type { ProcessingChoice } from '@cellfolio/contract';
import { partChoice } from '@cellfolio/contract/work';
import { countText } from '@cellfolio/model';
import { memoryNeeded } from '@cellfolio/process';
import type { StoredMatrix } from '@cellfolio/store';
import { moreMemoryHint } from './failures.ts';
import { processingSettings } from './processing-input.ts';

/**
 * Why no new map of some cells of a dataset can be made here, in a sentence; undefined when memory suffices. `size` is
 * that of their raw counts; its entries may be a lower bound.
 */
export function partMemoryProblem(
  size: Parameters<typeof memoryNeeded>[0],
  processing: ProcessingChoice,
  memoryBytes: number,
): string | undefined {
  const { integrate = 'none' } = partChoice(processing.samples);
  const needed = memoryNeeded(
    size,
    processingSettings(processing, false),
    integrate === 'none' ? {} : { integrate },
  );
  if (needed <= memoryBytes) return undefined;
  const mebibytes = (bytes: number) => `${countText(Math.ceil(bytes / 2 ** 20))} MiB`;
  return `A new map of these ${countText(size.cellCount)} cells needs about ${mebibytes(needed)} of memory, and a job may use ${mebibytes(memoryBytes)} here. Choose fewer cells, such as one type of them. ${moreMemoryHint}`;
}

/** Entries of the chosen cells. `rowOf` is negative for a cell that is not chosen. */
export async function entriesOf(
  { starts, cells }: StoredMatrix,
  rowOf: Int32Array,
  { blockEntries, signal }: { blockEntries: number; signal: AbortSignal },
): Promise<number> {
  const all = starts.at(-1)!;
  let count = 0;
  for (let from = 0; from < all; from += blockEntries) {
    for (const cell of await cells(from, Math.min(all, from + blockEntries), { signal }))
      if (rowOf[cell]! >= 0) count += 1;
  }
  return count;
}

import type { ProcessingChoice } from '@cellfolio/contract';
import { partChoice } from '@cellfolio/contract/work';
import { countText } from '@cellfolio/model';
import { memoryNeeded } from '@cellfolio/process';
import type { StoredMatrix } from '@cellfolio/store';
import { moreMemoryHint } from './failures.ts';
import { processingSettings } from './processing-input.ts';

/**
 * Why no new map of some cells of a dataset can be made here, in a sentence; undefined where memory suffices.
 * @param size of their raw counts; of the entries, as many as there are at least
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
  return `A new map of these ${countText(size.cellCount)} cells takes about ${mebibytes(needed)} of memory, and a job may use ${mebibytes(memoryBytes)} here. Choose fewer cells, such as one type of them. ${moreMemoryHint}`;
}

/**
 * Entries of the chosen cells.
 * @param rowOf of each cell, negative where it is not chosen
 */
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

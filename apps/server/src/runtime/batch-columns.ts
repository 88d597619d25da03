import type { BatchesApart, BatchSlots } from '@cellfolio/analyses/compute';
import { isCategorical } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';

const batchName = /(^|[^a-z])(batch|chemistry|chip|flowcell|lane|plate|pool|run)(es|s)?([^a-z]|$)/i;
/** A column with more values holds names of cells or times, not batches. */
const maxBatches = 200;

export function batchColumns(names: readonly string[]): string[] {
  return names.filter((name) => batchName.test(name));
}

export async function batchesApart(
  dataset: Dataset,
  { columns, slots, slotCount, reference }: BatchSlots,
  signal: AbortSignal,
): Promise<BatchesApart[]> {
  const separateBatches: BatchesApart[] = [];
  for (const name of columns) {
    const column = await dataset.obs(name, signal);
    if (!isCategorical(column) || column.categories.length > maxBatches) continue;
    const batchCount = column.categories.length;
    const isIn = new Uint8Array(slotCount * batchCount);
    for (let cell = 0; cell < slots.length; cell++) {
      const [slot, batch] = [slots[cell]!, column.codes[cell]!];
      if (slot < slotCount && batch >= 0) isIn[slot * batchCount + batch] = 1;
    }
    const own = Array.from({ length: slotCount }, (_, slot) =>
      [...column.categories.keys()].filter((batch) => isIn[slot * batchCount + batch] === 1),
    );
    const sharedBy = new Uint16Array(batchCount);
    for (const batch of own.flat()) sharedBy[batch]!++;
    const withCells = own.filter((batches) => batches.length > 0).length;
    const isApart = (batch: number) =>
      reference === undefined ? sharedBy[batch] === 1 : isIn[reference * batchCount + batch] === 0;
    const compares = reference === undefined ? withCells > 1 : own[reference]!.length > 0;
    const apart = [...own.keys()].filter(
      (slot) => compares && slot !== reference && own[slot]!.length > 0 && own[slot]!.every(isApart),
    );
    if (apart.length > 0)
      separateBatches.push({ column: name, counts: own.map(({ length }) => length), apart });
  }
  return separateBatches;
}

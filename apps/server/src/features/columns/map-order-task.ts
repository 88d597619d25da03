import { mapOrder } from '@cellfolio/columns';
import { sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

/** The row of the file at each place of the map. */
export interface OrderTask extends Task<Uint32Array> {
  readonly kind: 'map-order';
  readonly dataset: DatasetRef;
}

async function orderOfDataset(dataset: Dataset, signal: AbortSignal): Promise<Uint32Array> {
  const { cellCount, roles } = dataset.manifest;
  const order =
    roles.embedding === undefined
      ? Uint32Array.from({ length: cellCount }, (_, row) => row)
      : mapOrder(await dataset.embedding(roles.embedding, signal));
  return sharedCopy(order);
}

export const columnTasks = [
  taskKind<OrderTask>('map-order', (_task, { dataset, signal }) => orderOfDataset(dataset, signal)),
];

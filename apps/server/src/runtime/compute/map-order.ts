import { mapOrder } from '@cellfolio/columns';
import type { Dataset, DatasetManifest } from '@cellfolio/store';

/** 4 bytes per cell, as long as the dataset is open. */
const orders = new WeakMap<DatasetManifest, Promise<Uint32Array>>();

/** Row of the file for each place of the map order; without an embedding, the order of the file. */
export async function mapOrderOf(dataset: Dataset): Promise<Uint32Array> {
  let order = orders.get(dataset.manifest);
  if (!order) {
    const { roles, cellCount } = dataset.manifest;
    order =
      roles.embedding === undefined
        ? Promise.resolve(Uint32Array.from({ length: cellCount }, (_, row) => row))
        : dataset.embedding(roles.embedding).then(mapOrder);
    orders.set(dataset.manifest, order);
    order.catch(() => orders.delete(dataset.manifest));
  }
  return order;
}

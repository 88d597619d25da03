import { mapOrder } from '@cellfolio/columns';
import type { Dataset } from '@cellfolio/store';

/** Kept as long as the dataset is open: 4 bytes a cell. */
const orders = new WeakMap<Dataset, Promise<Uint32Array>>();

/** The row of the file at each place of the map order; that of the file where the dataset has no embedding. */
export async function mapOrderOf(dataset: Dataset): Promise<Uint32Array> {
  let order = orders.get(dataset);
  if (!order) {
    const { roles, cellCount } = dataset.manifest;
    order =
      roles.embedding === undefined
        ? Promise.resolve(Uint32Array.from({ length: cellCount }, (_, row) => row))
        : dataset.embedding(roles.embedding).then(mapOrder);
    orders.set(dataset, order);
    order.catch(() => orders.delete(dataset));
  }
  return order;
}

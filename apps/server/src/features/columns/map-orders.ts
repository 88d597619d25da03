import { ByteCache, type DatasetManifest } from '@cellfolio/store';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { JoinedWork, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type MapOrderSource } from '../selection/index.ts';
import type { OrderTask } from './map-order-task.ts';

/** Four bytes a cell: of eight datasets of a million cells. */
const cacheBytes = 32 * 1024 * 1024;

/** The order of the cells on the map of each dataset version, found once. */
export class MapOrders implements MapOrderSource {
  readonly #compute: Compute;
  readonly #cache = new ByteCache<string, Uint32Array>(cacheBytes, ({ byteLength }) => byteLength);
  readonly #running = new JoinedWork<Uint32Array>();

  constructor(deps: { compute: Compute }) {
    this.#compute = deps.compute;
  }

  async orderOf(manifest: DatasetManifest, waiting: Waiting): Promise<Uint32Array> {
    const selection = { manifest, subset: undefined };
    const key = keyOfSelection(selection);
    const known = this.#cache.get(key);
    if (known) return known;
    return this.#running.run(key, waiting, async (joined) => {
      const order = await this.#compute.run<OrderTask>(
        { kind: 'map-order', dataset: datasetOf(selection) },
        joined,
      );
      this.#cache.set(key, order);
      return order;
    });
  }

  get caches(): NamedCaches {
    return [['map orders', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }
}

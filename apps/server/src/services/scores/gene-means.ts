import { ByteCache, geneBlocks, SharedWork } from '@cellfolio/store';
import type { Compute } from '../../compute/compute-pool.ts';
import type { OpenDatasets } from '../../compute/open-datasets.ts';
import { blockEntries, runAll } from '../block-work.ts';
import type { NamedCaches } from '../named-caches.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection, type Waiting } from '../selection.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';

const cacheBytes = 16 * 1024 * 1024;

/**
 * Mean of every gene over the chosen cells: for all cells as the dataset was written with, otherwise by one pass over
 * the whole matrix, which is kept for the next signature.
 */
export class GeneMeans {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #cache = new ByteCache<string, Float64Array>(cacheBytes, ({ byteLength }) => byteLength);
  readonly #running = new SharedWork<string, Float64Array>();

  constructor(parts: { compute: Compute; datasets: OpenDatasets; masks: CellMasks }) {
    this.#compute = parts.compute;
    this.#datasets = parts.datasets;
    this.#masks = parts.masks;
  }

  async of(selection: Selection, waiting: Waiting): Promise<Float64Array> {
    const key = keyOfSelection(selection);
    const known = this.#cache.get(key);
    if (known) return known;
    return this.#running.run(key, waiting.signal, async (signal) => {
      const opened = await this.#datasets.get(selection.manifest);
      const stored = selection.subset ? undefined : await opened.geneMeans(signal);
      if (stored) {
        this.#cache.set(key, stored);
        return stored;
      }
      const { valueStarts } = opened;
      const mask = await this.#masks.maskOf(selection, { ...waiting, signal });
      const dataset = datasetOf(selection);
      const tasks = geneBlocks(valueStarts, blockEntries).map(
        ({ from, to }) => ({ kind: 'means', dataset, mask, from, to }) as const,
      );
      const blocks = await runAll(this.#compute, tasks, 'Averaging all genes', { ...waiting, signal });
      const means = new Float64Array(valueStarts.length - 1);
      for (const block of blocks) means.set(block.means, block.firstGene);
      this.#cache.set(key, means);
      return means;
    });
  }

  get caches(): NamedCaches {
    return [['gene means', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }
}

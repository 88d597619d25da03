import type { MeansTask } from './tasks.ts';
import { ByteCache, geneBlocks } from '@cellfolio/store';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { blockEntries, JoinedWork, runAll, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  type MaskSource,
  type Selection,
} from '../selection/index.ts';

const cacheBytes = 16 * 1024 * 1024;

interface GeneSummary {
  means: Float64Array;
  /** Cells with a value above 0; absent when not counted. */
  expressing?: Float64Array;
}

/**
 * Mean of every gene over the chosen cells, and the number of them that express it: for all cells as stored with the
 * dataset, otherwise by one pass over the whole matrix, cached for the next signature or enrichment.
 */
export class GeneMeans {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: MaskSource;
  readonly #cache = new ByteCache<string, GeneSummary>(
    cacheBytes,
    ({ means, expressing }) => means.byteLength + (expressing?.byteLength ?? 0),
  );
  readonly #running = new JoinedWork<GeneSummary>();

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: MaskSource }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
  }

  async of(selection: Selection, call: CallContext): Promise<Float64Array> {
    return (await this.#summary(selection, selection.subset !== undefined, call)).means;
  }

  /**
   * Number of chosen cells in which each gene has a value above 0. For all cells of log-normalised expression it comes
   * from the index of the matrix, which stores no zeros, without reading expression: no value is below 0 there (a
   * missing one counts). Scaled values, and those of unknown kind, are counted.
   */
  async expressing(selection: Selection, call: CallContext): Promise<Float64Array> {
    const { manifest, subset } = selection;
    const { state } = manifest.expression;
    if (!subset && (state === 'log-normalised' || state === 'normalised-here')) {
      return entriesOf((await this.#datasets.get(manifest)).valueStarts);
    }
    return (await this.#summary(selection, true, call)).expressing!;
  }

  async #summary(selection: Selection, isCounted: boolean, call: CallContext): Promise<GeneSummary> {
    const key = keyOfSelection(selection);
    const cached = this.#cache.get(key);
    if (cached && (cached.expressing || !isCounted)) return cached;
    return this.#running.run(`${key}|${isCounted}`, call, async (joined) => {
      const opened = await this.#datasets.get(selection.manifest);
      const { valueStarts } = opened;
      const stored = selection.subset || isCounted ? undefined : await opened.geneMeans(joined.signal);
      const summary = stored ? { means: stored } : await this.#read(selection, valueStarts, joined);
      this.#cache.set(key, summary);
      return summary;
    });
  }

  async #read(selection: Selection, valueStarts: Float64Array, call: CallContext): Promise<GeneSummary> {
    const mask = await this.#masks.maskOf(selection, call);
    const dataset = datasetOf(selection);
    const tasks = geneBlocks(valueStarts, blockEntries).map(
      ({ from, to }) => ({ kind: 'means', dataset, mask, from, to }) as const,
    );
    const blocks = await runAll<MeansTask>(this.#compute, tasks, 'Averaging all genes', call);
    const means = new Float64Array(valueStarts.length - 1);
    const expressing = new Float64Array(valueStarts.length - 1);
    for (const block of blocks) {
      means.set(block.means, block.firstGene);
      expressing.set(block.expressing, block.firstGene);
    }
    return { means, expressing };
  }

  get caches(): NamedCaches {
    return [['gene means', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }
}

function entriesOf(valueStarts: Float64Array): Float64Array {
  return Float64Array.from(
    { length: valueStarts.length - 1 },
    (_, gene) => valueStarts[gene + 1]! - valueStarts[gene]!,
  );
}

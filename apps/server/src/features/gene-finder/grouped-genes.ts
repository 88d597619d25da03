import type { DatasetManifest, GeneStatistics } from '@cellfolio/store';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { keysOfDataset } from '../selection/index.ts';
import type { GroupGeneTask } from './group-gene.ts';

/** A few thousand genes of a dataset with a hundred types. */
const cacheBytes = 4 * 2 ** 20;
/** Overhead of an entry besides its arrays: their objects, and the key. */
const bytesOfOne = 512;

/**
 * Single genes by group, for datasets without stored statistics: read in a compute thread, shared by concurrent
 * callers, and cached by dataset version within a limit.
 */
export class GroupedGenes {
  readonly #compute: Pick<Compute, 'run'>;
  readonly #cache = new KeptWork<GeneStatistics>(
    cacheBytes,
    ({ categories, sums, expressing }) =>
      categories.byteLength + sums.byteLength + expressing.byteLength + bytesOfOne,
  );

  constructor(deps: { compute: Pick<Compute, 'run'> }) {
    this.#compute = deps.compute;
  }

  /** `row` is the row in var. Throws ComputeFailure. */
  async of(
    { id, version }: Pick<DatasetManifest, 'id' | 'version'>,
    { row, column }: Pick<GroupGeneTask, 'row' | 'column'>,
    call: CallContext,
  ): Promise<GeneStatistics> {
    const dataset = { id, version };
    const key = `${id}@${version}|${row}|${column}`;
    return this.#cache.of(key, call, (joined) =>
      this.#compute.run<GroupGeneTask>({ kind: 'group-gene', dataset, row, column }, joined),
    );
  }

  get caches(): NamedCaches {
    return [['genes by group', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }
}

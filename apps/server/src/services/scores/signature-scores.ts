import { NoControlGenes, NoExpressionMeans, planSignature, type SignaturePlan } from '@cellfolio/analysis';
import { ByteCache } from '@cellfolio/store';
import type { Compute } from '../../compute/compute-pool.ts';
import type { SumTask } from '../../compute/task.ts';
import { ApiFailure } from '../api-failure.ts';
import { runAll } from '../block-work.ts';
import { JoinedWork } from '../joined-work.ts';
import type { NamedCaches } from '../named-caches.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection, type Waiting } from '../selection.ts';
import type { CellMasks } from '../subsets/cell-masks.ts';
import type { GeneMeans } from './gene-means.ts';

const cacheBytes = 32 * 1024 * 1024;

export interface SignatureScores {
  /** One a cell, in shared memory; NaN outside the subset. */
  readonly scores: Float64Array;
  readonly controlCount: number;
}

/** Scores of signatures as scanpy's `score_genes` gives them on the chosen cells. */
export class SignatureScoring {
  readonly #compute: Compute;
  readonly #means: GeneMeans;
  readonly #masks: CellMasks;
  readonly #cache = new ByteCache<string, SignatureScores>(cacheBytes, ({ scores }) => scores.byteLength);
  readonly #running = new JoinedWork<SignatureScores>();

  constructor(parts: { compute: Compute; means: GeneMeans; masks: CellMasks }) {
    this.#compute = parts.compute;
    this.#means = parts.means;
    this.#masks = parts.masks;
  }

  /** @param rows the genes of the signature, rows in var. Throws ApiFailure 422 where they cannot be scored. */
  async score(selection: Selection, rows: readonly number[], waiting: Waiting): Promise<SignatureScores> {
    // Rising rows: the order of the genes does not change the score.
    const genes = [...rows].sort((a, b) => a - b);
    const key = `${keyOfSelection(selection)}|${genes.join(',')}`;
    const known = this.#cache.get(key);
    if (known) return known;
    return this.#running.run(key, waiting, async (joined) => {
      const means = await this.#means.of(selection, joined);
      const mask = await this.#masks.maskOf(selection, joined);
      const plan = planOf(means, genes);
      const parts = await runAll(this.#compute, this.#sums(selection, plan), 'Scoring the cells', joined);
      const scores = await this.#compute.run({ kind: 'score', parts, mask }, joined);
      const result = { scores, controlCount: plan.controls.length };
      this.#cache.set(key, result);
      return result;
    });
  }

  get caches(): NamedCaches {
    return [['scores', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }

  /** One task a thread, with neighbouring genes: they share what is read of the disk. */
  #sums(selection: Selection, { genes, controls }: SignaturePlan): SumTask[] {
    const { threads } = this.#compute;
    const dataset = datasetOf(selection);
    const rows = Int32Array.of(...genes, ...controls).sort();
    const ofSignature = new Set(genes);
    const isControl = Uint8Array.from(rows, (row) => (ofSignature.has(row) ? 0 : 1));
    const cut = (thread: number) => Math.round((rows.length * thread) / threads);
    return Array.from({ length: threads }, (_, thread) => ({
      kind: 'sum',
      dataset,
      rows: rows.slice(cut(thread), cut(thread + 1)),
      isControl: isControl.slice(cut(thread), cut(thread + 1)),
    }));
  }
}

function planOf(means: Float64Array, genes: readonly number[]): SignaturePlan {
  try {
    return planSignature({ means, genes });
  } catch (error) {
    if (error instanceof NoControlGenes || error instanceof NoExpressionMeans) {
      throw new ApiFailure(422, 'not_scorable', error.message, { cause: error });
    }
    throw error;
  }
}

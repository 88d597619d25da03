import { NoControlGenes, NoExpressionMeans, planSignature, type SignaturePlan } from '@cellfolio/analysis';
import { ByteCache, SharedWork } from '@cellfolio/store';
import type { Compute } from '../../compute/compute-pool.ts';
import { ApiFailure } from '../api-failure.ts';
import { datasetOf, keyOfSelection, type Selection, type Waiting } from '../selection.ts';
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
  readonly #running = new SharedWork<string, SignatureScores>();

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
    return this.#running.run(key, waiting.signal, async (signal) => {
      const inner = { ...waiting, signal };
      const means = await this.#means.of(selection, inner);
      const mask = await this.#masks.maskOf(selection, inner);
      const plan = planOf(means, genes);
      waiting.onProgress({ stage: 'Scoring the cells', done: 0, total: 1 });
      const task = { kind: 'score', dataset: datasetOf(selection), mask, ...plan } as const;
      const result = { scores: await this.#compute.run(task, signal), controlCount: plan.controls.length };
      this.#cache.set(key, result);
      return result;
    });
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

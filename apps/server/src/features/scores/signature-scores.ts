import { NoControlGenes, NoExpressionMeans, planSignature, type SignaturePlan } from '@cellfolio/analysis';
import { ByteCache } from '@cellfolio/store';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { ScoreTask, SumTask } from './score-cells.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { blockEntries, JoinedWork, runSequences, type Waiting } from '../../runtime/compute/analysis-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import type { GeneMeans } from './gene-means.ts';
import {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  type MaskSource,
  type Selection,
} from '../selection/index.ts';

const cacheBytes = 32 * 1024 * 1024;

export interface SignatureScores {
  /** One a cell, in shared memory; NaN outside the subset. */
  readonly scores: Float64Array;
  readonly controlCount: number;
}

/** Scores of signatures as scanpy's `score_genes` gives them on the chosen cells. */
export class SignatureScoring {
  readonly #compute: Compute;
  readonly #datasets: Pick<OpenDatasets, 'get'>;
  readonly #means: Pick<GeneMeans, 'of'>;
  readonly #masks: MaskSource;
  readonly #cache = new ByteCache<string, SignatureScores>(cacheBytes, ({ scores }) => scores.byteLength);
  readonly #running = new JoinedWork<SignatureScores>();

  constructor(parts: {
    compute: Compute;
    datasets: Pick<OpenDatasets, 'get'>;
    means: Pick<GeneMeans, 'of'>;
    masks: MaskSource;
  }) {
    this.#compute = parts.compute;
    this.#datasets = parts.datasets;
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
      const parts = await runSequences(
        this.#compute,
        await this.#sums(selection, plan),
        (task, onto) => ({ ...task, onto }),
        { stage: 'Scoring the cells', waiting: joined },
      );
      const scores = await this.#compute.run<ScoreTask>({ kind: 'score', parts, mask }, joined);
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

  /**
   * A sequence for each thread, of neighbouring genes: they share what is read of the disk. Each is cut into tasks, so
   * that other callers' figures come in between.
   */
  async #sums(selection: Selection, { genes, controls }: SignaturePlan): Promise<SumTask[][]> {
    const { threads } = this.#compute;
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(selection.manifest);
    const rows = Int32Array.of(...genes, ...controls).sort();
    const ofSignature = new Set(genes);
    const taskOf = (some: Int32Array): SumTask => ({
      kind: 'sum',
      dataset,
      rows: some,
      isControl: Uint8Array.from(some, (row) => (ofSignature.has(row) ? 0 : 1)),
    });
    const cut = (thread: number) => Math.round((rows.length * thread) / threads);
    return Array.from({ length: threads }, (_, thread) =>
      inBlocks(rows.slice(cut(thread), cut(thread + 1)), valueStarts).map(taskOf),
    );
  }
}

/** Neighbouring rows with about as many entries as a block, or one row that has more. */
function inBlocks(rows: Int32Array, valueStarts: Float64Array): Int32Array[] {
  const blocks: Int32Array[] = [];
  let [start, entries] = [0, 0];
  rows.forEach((row, place) => {
    const ofRow = valueStarts[row + 1]! - valueStarts[row]!;
    if (place > start && entries + ofRow > blockEntries) {
      blocks.push(rows.slice(start, place));
      [start, entries] = [place, 0];
    }
    entries += ofRow;
  });
  if (start < rows.length) blocks.push(rows.slice(start));
  return blocks;
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

import { ScoreSum, signatureScores } from '@cellfolio/analysis';
import type { Dataset } from '@cellfolio/store';
import { sharedScores } from './shared.ts';
import type { ScoreTask } from './task.ts';

/** Genes read at a time: enough to keep the disk busy while others are added up. */
const readsAtOnce = 8;

/** Score of each cell: NaN outside the chosen ones. */
export async function scoreCells(
  task: ScoreTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Float64Array> {
  const genes = await sumOf(task.genes, dataset, signal);
  const controls = await sumOf(task.controls, dataset, signal);
  return sharedScores(signatureScores(genes, controls, task.mask));
}

async function sumOf(rows: Int32Array, dataset: Dataset, signal: AbortSignal): Promise<ScoreSum> {
  const sum = new ScoreSum(dataset.manifest.cellCount);
  for (let start = 0; start < rows.length; start += readsAtOnce) {
    signal.throwIfAborted();
    const batch = [...rows.subarray(start, start + readsAtOnce)];
    for (const gene of await Promise.all(batch.map((row) => dataset.gene(row, signal)))) sum.add(gene);
  }
  return sum;
}

import { addToTotals } from '@cellfolio/analysis';
import type { CountBlock } from '@cellfolio/model';
import { type Dataset, geneBlocks } from '@cellfolio/store';
import { blockEntries, runSequences, type CallContext } from './compute/analysis-work.ts';
import type { Compute } from './compute/compute-pool.ts';
import { type DatasetRef, type Task, taskKind } from './compute/task.ts';

/** Adds the values of the genes [from, to) to the totals of the cells. */
interface TotalsTask extends Task<Float64Array> {
  kind: 'cell-totals';
  dataset: DatasetRef;
  /** Raw counts; otherwise X. */
  ofCounts: boolean;
  /** The place of each cell among the totals, -1 for none; absent where all cells have one. */
  placeOf?: Int32Array | undefined;
  count: number;
  from: number;
  to: number;
  /** Totals of other genes, to which these are added. */
  onto?: Float64Array;
}

/** Which values are added up. */
interface SummedValues extends Pick<TotalsTask, 'dataset' | 'ofCounts' | 'placeOf' | 'count'> {
  /** Starts of the entries of genes, by which they are cut into blocks. */
  starts: Float64Array;
}

/** The sum of the values of each cell: one pass over a matrix. */
export async function cellTotals(
  compute: Compute,
  { starts, dataset, ofCounts, placeOf, count }: SummedValues,
  call: CallContext,
): Promise<Float64Array> {
  const tasks = geneBlocks(starts, blockEntries).map(({ from, to }): TotalsTask => ({
    kind: 'cell-totals',
    dataset,
    ofCounts,
    placeOf,
    count,
    from,
    to,
  }));
  const { threads } = compute;
  const cut = (thread: number) => Math.round((tasks.length * thread) / threads);
  const sequences = Array.from({ length: threads }, (_, thread) => tasks.slice(cut(thread), cut(thread + 1)));
  const parts = await runSequences(compute, sequences, (task, onto) => ({ ...task, onto }), {
    stage: 'Summing the cells',
    call,
  });
  const totals = new Float64Array(count);
  for (const part of parts) part.forEach((total, cell) => (totals[cell]! += total));
  return totals;
}

/** A block of raw counts, or of X. */
export async function readBlock<T>(
  dataset: Dataset,
  { from, to, ofCounts }: Pick<TotalsTask, 'from' | 'to' | 'ofCounts'>,
  use: (block: CountBlock) => T,
  signal: AbortSignal,
): Promise<T> {
  if (!ofCounts) return dataset.useGeneBlock(from, to, use, signal);
  const counts = await dataset.counts(signal);
  if (!counts) throw new Error(`dataset ${dataset.manifest.id} has no raw counts`);
  return counts.useBlock(from, to, use, signal);
}

async function totalsOf(task: TotalsTask, dataset: Dataset, signal: AbortSignal): Promise<Float64Array> {
  const totals = task.onto ?? new Float64Array(new SharedArrayBuffer(8 * task.count));
  await readBlock(dataset, task, (block) => addToTotals(block, task.placeOf, totals), signal);
  return totals;
}

export const totalsTasks = [
  taskKind<TotalsTask>('cell-totals', (task, { dataset, signal }) => totalsOf(task, dataset, signal)),
];

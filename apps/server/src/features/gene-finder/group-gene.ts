import { isCategorical } from '@cellfolio/model';
import type { Dataset, GeneStatistics } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

export interface GroupGeneTask extends Task<GeneStatistics> {
  kind: 'group-gene';
  dataset: DatasetRef;
  row: number;
  column: string;
}

/** The same numbers that `geneStatistics` reads from storage: sums in float64, and counts of non-zero cells. */
async function groupGene(
  { row, column: name }: GroupGeneTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<GeneStatistics> {
  const [column, { cells, values }] = await Promise.all([
    dataset.obs(name, signal),
    dataset.gene(row, signal),
  ]);
  if (!isCategorical(column)) throw new TypeError(`The column ${JSON.stringify(name)} has no categories.`);
  const { codes } = column;
  const count = column.categories.length;
  const present = new Uint8Array(count);
  for (let cell = 0; cell < codes.length; cell++) if (codes[cell]! >= 0) present[codes[cell]!] = 1;
  const categories = Int32Array.from(column.categories.keys()).filter((code) => present[code] === 1);
  const slots = new Int32Array(count);
  for (let slot = 0; slot < categories.length; slot++) slots[categories[slot]!] = slot;
  const last = categories.length;
  const sums = new Float64Array(last + 1);
  const expressing = new Int32Array(last + 1);
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    if (value === 0) continue;
    const code = codes[cells[i]!]!;
    const slot = code < 0 ? last : slots[code]!;
    sums[slot]! += value;
    expressing[slot]!++;
  }
  return { categories, sums, expressing };
}

export const groupGeneTasks = [
  taskKind<GroupGeneTask>('group-gene', (task, { dataset, signal }) => groupGene(task, dataset, signal)),
];

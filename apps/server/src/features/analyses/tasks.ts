import { computations, type Steps, type ThreadDataset } from '@cellfolio/analyses/compute';
import type { ResultCaution } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { readBlock } from '../../runtime/cell-totals.ts';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { type ResultTable, toCsv } from '../../runtime/tables/result-csv.ts';

/** A step of an analysis in a compute thread. */
export interface AnalysisTask extends Task {
  readonly kind: `analysis-${string}`;
  readonly dataset: DatasetRef;
  readonly step: string;
  readonly input: Parameters<Steps[string]>[0];
}

/** Writes the table of a result, which may have a row for each gene. */
export interface TableTask extends Task<string> {
  readonly kind: 'result-table';
  readonly columns: readonly string[];
  /** Values by column. */
  readonly lists: readonly ArrayLike<string | number>[];
  readonly cautions: readonly ResultCaution[];
  readonly head: readonly string[];
}

export function tableOfLists({ columns, lists }: Pick<TableTask, 'columns' | 'lists'>): ResultTable {
  const rows = Array.from({ length: lists[0]?.length ?? 0 }, (_, row) => lists.map((list) => list[row]!));
  return { columns, rows };
}

function threadDataset(dataset: Dataset, signal: AbortSignal): ThreadDataset {
  return {
    symbols: dataset.genes.symbols,
    find: (gene) => dataset.genes.find(gene),
    otherNames: (genes) => otherNamesAmong(dataset.genes, genes),
    obs: (column) => dataset.obs(column, signal),
    categories: (column) => categoricalColumn(dataset, column, signal),
    useBlock: (genes, use) => readBlock(dataset, genes, use, signal),
  };
}

export const analysisTasks = [
  ...computations.map(({ id, load }) =>
    taskKind<AnalysisTask>(`analysis-${id}`, async ({ step, input }, { dataset, signal }) => {
      const run = new Map(Object.entries(await load())).get(step)!;
      return run(input, threadDataset(dataset, signal));
    }),
  ),
  taskKind<TableTask>('result-table', (task) => toCsv(tableOfLists(task), task.cautions, task.head)),
];

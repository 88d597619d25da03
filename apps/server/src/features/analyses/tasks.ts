import type { CodedTexts } from '@cellfolio/analyses';
import { computations, type Steps, type ThreadDataset } from '@cellfolio/analyses/compute';
import { type ResultCaution, stringAt } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { batchesApart } from '../../runtime/batch-columns.ts';
import { readBlock } from '../../runtime/cell-totals.ts';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { numbersOf, readValues } from '../../runtime/compute/value-source.ts';
import { checkWithSamples } from '../../runtime/sample-replicates.ts';
import { csvLines, jsonCharacters, type ResultTable, toCsv } from '../../runtime/tables/result-csv.ts';

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
  readonly lists: readonly (ArrayLike<string | number> | CodedTexts)[];
  readonly cautions: readonly ResultCaution[];
  readonly head: readonly string[];
}

/** Writes some of its rows, as characters of a JSON string. */
export interface TableLinesTask extends Task<Uint8Array<ArrayBuffer>> {
  readonly kind: 'result-lines';
  readonly columns: readonly string[];
  readonly lists: TableTask['lists'];
}

export function tableOfLists({ columns, lists }: Pick<TableTask, 'columns' | 'lists'>): ResultTable {
  const values = lists.map((list) =>
    'codes' in list ? Array.from(list.codes, (code) => list.categories[code]!) : list,
  );
  const rows = Array.from({ length: values[0]?.length ?? 0 }, (_, row) => values.map((list) => list[row]!));
  return { columns, rows };
}

/** Writes the table of the cells that have a number. */
export interface CellTableTask extends Task<string> {
  readonly kind: 'cell-table';
  readonly dataset: DatasetRef;
  /** A categorical column of obs. */
  readonly column: string;
  /** Heading of the numbers. */
  readonly name: string;
  /** By row in obs; NaN for other cells. */
  readonly values: Float64Array;
  readonly cautions: readonly ResultCaution[];
  readonly head: readonly string[];
}

async function cellTable(task: CellTableTask, dataset: Dataset, signal: AbortSignal): Promise<string> {
  const { column, name, values, cautions, head } = task;
  const [{ codes, categories }, barcodeOf] = await Promise.all([
    categoricalColumn(dataset, column, signal),
    barcodesOf(dataset, signal),
  ]);
  const rows: [string, string, number][] = [];
  values.forEach((value, cell) => {
    if (!Number.isNaN(value)) rows.push([barcodeOf(cell), categories[codes[cell]!] ?? '', value]);
  });
  return toCsv({ columns: ['barcode', column, name], rows }, cautions, head);
}

async function barcodesOf(dataset: Dataset, signal: AbortSignal): Promise<(cell: number) => string> {
  const all = { from: 0, to: dataset.manifest.cellCount };
  const { names } = await dataset.cellRows(all, { columns: [], embeddings: [] }, signal);
  return (cell) => stringAt(names, cell);
}

function threadDataset(dataset: Dataset, signal: AbortSignal): ThreadDataset {
  return {
    symbols: dataset.genes.symbols,
    find: (gene) => dataset.genes.find(gene),
    otherNames: (genes) => otherNamesAmong(dataset.genes, genes),
    obs: (column) => dataset.obs(column, signal),
    categories: (column) => categoricalColumn(dataset, column, signal),
    embedding: (name) => dataset.embedding(name, signal),
    values: (source) => readValues(source, dataset, signal),
    numbers: async (column) => numbersOf(await dataset.obs(column, signal)),
    barcodes: () => barcodesOf(dataset, signal),
    useExpression: ({ from, to }, use) => dataset.useGeneBlock(from, to, use, signal),
    useGenes: (rows, use) => dataset.useGenes(rows, use, signal),
    batchesApart: (of) => batchesApart(dataset, of, signal),
    checkWithSamples: (samples, listedOf) => checkWithSamples(dataset, samples, listedOf, signal),
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
  taskKind<TableLinesTask>('result-lines', (task) => jsonCharacters(csvLines(tableOfLists(task).rows))),
  taskKind<CellTableTask>('cell-table', (task, { dataset, signal }) => cellTable(task, dataset, signal)),
];

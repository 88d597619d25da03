import { gzipSync } from 'node:zlib';
import {
  areaColumn,
  encodeColumn,
  type GridSquare,
  levelColumn,
  type MapColumn,
  maskColumn,
  obsColumn,
  obsFacts,
  positionColumn,
} from '@cellfolio/columns';
import { columnTitle, type MapCell, type MapColumnList } from '@cellfolio/contract';
import {
  type CellMask,
  type Column,
  denseValues,
  type GeneColumn,
  stringAt,
  termColumnOf,
  withoutTermColumns,
} from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { mapOrderOf } from '../../runtime/compute/map-order.ts';
import { sampleColumn } from '../../runtime/sample-column.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';

/** Source of a column; genes are rows of var. */
export type ColumnSource =
  | {
      from: 'embedding';
      name: string;
      axes: readonly [number, number];
      /** Only the cells within it, at their exact coordinates. */
      square?: GridSquare;
    }
  | { from: 'obs'; name: string }
  | { from: 'gene'; row: number }
  /** One a row of the file; NaN for none. */
  | { from: 'score'; scores: Float64Array }
  | { from: 'mask'; mask: CellMask };

export interface ColumnTask extends Task<Uint8Array> {
  kind: 'column';
  dataset: DatasetRef;
  source: ColumnSource;
}

export interface ColumnListTask extends Task<MapColumnList> {
  kind: 'column-list';
  dataset: DatasetRef;
}

/** Exact values of the cell at an index of the map order; undefined for an invalid index. */
export interface CellTask extends Task<MapCell | undefined> {
  kind: 'cell';
  dataset: DatasetRef;
  place: number;
  obs: readonly string[];
  genes: readonly number[];
}

async function column({ source }: ColumnTask, dataset: Dataset, signal: AbortSignal): Promise<Uint8Array> {
  const order = await mapOrderOf(dataset);
  const columnData = await columnOf(source, order, dataset, signal);
  signal.throwIfAborted();
  return gzipSync(encodeColumn(columnData), { level: packing });
}

/** Gzip level: at higher ones a million positions take twice as long for 1 % less. */
const packing = 4;

export async function columnOf(
  source: ColumnSource,
  order: Uint32Array,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MapColumn> {
  switch (source.from) {
    case 'embedding': {
      const { name, axes, square } = source;
      const embedding = await dataset.embedding(name, signal);
      if (square) return areaColumn(embedding, axes, order, square);
      const morton = name === dataset.manifest.roles.embedding && axes[0] === 0 && axes[1] === 1;
      return positionColumn(embedding, axes, order, morton);
    }
    case 'obs':
      return obsColumn(await dataset.obs(source.name, signal), order);
    case 'gene':
      return levelColumn(denseValues(await dataset.gene(source.row, signal)), order, { zero: true });
    case 'score':
      return levelColumn(source.scores, order, { zero: false });
    case 'mask':
      return maskColumn(source.mask.bits, order);
  }
}

async function columnList(
  { dataset: { own } }: ColumnListTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MapColumnList> {
  const { version, cellCount, roles } = dataset.manifest;
  const obs: MapColumnList['obs'] = [];
  // One after the other: a file may have hundreds of columns.
  const { obsColumnNames: names } = dataset;
  for (const name of withoutTermColumns(names)) {
    const read = await dataset.obs(name, signal);
    const role = (['cellType', 'cluster', 'patient'] as const).find((one) => roles[one] === name);
    obs.push({
      name,
      title: columnTitle(name, own),
      ...obsFacts(read),
      missing: missingIn(read),
      ...(role && { role }),
      ...((names.includes(termColumnOf(name)) || ('terms' in read && read.terms)) && { has_terms: true }),
    });
  }
  // Not read: there may be hundreds.
  for (const { column } of dataset.proteins?.columns ?? [])
    obs.push({ name: column, title: column, kind: 'levels', modality: 'protein' });
  const named = (await sampleColumn(dataset))?.column;
  const samples = obs.find(({ name, kind }) => name === named && kind === 'categories')?.name;
  return {
    version,
    cell_count: cellCount,
    ...(roles.embedding !== undefined && { default_embedding: roles.embedding }),
    ...(samples !== undefined && { sample_column: samples }),
    embeddings: dataset.embeddings.map(({ name, dimensions }) => ({ name, dimensions })),
    obs,
  };
}

function missingIn(column: Column): number {
  let missing = 0;
  if (column.kind === 'categorical') for (const code of column.codes) missing += code < 0 ? 1 : 0;
  else if (column.missing) for (const flag of column.missing) missing += flag;
  else if (column.kind === 'numeric')
    for (const value of column.values) missing += Number.isNaN(value) ? 1 : 0;
  return missing;
}

async function cell(
  { dataset: { own }, place, obs, genes }: CellTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MapCell | undefined> {
  const row = (await mapOrderOf(dataset))[place];
  if (row === undefined) return undefined;
  const rows = await dataset.cellRows({ from: row, to: row + 1 }, { columns: obs, embeddings: [] }, signal);
  const expressed = await Promise.all(genes.map((gene) => dataset.gene(gene, signal)));
  return {
    barcode: stringAt(rows.names, 0),
    obs: rows.columns.map((column, at) => ({
      name: obs[at]!,
      title: columnTitle(obs[at]!, own),
      value: firstValue(column),
    })),
    genes: expressed.map((gene, at) => ({
      name: dataset.genes.symbols[genes[at]!]!,
      value: valueIn(gene, row),
    })),
  };
}

function firstValue(column: Column): string | number | boolean | null {
  if (column.kind === 'categorical') return column.categories[column.codes[0]!] ?? null;
  if (column.missing?.[0]) return null;
  switch (column.kind) {
    case 'boolean':
      return column.values[0] === 1;
    case 'wide-integer':
      return String(column.values[0]);
    case 'string':
      return stringAt(column.strings, 0);
    case 'numeric':
      // JSON has no word for infinite numbers.
      return Number.isFinite(column.values[0]) ? column.values[0]! : null;
  }
}

/** Cells that express a gene are in ascending order. */
function valueIn({ cells, values }: GeneColumn, row: number): number {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return cells[low] === row ? values[low]! : 0;
}

export const columnTasks = [
  taskKind<ColumnTask>('column', (task, { dataset, signal }) => column(task, dataset, signal)),
  taskKind<ColumnListTask>('column-list', (task, { dataset, signal }) => columnList(task, dataset, signal)),
  taskKind<CellTask>('cell', (task, { dataset, signal }) => cell(task, dataset, signal)),
];

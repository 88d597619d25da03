import {
  bytesOf,
  columnContent,
  type H5adSource,
  heapSizes,
  type MatrixPath,
  stringHeaps,
  stringReferences,
} from '@cellfolio/ingest/parts-of-h5ad';
import { type Column, isCategorical, type NumericArray, type PackedStrings } from '@cellfolio/model';
import type { Dataset, StoredMatrix, RequestedRows } from '@cellfolio/store';
import { movedCodes } from '../../../runtime/compute/category-display.ts';
import { type CellTask, taskKind } from '../../../runtime/compute/task.ts';
import { carriedTasks } from './carried-tasks.ts';
import { bitsOf, chosenStrings, chosenValues, type RowRange } from './chosen-rows.ts';

/** Heap bytes of the strings of some rows: the names of the cells, or the values of a column. */
export interface HeapSizesTask extends CellTask<Float64Array> {
  kind: 'h5ad-heap-sizes';
  rows: RowRange;
  of: { names: true } | { column: string };
}

/** The bytes of some rows of an array. */
export interface RowBytesTask extends CellTask<Uint8Array> {
  kind: 'h5ad-rows';
  rows: RowRange;
  source: Exclude<H5adSource, { of: 'entries' | 'asset' | 'carried' }>;
  of: 'values' | 'references' | 'heaps';
  /** For references: addresses of the heaps of these rows. */
  heapAddresses: Float64Array | undefined;
  /** For a column with reordered categories: the new index of each old one. */
  order: readonly number[] | undefined;
}

/** Entries of the chosen cells in each of the genes [from, to). */
export interface EntryCountsTask extends CellTask<Float64Array> {
  kind: 'h5ad-entry-counts';
  path: MatrixPath;
  from: number;
  to: number;
}

/** The bytes of the entries of the genes [from, to): the rows of their cells, or their values. */
export interface EntryBytesTask extends CellTask<Uint8Array> {
  kind: 'h5ad-entries';
  /** Has room for the entries of all cells; those of the chosen ones are written to its beginning. */
  memory: SharedArrayBuffer;
  path: MatrixPath;
  part: 'cells' | 'values';
  from: number;
  to: number;
}

async function sizesOfHeaps(
  task: HeapSizesTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Float64Array> {
  const { rows, of, mask } = task;
  const rowRequest: RequestedRows =
    'column' in of ? { names: false, columns: [of.column], embeddings: [] } : { columns: [], embeddings: [] };
  const read = await dataset.cellRows(rows, rowRequest, signal);
  const strings = 'column' in of ? stringsOf(read.columns[0]!) : read.names;
  return heapSizes(chosenStrings(strings, bitsOf(mask, rows)));
}

async function bytesOfRows(task: RowBytesTask, dataset: Dataset, signal: AbortSignal): Promise<Uint8Array> {
  const { rows, source, mask, order } = task;
  const bits = bitsOf(mask, rows);
  const read = await dataset.cellRows(
    rows,
    {
      ...(source.of !== 'names' && { names: false }),
      columns: source.of === 'column' ? [source.name] : [],
      embeddings: source.of === 'embedding' ? [source.name] : [],
    },
    signal,
  );
  if (source.of === 'names') return stringBytes(chosenStrings(read.names, bits), task);
  if (source.of === 'embedding') {
    const { values, dimensions } = read.embeddings[0]!;
    return unshared(bytesOf(chosenValues(values, bits, dimensions)));
  }
  const column = chosenColumn(read.columns[0]!, bits);
  const moved =
    order && isCategorical(column) ? { ...column, codes: movedCodes(column.codes, order) } : column;
  const content = columnContent(moved, source.part);
  return content instanceof Uint8Array ? unshared(content) : stringBytes(content, task);
}

/** Sockets do not accept shared memory, which holds the users' own columns. */
function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}

function stringBytes(strings: PackedStrings, { heapAddresses }: RowBytesTask): Uint8Array {
  return heapAddresses ? stringReferences(strings, heapAddresses) : stringHeaps(strings);
}

function chosenColumn(column: Column, bits: Uint8Array | undefined): Column {
  if (!bits) return column;
  if (isCategorical(column)) return { ...column, codes: chosenValues(column.codes, bits) };
  const missing = column.missing && { missing: chosenValues(column.missing, bits) };
  if (column.kind === 'string')
    return { ...column, strings: chosenStrings(column.strings, bits), ...missing };
  return { ...column, values: chosenValues(column.values, bits), ...missing } as Column;
}

function stringsOf(column: Column): PackedStrings {
  if (column.kind !== 'string') throw new TypeError(`a column of strings is ${column.kind} now`);
  return column.strings;
}

async function countsOfEntries(
  task: EntryCountsTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Float64Array> {
  const { from, to, mask } = task;
  const matrix = await matrixOf(dataset, task.path, signal);
  const start = matrix.starts[from]!;
  const counts = new Float64Array(to - from);
  const cells = await matrix.cells(start, matrix.starts[to]!, { signal });
  for (let gene = from; gene < to; gene++) {
    const end = matrix.starts[gene + 1]! - start;
    let count = 0;
    for (let entry = matrix.starts[gene]! - start; entry < end; entry++) count += mask!.bits[cells[entry]!]!;
    counts[gene - from] = count;
  }
  return counts;
}

async function bytesOfEntries(
  task: EntryBytesTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { mask, part, memory } = task;
  const matrix = await matrixOf(dataset, task.path, signal);
  const [from, to] = [matrix.starts[task.from]!, matrix.starts[task.to]!];
  if (part === 'cells') {
    const cells = await matrix.cells(from, to, { signal, memory });
    return bytesOf(mask ? rowsOfChosen(cells, mask.bits) : cells);
  }
  const values = await matrix.values(from, to, { signal, memory });
  if (!mask) return bytesOf(values);
  return bytesOf(valuesOfChosen(values, await matrix.cells(from, to, { signal }), mask.bits));
}

/** Rows of the chosen cells among these, compacted in place. */
function rowsOfChosen(cells: Int32Array, bits: Uint8Array): Int32Array {
  const rows = rowsOfCells(bits);
  let count = 0;
  // No branch: what is not chosen is written over.
  for (let entry = 0; entry < cells.length; entry++) {
    const cell = cells[entry]!;
    cells[count] = rows[cell]!;
    count += bits[cell]!;
  }
  return cells.subarray(0, count);
}

/** Values of the chosen cells among these, compacted in place. */
function valuesOfChosen(values: NumericArray, cells: Int32Array, bits: Uint8Array): NumericArray {
  let count = 0;
  for (let entry = 0; entry < cells.length; entry++) {
    values[count] = values[entry]!;
    count += bits[cells[entry]!]!;
  }
  return values.subarray(0, count);
}

function rowsOfCells(bits: Uint8Array): Int32Array {
  const rows = new Int32Array(bits.length);
  for (let cell = 0, row = 0; cell < bits.length; cell++) {
    rows[cell] = row;
    row += bits[cell]!;
  }
  return rows;
}

async function matrixOf(dataset: Dataset, path: MatrixPath, signal: AbortSignal): Promise<StoredMatrix> {
  const matrix = await dataset.storedMatrix(path, signal);
  if (!matrix) throw new TypeError(`the dataset has no ${path}`);
  return matrix;
}

export const h5adTasks = [
  ...carriedTasks,
  taskKind<HeapSizesTask>('h5ad-heap-sizes', (task, { dataset, signal }) =>
    sizesOfHeaps(task, dataset, signal),
  ),
  taskKind<RowBytesTask>('h5ad-rows', (task, { dataset, signal }) => bytesOfRows(task, dataset, signal)),
  taskKind<EntryCountsTask>('h5ad-entry-counts', (task, { dataset, signal }) =>
    countsOfEntries(task, dataset, signal),
  ),
  taskKind<EntryBytesTask>('h5ad-entries', (task, { dataset, signal }) =>
    bytesOfEntries(task, dataset, signal),
  ),
];

import { readFile } from 'node:fs/promises';
import { deserialize } from 'node:v8';
import { decodeCells } from '@cellfolio/columns';
import type { ColumnChoice } from '@cellfolio/contract';
import {
  type H5adContent,
  isCellTypeName,
  keptColumn,
  keptTable,
  type MatrixContent,
  type MatrixType,
  type SparseBlock,
  writeH5ad,
} from '@cellfolio/ingest';
import type { CarriedContent } from '@cellfolio/ingest/parts-of-h5ad';
import { type Column, countText, isCategorical, type Table } from '@cellfolio/model';
import {
  type Dataset,
  DatasetNotFound,
  geneBlocks,
  openDataset,
  openObjectStore,
  type Proteins,
  type StoredMatrix,
} from '@cellfolio/store';
import { failureOf, goneDataset, plainName, WorkFailed } from './failures.ts';
import { entriesOf, partMemoryProblem } from './part-memory.ts';
import type { SubsetResult, SubsetWork, WorkContext } from './work.ts';
import { writableTable } from './writable-table.ts';

export interface UserSubsetColumn {
  name: string;
  column: Column;
}

/** Entries of a matrix in memory at a time. */
const blockEntries = 1 << 21;
const describedShare = 0.1;
/** The fastest level: files are written once and count towards their owner's storage. */
const gzip = 1;

/**
 * Writes an .h5ad file of some cells of a dataset, with their expression, raw counts, proteins, and the annotations of
 * cells and genes. Maps are not copied, and clusters get another name: both are computed again. Throws WorkFailed; the
 * signal's reason. A failure leaves nothing behind.
 */
export async function writeSubset(work: SubsetWork, context: WorkContext): Promise<SubsetResult> {
  const { parent, output } = work;
  const { signal, onProgress } = context;
  onProgress('Reading the cells', 0);
  const objects = await openObjectStore(work.root);
  try {
    const dataset = await openDataset(objects, parent.id);
    if (dataset.manifest.version !== parent.version) throw new DatasetNotFound(parent.id);
    const rows = chosenRows(decodeCells(work.cells, dataset.manifest.cellCount), dataset.manifest.cellCount);
    const matrices = await matricesOf(dataset, parent.name, signal);
    const rowOf = new Int32Array(dataset.manifest.cellCount).fill(-1);
    rows.forEach((cell, row) => (rowOf[cell] = row));
    await refuseMemory(work, matrices.at(-1)!, {
      rows,
      rowOf,
      geneCount: dataset.manifest.geneCount,
      signal,
    });
    const obs = await cellTable(dataset, rows, work.ownColumns, signal);
    onProgress('Writing the cells', describedShare);
    const all = matrices.reduce((sum, { starts }) => sum + starts.at(-1)!, 0);
    let done = 0;
    const onRead = (entries: number) => {
      done += entries;
      onProgress('Writing the cells', describedShare + (1 - describedShare) * (done / Math.max(1, all)));
    };
    const [X, counts] = matrices.map((matrix) => contentOf(matrix, rowOf, { signal, onRead }));
    await writeH5ad(
      output,
      {
        obs: obs.table,
        var: writable(await dataset.geneTable(signal)),
        X: X!,
        ...(counts && { layers: { counts } }),
        ...(dataset.proteins && { proteins: proteinsOf(dataset, dataset.proteins, { rows, signal }) }),
      },
      { gzip, signal },
    );
    return {
      columns: rolesOf(dataset, obs, counts === undefined),
      notes: await notesOf(rows.length, dataset),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    throw error instanceof DatasetNotFound ? goneDataset(parent.name, error) : failureOf(error, parent.name);
  } finally {
    await objects.close();
  }
}

async function notesOf(cells: number, { manifest, carried }: Dataset): Promise<string[]> {
  const { cellCount, geneCount } = manifest;
  const content = (await carried?.description()) as CarriedContent | undefined;
  const count = content?.elements.length ?? 0;
  return [
    `${countText(cells)} of ${countText(cellCount)} cells were extracted, with their raw counts of ${countText(geneCount)} genes.`,
    ...(count > 0
      ? [
          `Not copied: ${countText(count)} elements of the original file that are only kept for exports. Export these cells from the original dataset to have them.`,
        ]
      : []),
  ];
}

/** The proteins of the chosen cells, one in memory at a time. */
function proteinsOf(
  dataset: Dataset,
  { scale, columns }: Proteins,
  { rows, signal }: { rows: Int32Array; signal: AbortSignal },
): NonNullable<H5adContent['proteins']> {
  async function* proteinColumns(): AsyncGenerator<Column> {
    for (const { column } of columns) yield keptColumn(await dataset.obs(column, signal), rows);
  }
  return { scale, names: columns.map(({ name }) => name), values: proteinColumns() };
}

function chosenRows(bits: Uint8Array, cellCount: number): Int32Array {
  const rows = new Int32Array(cellCount);
  let count = 0;
  for (let cell = 0; cell < cellCount; cell++)
    if (((bits[cell >> 3]! >> (cell & 7)) & 1) === 1) rows[count++] = cell;
  return rows.subarray(0, count);
}

interface CellTable {
  table: Table;
  names: ReadonlyMap<string, string>;
}

async function cellTable(
  dataset: Dataset,
  rows: Int32Array,
  ownColumns: string,
  signal: AbortSignal,
): Promise<CellTable> {
  const cellCount = dataset.manifest.cellCount;
  const { names } = await dataset.cellRows(
    { from: 0, to: cellCount },
    { columns: [], embeddings: [] },
    signal,
  );
  const own = deserialize(await readFile(ownColumns)) as readonly UserSubsetColumn[];
  const columns: [string, Column][] = [];
  for (const name of dataset.obsColumnNames) columns.push([name, await dataset.obs(name, signal)]);
  for (const { name, column } of own) columns.push([name, column]);
  const whole = {
    rowCount: cellCount,
    indexName: dataset.obsIndexName,
    index: names,
    columns: new Map(columns),
  };
  const subsetTable = keptTable(whole, rows);
  const table = writable({
    ...subsetTable,
    columns: renamed(subsetTable.columns, dataset.manifest.roles.cellType),
  });
  const written = [...table.columns.keys()];
  return { table, names: new Map(columns.map(([name], at) => [name, written[at]!])) };
}

/**
 * The columns, with those of the dataset that do not apply to a part renamed to `parent_…`: its clusters, since those
 * of the part take the name, and cell types when only one is left, since cells are then distinguished by their
 * clusters.
 */
function renamed(columns: Table['columns'], cellType: string | undefined): Table['columns'] {
  const isOne = (column: Column) => isCategorical(column) && column.categories.length < 2;
  return new Map(
    Array.from(columns, ([name, column]) => {
      const isType = name === cellType || isCellTypeName(name);
      const ofParent = /^leiden/i.test(name) || (isType && isOne(column));
      return [ofParent ? freeName(`parent_${name}`, columns) : name, column];
    }),
  );
}

function freeName(name: string, usedNames: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; usedNames.has(free); number++) free = `${name}_${number}`;
  return free;
}

/** Booleans as words: files on disk have them as 0 and 1. */
function asWritten(column: Column): Column {
  if (column.kind !== 'boolean') return column;
  const { values, missing } = column;
  return {
    kind: 'categorical',
    codes: Int8Array.from(values, (value, cell) => (missing?.[cell] === 1 ? -1 : value)),
    categories: ['False', 'True'],
    categoryType: 'boolean',
    ordered: false,
  };
}

function writable(table: Table): Table {
  const named = writableTable(table);
  return { ...named, columns: new Map(Array.from(named.columns, ([name, one]) => [name, asWritten(one)])) };
}

/** Expression and raw counts; only the counts when the expression is derived from them. Throws WorkFailed. */
async function matricesOf(dataset: Dataset, name: string, signal: AbortSignal): Promise<StoredMatrix[]> {
  const counts = await dataset.storedMatrix('layers/counts', signal);
  if (counts === undefined) {
    throw new WorkFailed('no_counts', `${plainName(name)} has no raw counts, and a new map needs them.`);
  }
  if (dataset.manifest.expression.state === 'normalised-here') return [counts];
  return [(await dataset.storedMatrix('X', signal))!, counts];
}

/**
 * Throws WorkFailed when the dataset could not be built from these cells. Their entries are counted only if they
 * decide.
 */
async function refuseMemory(
  { processing, memoryBytes }: SubsetWork,
  counts: StoredMatrix,
  {
    rows,
    rowOf,
    geneCount,
    signal,
  }: { rows: Int32Array; rowOf: Int32Array; geneCount: number; signal: AbortSignal },
): Promise<void> {
  const problem = (entryCount: number) =>
    partMemoryProblem({ cellCount: rows.length, geneCount, entryCount }, processing, memoryBytes);
  if (problem(counts.starts.at(-1)!) === undefined) return;
  const message = problem(await entriesOf(counts, rowOf, { blockEntries, signal }));
  if (message !== undefined) throw new WorkFailed('too_large', message);
}

function contentOf(
  matrix: StoredMatrix,
  rowOf: Int32Array,
  { signal, onRead }: { signal: AbortSignal; onRead: (entries: number) => void },
): MatrixContent {
  async function* blocks(): AsyncGenerator<SparseBlock> {
    const { starts } = matrix;
    for (const { from, to } of geneBlocks(starts, blockEntries)) {
      const [first, end] = [starts[from]!, starts[to]!];
      const indices = await matrix.cells(first, end, { signal });
      const values = await matrix.values(first, end, { signal });
      const indptr = new Float64Array(to - from + 1);
      let entryCount = 0;
      for (let gene = from; gene < to; gene++) {
        for (let entry = starts[gene]! - first; entry < starts[gene + 1]! - first; entry++) {
          const row = rowOf[indices[entry]!]!;
          if (row < 0) continue;
          indices[entryCount] = row;
          values[entryCount++] = values[entry]!;
        }
        indptr[gene - from + 1] = entryCount;
      }
      yield { indptr, indices: indices.subarray(0, entryCount), values: values.subarray(0, entryCount) };
      onRead(end - first);
    }
  }
  return { format: 'csc', dtype: matrix.valueType as MatrixType, blocks: blocks() };
}

function rolesOf({ manifest }: Dataset, { table, names }: CellTable, fromCounts: boolean): ColumnChoice {
  const { cellType, patient, symbol } = manifest.roles;
  const { state } = manifest.expression;
  const usable = (name: string | undefined) => {
    const own = name === undefined ? undefined : names.get(name);
    const column = own === undefined ? undefined : table.columns.get(own);
    return isCategorical(column) && column.categories.length > 1 ? own : undefined;
  };
  const [types, donors] = [usable(cellType), usable(patient)];
  return {
    ...(types !== undefined && { cellType: types }),
    ...(donors !== undefined && { patient: donors }),
    ...(symbol !== undefined && { symbol }),
    ...(fromCounts ? { expression: 'counts' as const } : {}),
    ...(state === 'log-normalised' && { expression: 'log1p' as const }),
  };
}

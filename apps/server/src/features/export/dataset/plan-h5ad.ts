import {
  elementBytes,
  type FilePart,
  type H5adSource,
  layOutH5ad,
  type MatrixPath,
  type PlacedElements,
  rowsPerHeap,
  type StreamedH5ad,
  type StreamedMatrix,
  type StreamedPart,
} from '@cellfolio/ingest/parts-of-h5ad';
import { type CellMask, type Column, isCategorical } from '@cellfolio/model';
import { type Dataset, geneBlocks } from '@cellfolio/store';
import { blockEntries, runAll, type CallContext } from '../../../runtime/compute/analysis-work.ts';
import type { Compute, TaskCaller } from '../../../runtime/compute/compute-pool.ts';
import type { DatasetRef } from '../../../runtime/compute/task.ts';
import { ChosenRows } from './chosen-rows.ts';
import { carriedPieces } from './carried-pieces.ts';
import { type FilePiece, placed, type PlannedFile } from './file-pieces.ts';
import type { EntryBytesTask, EntryCountsTask, HeapSizesTask, RowBytesTask } from './h5ad-tasks.ts';
import { inPieceMemory } from './piece-memory.ts';

/** Rows per piece: one chunk of the store. */
const pieceRows = 1 << 16;
/** Bytes per piece of an embedding or asset. */
const pieceBytes = 1 << 22;

export interface H5adWish {
  dataset: Dataset;
  /** Includes the user's own columns. */
  ref: DatasetRef;
  mask: CellMask | undefined;
  counts: boolean;
  uns: StreamedH5ad['uns'];
  /** For columns whose categories the user reordered: their indices in the dataset. */
  orders: ReadonlyMap<string, readonly number[]>;
  returned: PlacedElements;
}

interface CountedMatrix extends StreamedMatrix {
  stored: Float64Array;
}

interface Work extends H5adWish {
  compute: Compute;
  rows: ChosenRows;
}

/**
 * Plans the offset of every byte of the file and how each piece is made. Reads names and strings for their lengths and,
 * for a subset of the cells, the cells of all entries, to count them. Throws TooLongForHdf5 and what the store throws.
 */
export async function planH5ad(compute: Compute, wish: H5adWish, call: CallContext): Promise<PlannedFile> {
  const { dataset } = wish;
  const work = { ...wish, compute, rows: new ChosenRows(wish.mask, dataset.manifest.cellCount) };
  const X = await matrixOf(work, 'X', call);
  const counts = wish.counts ? await matrixOf(work, 'layers/counts', call) : undefined;
  const nameHeaps = await heapsOf(work, { names: true }, call);
  const layout = layOutH5ad({
    cellCount: work.rows.count,
    obs: {
      indexName: dataset.obsIndexName,
      nameHeaps,
      columns: await columnsOf(work, call),
    },
    var: await dataset.geneTable(call.signal),
    obsm: await embeddingsOf(dataset, call.signal),
    proteins: dataset.proteins,
    X: X!,
    counts,
    uns: wish.uns,
    assets: dataset.assets,
    returned: wish.returned.elements,
  });
  const matrices = { X: X!, 'layers/counts': counts };
  return {
    bytes: layout.bytes,
    pieces: layout.parts.flatMap((part) => piecesOf(work, part, matrices)),
  };
}

async function matrixOf(work: Work, path: MatrixPath, call: CallContext): Promise<CountedMatrix | undefined> {
  const { dataset, ref, mask, compute } = work;
  const matrix = await dataset.storedMatrix(path, call.signal);
  if (!matrix) return undefined;
  const { valueType, starts: stored } = matrix;
  if (!mask) return { valueType, starts: stored, stored };
  const tasks = geneBlocks(stored, blockEntries).map(({ from, to }): EntryCountsTask => ({
    kind: 'h5ad-entry-counts',
    dataset: ref,
    mask,
    path,
    from,
    to,
  }));
  const counts = await runAll(compute, tasks, 'Counting the values of these cells', call);
  const starts = new Float64Array(stored.length);
  let gene = 0;
  for (const block of counts) {
    for (const count of block) {
      starts[gene + 1] = starts[gene]! + count;
      gene++;
    }
  }
  return { valueType, starts, stored };
}

/** Reads all values of categorical columns, and of any other column only its type. */
async function columnsOf(work: Work, call: CallContext): Promise<StreamedH5ad['obs']['columns']> {
  const { dataset, orders } = work;
  const names = dataset.obsColumnNames;
  const none = { columns: names, embeddings: [] };
  const { columns } = await dataset.cellRows({ from: 0, to: 0 }, none, call.signal);
  const described = [];
  for (const [at, name] of names.entries()) {
    const column = inOrder(columns[at]!, orders.get(name));
    if (column.kind !== 'string') described.push({ name, column });
    else described.push({ name, column, heaps: await heapsOf(work, { column: name }, call) });
  }
  return described;
}

function inOrder(column: Column, order: readonly number[] | undefined): Column {
  if (!order || !isCategorical(column)) return column;
  return { ...column, categories: order.map((code) => column.categories[code]!) };
}

async function heapsOf(work: Work, of: HeapSizesTask['of'], call: CallContext): Promise<Float64Array> {
  const { rows, ref, mask, compute } = work;
  const tasks = rows
    .ranges(pieceRows)
    .map((range): HeapSizesTask => ({ kind: 'h5ad-heap-sizes', dataset: ref, mask, rows: range, of }));
  const sizes = await runAll(compute, tasks, 'Measuring names', call);
  return Float64Array.from(sizes.flatMap((some) => Array.from(some)));
}

async function embeddingsOf(dataset: Dataset, signal: AbortSignal): Promise<StreamedH5ad['obsm']> {
  const names = dataset.embeddings.map(({ name }) => name);
  const rowRequest = { columns: [], embeddings: names };
  const { embeddings } = await dataset.cellRows({ from: 0, to: 0 }, rowRequest, signal);
  return embeddings.map(({ name, dimensions, values }) => ({
    name,
    dimensions,
    type: values instanceof Float64Array ? 'float64' : 'float32',
  }));
}

function piecesOf(
  work: Work,
  part: FilePart<H5adSource>,
  matrices: Readonly<Record<MatrixPath, CountedMatrix | undefined>>,
): FilePiece[] {
  const { content } = part;
  if (content instanceof Uint8Array) return placed(part, [{ length: content.length, make: () => content }]);
  const { source } = content;
  if (source.of === 'carried') return carriedPieces(work, part, { ...content, source });
  if (source.of === 'asset') return assetPieces(work, part, source.name);
  if (source.of === 'entries') return entryPieces(work, part, source, matrices[source.path]!);
  return rowPieces(work, part, { ...content, source });
}

function rowPieces(
  { ref, mask, compute, rows, orders }: Work,
  file: FilePart<H5adSource>,
  part: StreamedPart<RowBytesTask['source']>,
): FilePiece[] {
  const { source } = part;
  const order = source.of === 'column' && source.part === 'codes' ? orders.get(source.name) : undefined;
  const rowBytes = file.length / rows.count;
  const maxRows = source.of === 'embedding' ? Math.min(pieceRows, pieceBytes / rowBytes) : pieceRows;
  const pieces = rows.ranges(maxRows).map((range) => {
    const heaps = [range.row / rowsPerHeap, Math.ceil((range.row + range.rows) / rowsPerHeap)] as const;
    const task: RowBytesTask = {
      kind: 'h5ad-rows',
      dataset: ref,
      mask,
      rows: range,
      source,
      of: part.of,
      heapAddresses: part.of === 'references' ? part.heapAddresses.slice(...heaps) : undefined,
      order,
    };
    const length = part.of === 'heaps' ? sum(part.sizes.subarray(...heaps)) : range.rows * rowBytes;
    return { length, make: (caller: TaskCaller) => compute.run(task, caller) };
  });
  return placed(file, pieces);
}

function assetPieces({ dataset }: Work, file: FilePart<H5adSource>, name: string): FilePiece[] {
  const pieces = [];
  for (let from = 0; from < file.length; from += pieceBytes) {
    const range = { from, to: Math.min(file.length, from + pieceBytes) };
    pieces.push({
      length: range.to - from,
      make: ({ signal }: TaskCaller) => dataset.asset(name, range, signal),
    });
  }
  return placed(file, pieces);
}

function entryPieces(
  { ref, mask, compute }: Work,
  file: FilePart<H5adSource>,
  { path, part }: Extract<H5adSource, { of: 'entries' }>,
  { starts, stored, valueType }: CountedMatrix,
): FilePiece[] {
  const bytes = part === 'cells' ? elementBytes.int32 : elementBytes[valueType];
  const pieces = geneBlocks(stored, blockEntries).map(({ from, to }) => {
    const task = { kind: 'h5ad-entries', dataset: ref, mask, path, part, from, to } as const;
    const memory = (stored[to]! - stored[from]!) * bytes;
    return {
      length: (starts[to]! - starts[from]!) * bytes,
      memory,
      make: (caller: TaskCaller) =>
        inPieceMemory(memory, (own) => compute.run<EntryBytesTask>({ ...task, memory: own }, caller)),
    };
  });
  return placed(file, pieces);
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

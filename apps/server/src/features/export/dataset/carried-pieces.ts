import {
  type ArrayRequest,
  bytesOfType,
  type CarriedContent,
  type CarriedSource,
  elementsOfRow,
  entryBlocks,
  type FilePart,
  placeCarried,
  type PlacedElements,
  rowCount,
  type RowChoice,
  rowsPerHeap,
  slicedEntries,
  type StreamedPart,
} from '@cellfolio/ingest/parts-of-h5ad';
import type { CellMask } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { Compute, TaskCaller } from '../../../runtime/compute/compute-pool.ts';
import type { DatasetRef } from '../../../runtime/compute/task.ts';
import { type CarriedBytesTask, carriedReader, type ReadCarried } from './carried-tasks.ts';
import { type FilePiece, placed } from './file-pieces.ts';

/** Bytes of a piece, and of what is read for it. */
const pieceBytes = 1 << 22;
const spanBytes = 1 << 24;

export interface ReturnedElements extends PlacedElements {
  /** Whether the dataset was made with what else its file holds. */
  isStored: boolean;
  /** Elements of the file that the dataset does not hold, with the reasons. */
  notStored: readonly string[];
  /** Paths that were computed for the dataset beside its file. */
  computed: readonly string[];
}

interface Returned {
  dataset: Dataset;
  mask: CellMask | undefined;
  taken: ReadonlySet<string>;
  superseded: ReadonlySet<string>;
  colours: ReadonlySet<string>;
}

/** Elements of the dataset's file, cut to the chosen cells. Throws what the store throws. */
export async function returnedElements(
  { dataset, mask, ...paths }: Returned,
  signal: AbortSignal,
): Promise<ReturnedElements> {
  if (!dataset.carried) return { isStored: false, elements: [], leftOut: [], notStored: [], computed: [] };
  const content = (await dataset.carried.description(signal)) as CarriedContent;
  const cells = mask && chosenCells(mask);
  const read = inBlocks(carriedReader(dataset, signal), content.bytes);
  const { leftOut: notStored, added: computed, cellCount } = content;
  const placed = await placeCarried(content, { cells, ...paths }, read);
  return { ...placed, isStored: cellCount > 0, notStored, computed };
}

function chosenCells({ bits, count }: CellMask): Int32Array {
  const cells = new Int32Array(count);
  for (let cell = 0, row = 0; row < count; cell++) if (bits[cell] === 1) cells[row++] = cell;
  return cells;
}

/** Hundreds of short arrays stand side by side. */
function inBlocks(read: ReadCarried, bytes: number): ReadCarried {
  const size = 1 << 20;
  let held: { from: number; block: Promise<Uint8Array> } | undefined;
  return async (from, to) => {
    const start = Math.floor(from / size) * size;
    if (to > start + size) return read(from, to);
    if (held?.from !== start) held = { from: start, block: read(start, Math.min(bytes, start + size)) };
    return (await held.block).subarray(from - start, to - start);
  };
}

export function carriedPieces(
  { compute, ref }: { compute: Compute; ref: DatasetRef },
  file: FilePart<unknown>,
  part: StreamedPart<{ from: CarriedSource }>,
): FilePiece[] {
  const { from } = part.source;
  const piece = (length: number, request: CarriedBytesTask['request']) => ({
    length,
    make: (caller: TaskCaller) =>
      compute.run<CarriedBytesTask>({ kind: 'h5ad-carried', dataset: ref, request }, caller),
  });
  if ('matrix' in from) {
    const { matrix, part: of } = from;
    const width = bytesOfType(matrix[of].type);
    const { starts, ends, targets } = matrix;
    const pieces = [];
    for (const [first, end] of entryBlocks(starts, ends)) {
      const length = (targets[end]! - targets[first]!) * width;
      pieces.push(piece(length, { of, ...slicedEntries(matrix, first, end) }));
    }
    return placed(file, pieces);
  }
  const { array, rows, columns } = from;
  const { of } = part;
  const total = rows?.length ?? array.shape?.[0] ?? 1;
  const perRow = elementsOfRow(array);
  const request = (chosen: RowChoice): ArrayRequest => ({ of, array, rows: chosen, columns });
  if (of === 'values') {
    const rowBytes = file.length / Math.max(1, total);
    const ranges = rowRanges(rows, total, {
      maxRows: Math.max(1, Math.floor(pieceBytes / rowBytes)),
      span: Math.max(1, Math.floor(spanBytes / (perRow * bytesOfType(array.type)))),
    });
    return placed(
      file,
      ranges.map((chosen) => piece(rowCount(chosen) * rowBytes, request(chosen))),
    );
  }
  // Rows of a piece begin a heap.
  const textsOfRow = perRow * array.texts!.slots.length;
  const maxRows = rowsPerHeap * Math.max(1, Math.floor(pieceBytes / (rowsPerHeap * 16 * textsOfRow)));
  const pieces = rowRanges(rows, total, { maxRows, span: Infinity }).map((chosen, at) => {
    const count = rowCount(chosen);
    const first = (at * maxRows * textsOfRow) / rowsPerHeap;
    const heaps = [first, first + Math.ceil((count * textsOfRow) / rowsPerHeap)] as const;
    const length =
      part.of === 'heaps'
        ? part.sizes.slice(...heaps).reduce((sum, size) => sum + size, 0)
        : (count * file.length) / Math.max(1, total);
    const heapAddresses = part.of === 'references' ? part.heapAddresses.slice(...heaps) : undefined;
    return piece(length, { ...request(chosen), heapAddresses });
  });
  return placed(file, pieces);
}

function rowRanges(
  rows: Int32Array | undefined,
  total: number,
  { maxRows, span }: { maxRows: number; span: number },
): RowChoice[] {
  const ranges: RowChoice[] = [];
  for (let from = 0; from < total;) {
    let to = Math.min(total, from + maxRows);
    if (rows)
      while (to > from + 1 && rows[to - 1]! - rows[from]! >= span) to = from + Math.ceil((to - from) / 2);
    else to = Math.min(to, from + Math.max(1, span));
    ranges.push(rows ? rows.slice(from, to) : { from, to });
    from = to;
  }
  return ranges;
}

import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import { MatrixReader } from '../transpose/matrix-reader.ts';
import { emptyStatistics, observe, type ValueStatistics } from '../transpose/value-statistics.ts';

export interface MatrixSample {
  statistics: ValueStatistics;
  /** Non-zero values of whole cells, ascending, by cell row. Genes only. */
  cells: ReadonlyMap<number, Float64Array>;
  /** Whether these are all values of the cells: for a large gene-major matrix only some genes are sampled. */
  allGenes: boolean;
}

const sampledPlaces = 8;
const valuesAPlace = 16_384;
/** Minimum cells per place, whatever their length: totals are compared between cells. */
const minCells = 4;
const maxCells = 64;
const maxValues = 4_194_304;
/** Number of cells sampled in a gene-major matrix, and of entries read for them. */
const spreadCellCount = 256;
const spreadEntries = 33_554_432;
const spreadSlice = 1_048_576;
export const maxLogarithm = 30;

/**
 * Samples whole cells at eight places spread over the matrix, at most about a million values. In a gene-major matrix
 * cells are spread over all entries: if no value is negative, up to 33 million entries are read once for 256 cells;
 * else 131,072 values at eight places.
 */
export function sampleMatrix(file: Hdf5File, layout: MatrixLayout): MatrixSample {
  switch (layout.format) {
    case 'dense':
      return denseSample(file, layout);
    case 'csr':
      return cellSample(file, layout);
    case 'csc':
      return geneSample(file, layout);
  }
}

type Sparse = MatrixLayout & { format: 'csr' | 'csc' };

class Seen {
  readonly statistics = emptyStatistics();
  readonly cells = new Map<number, Float64Array>();

  values(values: Float64Array): void {
    observe(values, values.length, this.statistics);
  }

  cell(row: number, values: Float64Array): void {
    this.values(values);
    if (this.cells.size < sampledPlaces * maxCells) this.cells.set(row, risingValues(values));
  }
}

function risingValues(values: Float64Array): Float64Array {
  return values.filter((value) => value !== 0).sort();
}

function denseSample(file: Hdf5File, layout: MatrixLayout): MatrixSample {
  const { cellCount, geneCount } = layout;
  const reader = new MatrixReader(file, layout);
  const accumulator = new Seen();
  const width = Math.max(1, geneCount);
  const maxRows = Math.max(
    1,
    Math.min(maxCells, Math.max(minCells, Math.floor(valuesAPlace / width))),
    Math.floor(valuesAPlace / width),
  );
  const rows = Math.max(1, Math.min(maxRows, Math.floor(maxValues / width)));
  for (const first of places(cellCount, rows)) {
    const count = Math.min(rows, cellCount - first);
    const indices = new Int32Array(count * width);
    const values = new Float64Array(count * width);
    const rowStart = reader.denseRows(first, count, indices, values);
    for (let row = 0; row < count; row++)
      accumulator.cell(first + row, values.subarray(rowStart[row], rowStart[row + 1]));
  }
  return { statistics: accumulator.statistics, cells: accumulator.cells, allGenes: true };
}

function cellSample(file: Hdf5File, layout: Sparse): MatrixSample {
  const { cellCount, entryCount } = layout;
  const reader = new MatrixReader(file, layout);
  const accumulator = new Seen();
  const usual = Math.max(1, Math.floor((entryCount * maxCells) / Math.max(1, cellCount)));
  const short = Math.ceil((valuesAPlace * maxCells) / usual);
  const rows = Math.max(maxCells, Math.min(short, valuesAPlace));
  for (const first of places(cellCount, rows)) {
    const positions = positionsOf(file, layout.indptr, first, Math.min(rows, cellCount - first));
    const start = positions[0]!;
    let count = 0;
    while (
      count + 1 < positions.length &&
      (count < minCells || positions[count + 1]! - start <= valuesAPlace) &&
      (count === 0 || positions[count + 1]! - start <= maxValues)
    )
      count++;
    const length = positions[count]! - start;
    // Indices out of order or out of range are reported when the matrix is read.
    if (!(length >= 0 && length <= maxValues && start >= 0 && start + length <= entryCount)) continue;
    const values = new Float64Array(length);
    if (layout.dropped === undefined) reader.values(start, start + length, values);
    else reader.entries(start, start + length, new Int32Array(length), values);
    for (let row = 0; row < count; row++)
      accumulator.cell(first + row, values.subarray(positions[row]! - start, positions[row + 1]! - start));
  }
  return { statistics: accumulator.statistics, cells: accumulator.cells, allGenes: true };
}

function geneSample(file: Hdf5File, layout: Sparse): MatrixSample {
  const { entryCount, geneCount, dropped } = layout;
  const reader = new MatrixReader(file, layout);
  const accumulator = new Seen();
  const positions = positionsOf(file, layout.indptr, 0, geneCount);
  const sound = positions.every((at, gene) => at >= (positions[gene - 1] ?? 0) && at <= entryCount);
  const runs = sound ? keptRuns(positions, dropped) : [{ first: 0, start: 0, end: entryCount }];
  const total = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  for (const at of places(total, valuesAPlace)) {
    const [start, end] = within(runs, at, Math.min(valuesAPlace, total - at));
    const values = new Float64Array(end - start);
    reader.values(start, end, values);
    accumulator.values(values);
  }
  const { statistics } = accumulator;
  const open = statistics.entries > 0 && statistics.negative === 0;
  if (!sound || !open) return { statistics, cells: accumulator.cells, allGenes: true };
  const allGenes = total <= spreadEntries;
  const step = Math.ceil(total / spreadEntries);
  const cells = spreadCells(reader, layout, runs, step);
  return { statistics, cells, allGenes };
}

interface Run {
  first: number;
  start: number;
  end: number;
}

/** Entries of consecutive genes, split into slices, without features that are not genes. */
function keptRuns(positions: Float64Array, dropped: Uint8Array | undefined): Run[] {
  const runs: Run[] = [];
  for (let gene = 0; gene + 1 < positions.length; gene++) {
    const start = positions[gene]!;
    const end = positions[gene + 1]!;
    if (dropped?.[gene] === 1 || end === start) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.end === start && end - last.start <= spreadSlice)
      runs[runs.length - 1] = { ...last, end };
    else runs.push({ first: gene, start, end });
  }
  return runs;
}

/** Range of the file with value number `at` of the runs, of the requested length but within one run. */
function within(runs: readonly Run[], at: number, count: number): [number, number] {
  let before = 0;
  for (const { start, end } of runs) {
    if (at < before + end - start) {
      const from = start + at - before;
      return [from, Math.min(end, from + count)];
    }
    before += end - start;
  }
  return [0, 0];
}

function spreadCells(
  reader: MatrixReader,
  { cellCount, data }: Sparse,
  runs: readonly Run[],
  step: number,
): Map<number, Float64Array> {
  const count = Math.min(spreadCellCount, cellCount);
  const rows = Array.from({ length: count }, (_, i) => Math.floor((i * cellCount) / count));
  const slots = new Int32Array(cellCount).fill(-1);
  rows.forEach((row, slot) => (slots[row] = slot));
  const valuesOfRows = rows.map((): number[] => []);
  const cells = new Int32Array(spreadSlice);
  const { type } = data;
  const single = type.kind === 'number' && type.dtype === 'float32';
  const values = single ? new Float32Array(spreadSlice) : new Float64Array(spreadSlice);
  for (let run = 0; run < runs.length; run += step) {
    const { start, end } = runs[run]!;
    for (let from = start; from < end; from += spreadSlice) {
      const until = Math.min(end, from + spreadSlice);
      reader.entries(from, until, cells, values);
      for (let i = 0; i < until - from; i++) {
        const slot = slots[cells[i]!] ?? -1;
        if (slot >= 0) valuesOfRows[slot]!.push(values[i]!);
      }
    }
  }
  return new Map(rows.map((row, slot) => [row, risingValues(Float64Array.from(valuesOfRows[slot]!))]));
}

/** Starts of the sampled places: one if they would overlap, else eight. */
function places(length: number, size: number): number[] {
  if (length === 0) return [];
  if (length <= size * sampledPlaces)
    return Array.from({ length: Math.ceil(length / size) }, (_, place) => place * size);
  return Array.from({ length: sampledPlaces }, (_, place) =>
    Math.floor(((length - size) * place) / (sampledPlaces - 1)),
  );
}

function positionsOf(file: Hdf5File, info: DatasetInfo, first: number, rows: number): Float64Array {
  const positions = new Float64Array(rows + 1);
  file.read(info, { start: [first], count: [rows + 1] }, (elements) =>
    decodeNumbers(elements, info.type, positions, 0),
  );
  return positions;
}

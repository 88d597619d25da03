import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { DatasetInfo, Hdf5File } from '../hdf5/hdf5-file.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import { MatrixReader } from '../transpose/matrix-reader.ts';
import { areCounts, emptyStatistics, observe, type ValueStatistics } from '../transpose/value-statistics.ts';

/** What was looked at of a matrix before it is read in full. */
export interface MatrixSample {
  readonly statistics: ValueStatistics;
  /** Values other than zero of whole cells, rising, by the row of the cell. Genes only. */
  readonly cells: ReadonlyMap<number, Float64Array>;
  /** Whether these are all values of the cells: of a large gene-major matrix not all genes are looked at. */
  readonly allGenes: boolean;
}

const PLACES = 8;
const VALUES_A_PLACE = 16_384;
/** Cells of a place: totals are compared between cells, so a few are taken however long they are. */
const FEWEST_CELLS = 4;
const MOST_CELLS = 64;
/** Values of one place, whatever the file says of the length of its rows. */
const MOST_VALUES = 4_194_304;
/** Cells that are looked at in a gene-major matrix, and entries that are read for them. */
const SPREAD_CELLS = 256;
const SPREAD_ENTRIES = 33_554_432;
const SPREAD_SLICE = 1_048_576;
/** No logarithm of expression is larger. */
export const LARGEST_LOGARITHM = 30;

/**
 * Looks at whole cells in eight places spread over the matrix, at most about a million values. A gene-major matrix has
 * its cells spread over all its entries: where its values can be logarithms, up to 33 million entries are read once for
 * 256 of its cells; else 131,072 values in eight places.
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

type Sparse = MatrixLayout & { readonly format: 'csr' | 'csc' };

class Seen {
  readonly statistics = emptyStatistics();
  readonly cells = new Map<number, Float64Array>();

  values(values: Float64Array): void {
    observe(values, values.length, this.statistics);
  }

  cell(row: number, values: Float64Array): void {
    this.values(values);
    if (this.cells.size < PLACES * MOST_CELLS) this.cells.set(row, risingValues(values));
  }
}

function risingValues(values: Float64Array): Float64Array {
  return values.filter((value) => value !== 0).sort();
}

function denseSample(file: Hdf5File, layout: MatrixLayout): MatrixSample {
  const { cellCount, geneCount } = layout;
  const reader = new MatrixReader(file, layout);
  const seen = new Seen();
  const width = Math.max(1, geneCount);
  const most = Math.max(
    1,
    Math.min(MOST_CELLS, Math.max(FEWEST_CELLS, Math.floor(VALUES_A_PLACE / width))),
    Math.floor(VALUES_A_PLACE / width),
  );
  const rows = Math.max(1, Math.min(most, Math.floor(MOST_VALUES / width)));
  for (const first of places(cellCount, rows)) {
    const count = Math.min(rows, cellCount - first);
    const indices = new Int32Array(count * width);
    const values = new Float64Array(count * width);
    const rowStart = reader.denseRows(first, count, indices, values);
    for (let row = 0; row < count; row++)
      seen.cell(first + row, values.subarray(rowStart[row], rowStart[row + 1]));
  }
  return { statistics: seen.statistics, cells: seen.cells, allGenes: true };
}

function cellSample(file: Hdf5File, layout: Sparse): MatrixSample {
  const { cellCount, entryCount } = layout;
  const reader = new MatrixReader(file, layout);
  const seen = new Seen();
  const usual = Math.max(1, Math.floor((entryCount * MOST_CELLS) / Math.max(1, cellCount)));
  const short = Math.ceil((VALUES_A_PLACE * MOST_CELLS) / usual);
  const rows = Math.max(MOST_CELLS, Math.min(short, VALUES_A_PLACE));
  for (const first of places(cellCount, rows)) {
    const positions = positionsOf(file, layout.indptr, first, Math.min(rows, cellCount - first));
    const start = positions[0]!;
    let count = 0;
    while (
      count + 1 < positions.length &&
      (count < FEWEST_CELLS || positions[count + 1]! - start <= VALUES_A_PLACE) &&
      (count === 0 || positions[count + 1]! - start <= MOST_VALUES)
    )
      count++;
    const length = positions[count]! - start;
    // What does not rise or points elsewhere is told when the matrix is read.
    if (!(length >= 0 && length <= MOST_VALUES && start >= 0 && start + length <= entryCount)) continue;
    const values = new Float64Array(length);
    if (layout.dropped === undefined) reader.values(start, start + length, values);
    else reader.entries(start, start + length, new Int32Array(length), values);
    for (let row = 0; row < count; row++)
      seen.cell(first + row, values.subarray(positions[row]! - start, positions[row + 1]! - start));
  }
  return { statistics: seen.statistics, cells: seen.cells, allGenes: true };
}

function geneSample(file: Hdf5File, layout: Sparse): MatrixSample {
  const { entryCount, geneCount, dropped } = layout;
  const reader = new MatrixReader(file, layout);
  const seen = new Seen();
  const positions = positionsOf(file, layout.indptr, 0, geneCount);
  const sound = positions.every((at, gene) => at >= (positions[gene - 1] ?? 0) && at <= entryCount);
  const runs = sound ? keptRuns(positions, dropped) : [{ first: 0, start: 0, end: entryCount }];
  const total = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  for (const at of places(total, VALUES_A_PLACE)) {
    const [start, end] = within(runs, at, Math.min(VALUES_A_PLACE, total - at));
    const values = new Float64Array(end - start);
    reader.values(start, end, values);
    seen.values(values);
  }
  const { statistics } = seen;
  const { negative, maximum, entries } = statistics;
  const logarithms = entries > 0 && !areCounts(statistics) && negative === 0;
  if (!sound || !logarithms || maximum > LARGEST_LOGARITHM)
    return { statistics, cells: seen.cells, allGenes: true };
  const allGenes = total <= SPREAD_ENTRIES;
  const step = Math.ceil(total / SPREAD_ENTRIES);
  const cells = spreadCells(reader, layout, runs, step);
  return { statistics, cells, allGenes };
}

interface Run {
  readonly first: number;
  readonly start: number;
  readonly end: number;
}

/** Entries of consecutive genes, cut into slices; without what is no gene. */
function keptRuns(positions: Float64Array, dropped: Uint8Array | undefined): Run[] {
  const runs: Run[] = [];
  for (let gene = 0; gene + 1 < positions.length; gene++) {
    const start = positions[gene]!;
    const end = positions[gene + 1]!;
    if (dropped?.[gene] === 1 || end === start) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.end === start && end - last.start <= SPREAD_SLICE)
      runs[runs.length - 1] = { ...last, end };
    else runs.push({ first: gene, start, end });
  }
  return runs;
}

/** The stretch of the file in which the value number `at` of the runs lies: as much as is asked for, within one run. */
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

/** Values of some cells, from one pass over every `step`-th run. */
function spreadCells(
  reader: MatrixReader,
  { cellCount }: Sparse,
  runs: readonly Run[],
  step: number,
): Map<number, Float64Array> {
  const count = Math.min(SPREAD_CELLS, cellCount);
  const rows = Array.from({ length: count }, (_, i) => Math.floor((i * cellCount) / count));
  const slots = new Int32Array(cellCount).fill(-1);
  rows.forEach((row, slot) => (slots[row] = slot));
  const found = rows.map((): number[] => []);
  for (let run = 0; run < runs.length; run += step) {
    const { start, end } = runs[run]!;
    for (let from = start; from < end; from += SPREAD_SLICE) {
      const until = Math.min(end, from + SPREAD_SLICE);
      const cells = new Int32Array(until - from);
      const values = new Float64Array(until - from);
      reader.entries(from, until, cells, values);
      for (let i = 0; i < cells.length; i++) {
        const slot = slots[cells[i]!] ?? -1;
        if (slot >= 0) found[slot]!.push(values[i]!);
      }
    }
  }
  return new Map(rows.map((row, slot) => [row, risingValues(Float64Array.from(found[slot]!))]));
}

/** Where the places begin: one where they would meet, else eight. */
function places(length: number, size: number): number[] {
  if (length === 0) return [];
  if (length <= size * PLACES)
    return Array.from({ length: Math.ceil(length / size) }, (_, place) => place * size);
  return Array.from({ length: PLACES }, (_, place) => Math.floor(((length - size) * place) / (PLACES - 1)));
}

function positionsOf(file: Hdf5File, info: DatasetInfo, first: number, rows: number): Float64Array {
  const positions = new Float64Array(rows + 1);
  file.read(info, { start: [first], count: [rows + 1] }, (elements) =>
    decodeNumbers(elements, info.type, positions, 0),
  );
  return positions;
}

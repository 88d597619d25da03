import { eachLimited } from '@cellfolio/bytes';
import type { CountBlock, GeneBlock, GeneColumn, NumericArray, NumericType } from '@cellfolio/model';
import { EntryReader, withEntryArrays } from './entry-reader.ts';
import type { EntryOptions } from './dataset.ts';
import type { DatasetManifest } from './manifest.ts';
import type { ZarrReader } from './zarr-reader.ts';
import { bytesPerValue, numbersFromBytes } from './numeric-arrays.ts';
import { type PlannedRun, planPieces } from './read-plan.ts';
import { type ShardedArray, shardedArrayOf } from './sharded-array.ts';
import { SortedIndexCheck } from './sorted-index-check.ts';

/** Runs of inner chunks in memory at a time: one is processed while the next ones are read. */
const runsAtOnce = 6;
/** Nearly a megabyte of each array; a superfluous inner chunk costs less than a separate read. */
const runLimits = { chunks: 7, gap: 2 };

interface TakingRun {
  before: Promise<void>;
  take: (place: number, cells: Int32Array, values: NumericArray) => void;
  signal: AbortSignal | undefined;
}

/** A gene-major matrix with its positions in memory: 8 bytes per gene. */
export class MatrixReader {
  readonly path: string;
  readonly cellCount: number;
  readonly geneCount: number;
  readonly indptr: Float64Array;
  readonly valueType: NumericType;
  readonly #nodes: ZarrReader;
  readonly #indices: ShardedArray;
  readonly #cells: EntryReader;
  readonly #values: EntryReader;

  private constructor(
    nodes: ZarrReader,
    path: string,
    shape: readonly [number, number],
    parts: { indptr: Float64Array; indices: ShardedArray; data: ShardedArray },
  ) {
    this.#nodes = nodes;
    this.path = path;
    [this.cellCount, this.geneCount] = shape;
    this.indptr = parts.indptr;
    this.valueType = parts.data.type === 'bool' ? 'uint8' : parts.data.type;
    this.#indices = parts.indices;
    this.#cells = new EntryReader(nodes, parts.indices);
    this.#values = new EntryReader(nodes, parts.data);
  }

  /** Reads the positions. Throws DatasetDamaged. */
  static async open(nodes: ZarrReader, manifest: DatasetManifest, path: string): Promise<MatrixReader> {
    const { 'encoding-type': encoding, shape } = nodes.attributes(path);
    if (encoding !== 'csc_matrix' || !Array.isArray(shape))
      throw nodes.damaged(path, 'it is not a CSC matrix');
    const [cellCount, geneCount] = shape as [number, number];
    if (cellCount !== manifest.cellCount || geneCount !== manifest.geneCount) {
      throw nodes.damaged(path, `its shape ${cellCount} x ${geneCount} is not that of the dataset`);
    }
    const positions = await nodes.numbers(`${path}/indptr`);
    const indptr = Float64Array.from(positions.values);
    const fault = faultOfPositions(indptr, cellCount, geneCount);
    if (fault) throw nodes.damaged(`${path}/indptr`, fault);
    const valueCount = indptr[geneCount]!;
    const indices = shardedArrayOf(nodes, manifest, `${path}/indices`, valueCount);
    if (indices.type !== 'int32') throw nodes.damaged(indices.path, 'the rows are not 32-bit integers');
    const data = shardedArrayOf(nodes, manifest, `${path}/data`, valueCount);
    if (data.layout.innerLength !== indices.layout.innerLength) {
      throw nodes.damaged(data.path, 'it is not cut as its cells are');
    }
    return new MatrixReader(nodes, path, [cellCount, geneCount], { indptr, indices, data });
  }

  /** Entries of one gene, with one range read per array and shard. Throws RangeError, DatasetDamaged. */
  async gene(row: number, signal?: AbortSignal): Promise<GeneColumn> {
    if (!Number.isInteger(row) || row < 0 || row >= this.geneCount) {
      throw new RangeError(`there is no gene ${row} among ${this.geneCount}`);
    }
    const start = this.indptr[row]!;
    const end = this.indptr[row + 1]!;
    const cells = new Int32Array(end - start);
    const values = new Float32Array(end - start);
    await Promise.all([
      this.#cells.into(cells, start, end, signal),
      this.#values.into(values, start, end, signal),
    ]);
    if (!rise(cells, { from: 0, to: cells.length, previous: -1 }, this.cellCount)) throw this.#notRising(row);
    return { cellCount: this.cellCount, cells, values };
  }

  async storedCells(start: number, end: number, { signal, memory }: EntryOptions = {}): Promise<Int32Array> {
    const cells = memory ? new Int32Array(memory, 0, end - start) : new Int32Array(end - start);
    await this.#cells.into(cells, start, end, signal);
    return cells;
  }

  async storedValues(
    start: number,
    end: number,
    { signal, memory }: EntryOptions = {},
  ): Promise<NumericArray> {
    const length = (end - start) * bytesPerValue(this.valueType);
    const bytes = memory ? new Uint8Array(memory, 0, length) : new Uint8Array(length);
    const values = numbersFromBytes(this.valueType, bytes);
    await this.#values.into(values, start, end, signal);
    return values;
  }

  /**
   * Passes the entries of genes [from, to), valid only during the call: one range read per touched array and shard.
   * Throws RangeError, DatasetDamaged, and the error of `use`.
   */
  async block<T>(from: number, to: number, use: (block: GeneBlock) => T, signal?: AbortSignal): Promise<T> {
    const [start, end] = this.#entriesOf(from, to);
    return withEntryArrays(end - start, async ({ cells, values }) => {
      await bothEnded(
        this.#cells.into(cells, start, end, signal),
        this.#values.into(values, start, end, signal),
      );
      return use({ ...this.#checkedGenes(from, to, cells), values });
    });
  }

  /** Like `block`, for counts: those that float32 does not hold are passed as float64. */
  async countBlock<T>(
    from: number,
    to: number,
    use: (block: CountBlock) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const [start, end] = this.#entriesOf(from, to);
    return withEntryArrays(end - start, async ({ cells, values }) => {
      const [, isIntact] = await bothEnded(
        this.#cells.into(cells, start, end, signal),
        this.#values.into(values, start, end, signal),
      );
      const block = this.#checkedGenes(from, to, cells);
      if (isIntact) return use({ ...block, values });
      const exact = new Float64Array(end - start);
      await this.#values.into(exact, start, end, signal);
      return use({ ...block, values: exact });
    });
  }

  #entriesOf(from: number, to: number): [number, number] {
    if (
      !(Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= this.geneCount)
    ) {
      throw new RangeError(`there are no genes ${from} to ${to} among ${this.geneCount}`);
    }
    return [this.indptr[from]!, this.indptr[to]!];
  }

  #checkedGenes(from: number, to: number, cells: Int32Array): Omit<GeneBlock, 'values'> {
    const starts = this.indptr.slice(from, to + 1);
    const [start] = starts;
    for (let i = 0; i < starts.length; i++) starts[i]! -= start!;
    const fault = faultOfRows(starts, cells, this.cellCount);
    if (fault !== undefined) throw this.#notRising(from + fault);
    return { cellCount: this.cellCount, firstGene: from, starts, cells };
  }

  /**
   * Passes the entries of some genes, with rising rows, inner chunk by inner chunk: the index of the gene among the
   * rows, and some of its cells with their values, in order, valid only during the call. Each inner chunk is read once,
   * and nothing is copied. Throws RangeError, DatasetDamaged, and the error of `use`.
   */
  async pieces(
    rows: Int32Array,
    use: (place: number, cells: Int32Array, values: Float32Array) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.storedPieces(
      rows,
      (place, cells, values) =>
        use(place, cells, values instanceof Float32Array ? values : Float32Array.from(values)),
      signal,
    );
  }

  /** Like `pieces`, with values in their stored type; 64-bit integers as Float64Array. */
  async storedPieces(
    rows: Int32Array,
    use: (place: number, cells: Int32Array, values: NumericArray) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const { layout } = this.#indices;
    const runs = planPieces(layout, this.indptr, rows, runLimits);
    let gene = -1;
    let previous = -1;
    const take = (place: number, cells: Int32Array, values: NumericArray) => {
      if (place !== gene) previous = -1;
      gene = place;
      if (!rise(cells, { from: 0, to: cells.length, previous }, this.cellCount))
        throw this.#notRising(rows[place]!);
      previous = cells[cells.length - 1]!;
      use(place, cells, values);
    };
    // Reads run ahead, but the runs are taken in order: sums are then the same every time.
    let turn: Promise<void> = Promise.resolve();
    await eachLimited(runs.length, runsAtOnce, (i) => {
      const before = turn;
      return (turn = this.#takeRun(runs[i]!, { before, take, signal }));
    });
  }

  async #takeRun(run: PlannedRun, { before, take, signal }: TakingRun): Promise<void> {
    const { innerLength } = this.#indices.layout;
    await this.#cells.chunks(run, signal, (cellChunks) =>
      this.#values.chunks(run, signal, async (valueChunks) => {
        await before;
        for (const { place, start, end } of run.pieces) {
          const chunk = Math.floor((start - run.start) / innerLength);
          const from = start - run.start - chunk * innerLength;
          const to = from + end - start;
          const cells = cellChunks.get(chunk)!.subarray(from, to);
          const values = valueChunks.get(chunk)!.subarray(from, to);
          take(place, cells as Int32Array, values);
        }
      }),
    );
  }

  /** Reads all entries in order and checks that their cells rise. Throws DatasetDamaged. */
  async checkRows(signal?: AbortSignal): Promise<void> {
    const rows = new SortedIndexCheck(this.indptr, this.cellCount);
    const valueCount = this.indptr[this.geneCount]!;
    // Whole inner chunks, so that none is read twice.
    const step = this.#indices.layout.innerLength * 32;
    for (let start = 0; start < valueCount; start += step) {
      const end = Math.min(valueCount, start + step);
      const cells = new Int32Array(end - start);
      await this.#cells.into(cells, start, end, signal);
      const fault = rows.fault(cells);
      if (fault) throw this.#nodes.damaged(this.#indices.path, fault);
    }
  }

  #notRising(gene: number) {
    return this.#nodes.damaged(
      this.#indices.path,
      `the cells of gene ${gene} do not rise inside the dataset`,
    );
  }
}

/** First gene, if any, whose cells do not rise from 0 to below cellCount. */
function faultOfRows(starts: Float64Array, cells: Int32Array, cellCount: number): number | undefined {
  for (let gene = 0; gene + 1 < starts.length; gene++) {
    if (!rise(cells, { from: starts[gene]! | 0, to: starts[gene + 1]! | 0, previous: -1 }, cellCount))
      return gene;
  }
  return undefined;
}

function faultOfPositions(indptr: Float64Array, cellCount: number, geneCount: number): string | undefined {
  if (indptr.length !== geneCount + 1) return `it has ${indptr.length} positions for ${geneCount} genes`;
  if (indptr[0] !== 0) return 'it does not start at 0';
  for (let gene = 0; gene < geneCount; gene++) {
    const length = indptr[gene + 1]! - indptr[gene]!;
    if (length < 0) return `it falls at gene ${gene}`;
    if (length > cellCount) return `gene ${gene} has more entries than there are cells`;
  }
  return undefined;
}

/** Whether the cells [from, to) rise from above `previous` to below `cellCount`. */
function rise(
  cells: Int32Array,
  { from, to, previous }: { from: number; to: number; previous: number },
  cellCount: number,
): boolean {
  let last = previous;
  // Below 0 where any step is: no branch, and one comparison for all of them.
  let steps = 0;
  for (let i = from; i < to; i++) {
    const cell = cells[i]!;
    steps |= cell - last - 1;
    last = cell;
  }
  return steps >= 0 && last < cellCount;
}

/** Waits for both even if one fails: the other may still write into reused memory. */
async function bothEnded<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

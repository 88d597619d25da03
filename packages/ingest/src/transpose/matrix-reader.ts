import { H5adError } from '../h5ad-error.ts';
import { decodeNumbers } from '../hdf5/decode-elements.ts';
import type { DatasetInfo } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import type { ElementSource } from '../hdf5/stored-reader.ts';
import { denseCellsAtOnce, type MatrixLayout } from '../layout/matrix-layout.ts';
import type { ValueArray } from './gene-major-matrix.ts';

/** Elements per read: small enough that the library's memory stays at a few megabytes. */
const sliceLength = 1_048_576;

/** float64 holds every integer up to this one. */
const exactInFloat64 = 2 ** 53;

export class MatrixReader {
  readonly #file: ElementSource;
  readonly #layout: MatrixLayout;
  /** Whether the file's number type has values that float32 cannot represent. */
  readonly #finer: boolean;
  #wide = new Float64Array(0);
  #rounded = false;

  constructor(file: ElementSource, layout: MatrixLayout) {
    this.#file = file;
    this.#layout = layout;
    const { type } = layout.data;
    this.#finer = type.kind === 'number' && type.size >= 4 && type.dtype !== 'float32';
  }

  /** Whether float32, which the caller chose, changed a value read so far. */
  get rounded(): boolean {
    return this.#rounded;
  }

  /**
   * Reads stored entries [start, end) of a sparse matrix. In a cell-major matrix, values of features that are not genes
   * are zero.
   */
  entries(start: number, end: number, indices: Int32Array, values: ValueArray): void {
    const layout = this.#layout;
    if (layout.format === 'dense') throw new TypeError('a dense matrix has no stored entries');
    this.#indices(layout.indices, start, end, indices);
    this.values(start, end, values);
    if (layout.format === 'csr' && layout.geneOf !== undefined)
      toGenes(layout.geneOf, layout.geneCount, indices, values, end - start);
    if (layout.format === 'csr' && layout.dropped !== undefined) {
      const { dropped } = layout;
      for (let i = 0; i < end - start; i++) if (dropped[indices[i]!] === 1) values[i] = 0;
    }
  }

  values(start: number, end: number, values: ValueArray): void {
    const { data } = this.#layout;
    if (this.#file.fill(data, start, end, values)) return;
    this.#slices(data, start, end, (elements, at) => {
      if (!this.#finer) return decodeNumbers(elements, data.type, values, at);
      const { count } = elements;
      if (this.#wide.length < count) this.#wide = new Float64Array(count);
      decodeNumbers(elements, data.type, this.#wide, 0);
      this.#assertHeld(count, start + at);
      this.#carry(count, values, at);
    });
  }

  #carry(count: number, values: ValueArray, at: number): void {
    const wide = this.#wide;
    if (values instanceof Float64Array || this.#rounded) {
      values.set(wide.subarray(0, count), at);
      return;
    }
    let changed = 0;
    for (let i = 0; i < count; i++) {
      const value = wide[i]!;
      values[at + i] = value;
      // NaN stays what it is.
      if (values[at + i] !== value && value === value) changed++;
    }
    this.#rounded = changed > 0;
  }

  /** Throws H5adError if one of the first decoded integers exceeds what float64 holds. */
  #assertHeld(count: number, position: number): void {
    const { data } = this.#layout;
    if (data.type.kind !== 'number' || !/int64/.test(data.type.dtype)) return;
    const wide = this.#wide;
    for (let i = 0; i < count; i++) {
      if (Math.abs(wide[i]!) < exactInFloat64) continue;
      throw new H5adError({
        code: 'unsupported-type',
        path: this.#file.path,
        part: data.path,
        problem: `value ${position + i} is a whole number of more than 53 bits, which cannot be kept exactly.`,
        hint: 'No count is as large: check how the values were made, and write them as float64 or smaller numbers.',
      });
    }
  }

  /**
   * Reads non-zero values of some rows of a dense matrix as entries of a `CellBatch` and returns where each row starts.
   * `columns` is the number of genes.
   */
  denseRows(first: number, rowCount: number, indices: Int32Array, values: ValueArray): Float64Array {
    const layout = this.#layout;
    if (layout.format !== 'dense') throw new TypeError('a sparse matrix has no dense rows');
    if (layout.geneOf !== undefined) return this.#summedRows(layout, first, rowCount, indices, values);
    const { data, geneCount, dropped, transposed } = layout;
    const rowStart = new Float64Array(rowCount + 1);
    const chunkRows = transposed === true ? denseCellsAtOnce(layout) : (data.chunks?.[0] ?? 1);
    const perRead = Math.max(1, Math.floor(sliceLength / geneCount / chunkRows)) * chunkRows;
    const watched = this.#finer && values instanceof Float32Array;
    let changed = 0;
    let to = 0;
    for (let row = 0; row < rowCount; row += perRead) {
      const rows = Math.min(perRead, rowCount - row);
      const slice = this.#dense(first + row, rows, transposed === true);
      // Where the value of a gene lies behind that of the gene before, and a row behind the row before.
      const [geneStep, rowStep] = transposed === true ? [rows, 1] : [1, geneCount];
      for (let r = 0; r < rows; r++) {
        for (let gene = 0, at = r * rowStep; gene < geneCount; gene++, at += geneStep) {
          const value = slice[at]!;
          if (value === 0 || dropped?.[gene] === 1) continue;
          indices[to] = gene;
          values[to] = value;
          if (watched && values[to] !== value && value === value) changed++;
          to++;
        }
        rowStart[row + r + 1] = to;
      }
    }
    if (changed > 0) this.#rounded = true;
    return rowStart;
  }

  #summedRows(
    layout: MatrixLayout & { format: 'dense' },
    first: number,
    rowCount: number,
    indices: Int32Array,
    values: ValueArray,
  ): Float64Array {
    const { data, geneCount, transposed = false, dropped } = layout;
    const geneOf = layout.geneOf!;
    const sums = new Float64Array(geneCount);
    const rowStart = new Float64Array(rowCount + 1);
    const atOnce = transposed ? denseCellsAtOnce(layout) : (data.chunks?.[0] ?? 1);
    const perRead = Math.max(1, Math.floor(sliceLength / geneOf.length / atOnce)) * atOnce;
    let to = 0;
    for (let row = 0; row < rowCount; row += perRead) {
      const rows = Math.min(perRead, rowCount - row);
      const slice = this.#dense(first + row, rows, transposed);
      for (let r = 0; r < rows; r++) {
        sums.fill(0);
        for (let column = 0; column < geneOf.length; column++) {
          const gene = geneOf[column]!;
          const at = transposed ? column * rows + r : r * geneOf.length + column;
          if (gene >= 0 && dropped?.[gene] !== 1) sums[gene]! += slice[at]!;
        }
        for (let gene = 0; gene < geneCount; gene++) {
          if (sums[gene] === 0) continue;
          indices[to] = gene;
          values[to++] = sums[gene]!;
        }
        rowStart[row + r + 1] = to;
      }
    }
    return rowStart;
  }

  /** Like `entries`, for genes [first, first + count) of a gene-major matrix, whose entries begin at `rowStart`. */
  geneEntries(
    first: number,
    rowStart: ArrayLike<number>,
    count: number,
    indices: Int32Array,
    values: ValueArray,
  ): void {
    const start = rowStart[0]!;
    this.entries(start, rowStart[count]!, indices, values);
    const { dropped } = this.#layout;
    if (dropped === undefined) return;
    for (let g = 0; g < count; g++)
      if (dropped[first + g] === 1) values.fill(0, rowStart[g]! - start, rowStart[g + 1]! - start);
  }

  /** Values in file order: row after row, or gene after gene if transposed. */
  #dense(first: number, rows: number, transposed: boolean): Float64Array {
    const { data, geneOf, geneCount } = this.#layout;
    const columns = geneOf?.length ?? geneCount;
    const count = rows * columns;
    if (this.#wide.length < count) this.#wide = new Float64Array(count);
    const box = transposed
      ? { start: [0, first], count: [columns, rows] }
      : data.shape.length === 1
        ? { start: [first], count: [rows] }
        : { start: [first, 0], count: [rows, columns] };
    this.#file.read(data, box, (elements) => decodeNumbers(elements, data.type, this.#wide, 0));
    this.#assertHeld(count, first * geneCount);
    return this.#wide;
  }

  #indices(info: DatasetInfo, start: number, end: number, out: Int32Array): void {
    if (this.#file.fill(info, start, end, out)) return;
    this.#slices(info, start, end, (elements, at) => {
      if (info.type.kind === 'number' && (info.type.dtype === 'int64' || info.type.dtype === 'uint64')) {
        this.#narrow(elements, info, start + at, out, at);
      } else {
        decodeNumbers(elements, info.type, out, at);
      }
    });
  }

  /** Keeps the low words of 64-bit indices after checking that the high words are empty. */
  #narrow(
    elements: { bytes: Uint8Array<ArrayBuffer>; offset: number; count: number },
    info: DatasetInfo,
    position: number,
    out: Int32Array,
    at: number,
  ): void {
    const { bytes, offset, count } = elements;
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + offset, count * 2);
    for (let i = 0; i < count; i++) {
      const low = words[2 * i]!;
      if (words[2 * i + 1] !== 0 || low < 0) {
        throw indexOutOfRange(this.#file.path, info.path, position + i);
      }
      out[at + i] = low;
    }
  }

  /** Reads [start, end) in slices that begin with a chunk, so that few chunks are decoded twice. */
  #slices(
    info: DatasetInfo,
    start: number,
    end: number,
    use: (elements: Parameters<Parameters<Hdf5File['read']>[2]>[0], at: number) => void,
  ): void {
    const chunk = info.chunks?.[0] ?? 1;
    const step = Math.max(1, Math.floor(sliceLength / chunk)) * chunk;
    for (let at = start; at < end;) {
      const until = Math.min(end, at - (at % chunk) + step);
      this.#file.read(info, { start: [at], count: [until - at] }, (elements) => use(elements, at - start));
      at = until;
    }
  }
}

/** Replaces each column by its gene. A column outside the matrix stays outside. */
function toGenes(
  geneOf: Int32Array,
  geneCount: number,
  indices: Int32Array,
  values: ValueArray,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const gene = geneOf[indices[i]!] ?? geneCount;
    indices[i] = Math.max(0, gene);
    if (gene < 0) values[i] = 0;
  }
}

export function indexOutOfRange(path: string, part: string, position: number, detail = ''): H5adError {
  return new H5adError({
    code: 'index-out-of-range',
    path,
    part,
    problem: `entry ${position} points outside the matrix${detail}.`,
    hint: 'The file is damaged; write it again with anndata.',
  });
}

/** Checked indptr of a sparse matrix. Throws H5adError `shape-mismatch` if it does not rise. */
export function rowPositions(file: Hdf5File, layout: MatrixLayout & { format: 'csr' | 'csc' }): Float64Array {
  const positions = Float64Array.from(file.numbers(layout.indptr));
  const last = positions.length - 1;
  let rising = positions[0] === 0 && positions[last] === layout.entryCount;
  for (let row = 0; row < last; row++) rising &&= positions[row]! <= positions[row + 1]!;
  if (rising) return positions;
  throw new H5adError({
    code: 'shape-mismatch',
    path: file.path,
    part: layout.indptr.path,
    problem: `the positions of the rows do not rise from 0 to the ${layout.entryCount} entries there are.`,
    hint: 'The file is damaged; write it again with anndata.',
  });
}

export function longestRow(positions: Float64Array): number {
  let longest = 0;
  for (let row = 0; row + 1 < positions.length; row++)
    longest = Math.max(longest, positions[row + 1]! - positions[row]!);
  return longest;
}

import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { CategoricalColumn, CellMask, GeneBlock } from '@cellfolio/model';

/** An array of the reference files: base64 of deflated little-endian bytes. */
export type Packed = string;

export interface ReferenceCase {
  name: string;
  column: { categories: readonly string[]; codes: Packed };
  mask?: Packed;
  groups: readonly string[];
  /** Group-major, one value per gene. */
  logfoldchanges: Packed;
  /** With a pseudocount of 1 instead of scanpy's 1e-9. */
  logfoldchangesOfOne: Packed;
  pts: Packed;
  pts_rest: Packed;
  tests: Readonly<Record<string, { scores: Packed; pvals: Packed; pvals_adj: Packed }>>;
}

export interface ReferenceDataset {
  matrix: {
    cellCount: number;
    starts: Packed;
    cells: Packed;
    values: Packed;
  };
  cases: readonly ReferenceCase[];
}

export function readReference<T>(file: URL): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

export const float64 = (packed: Packed) => new Float64Array(bytesOf(packed));
const int32 = (packed: Packed) => new Int32Array(bytesOf(packed));
export const float32 = (packed: Packed) => new Float32Array(bytesOf(packed));
const int16 = (packed: Packed) => new Int16Array(bytesOf(packed));

export function blockOf({ matrix }: Pick<ReferenceDataset, 'matrix'> & Partial<ReferenceDataset>): GeneBlock {
  return {
    cellCount: matrix.cellCount,
    firstGene: 0,
    starts: float64(matrix.starts),
    cells: int32(matrix.cells),
    values: float32(matrix.values),
  };
}

export function columnOf({ column }: Pick<ReferenceCase, 'column'>): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: int16(column.codes),
    categories: column.categories,
    categoryType: 'string',
    ordered: false,
  };
}

export function maskOf({ mask }: ReferenceCase): CellMask | undefined {
  if (mask === undefined) return undefined;
  const bits = new Uint8Array(bytesOf(mask));
  return { bits, count: bits.reduce((sum, bit) => sum + bit, 0) };
}

function bytesOf(packed: Packed): ArrayBuffer {
  return new Uint8Array(inflateSync(Buffer.from(packed, 'base64'))).buffer;
}

export function partOf(block: GeneBlock, from: number, to: number): GeneBlock {
  const [start, end] = [block.starts[from]!, block.starts[to]!];
  return {
    cellCount: block.cellCount,
    firstGene: block.firstGene + from,
    starts: block.starts.slice(from, to + 1).map((at) => at - start),
    cells: block.cells.subarray(start, end),
    values: block.values.subarray(start, end),
  };
}

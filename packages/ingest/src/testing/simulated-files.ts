import { packStrings, type Column, type Table } from '@cellfolio/model';
import { File, ready } from 'h5wasm/node';
import { writeH5ad } from '../write-h5ad/write-h5ad.ts';
import { type H5adContent, type MatrixContent } from '../write-h5ad/h5ad-content.ts';
import { array, frameOf, group, soundFile, strings, writeHdf5, type Hdf5Node } from './hdf5-fixtures.ts';

/** Counts, cells x genes, row-major. */
interface SimulatedCounts {
  cellCount: number;
  geneCount: number;
  counts: Float64Array;
}

/** Droplet-like counts: cells of different depth and two types, genes from rare to abundant. */
export function simulatedCounts(seed: number, cellCount: number, geneCount: number): SimulatedCounts {
  const random = new SeededRandom(seed);
  const level = Float64Array.from({ length: geneCount }, () => Math.exp(3 * random.fraction() - 2.5));
  const counts = new Float64Array(cellCount * geneCount);
  for (let cell = 0; cell < cellCount; cell++) {
    const depth = Math.exp(1.5 * random.fraction() - 0.75);
    for (let gene = 0; gene < geneCount; gene++) {
      const type = cell % 2 === gene % 2 ? 1.6 : 0.6;
      counts[cell * geneCount + gene] = poisson(random, level[gene]! * depth * type);
    }
  }
  return { cellCount, geneCount, counts };
}

function poisson(random: SeededRandom, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.fraction(); product > limit; product *= random.fraction()) count++;
  return count;
}

/** Applies `value` to the counts scaled to this total per cell; `median` is the median of all totals. */
export function normalised(
  { cellCount, geneCount, counts }: SimulatedCounts,
  target: number | 'median',
  value: (normalised: number) => number,
  among?: (gene: number) => boolean,
): Float64Array {
  const totals = Float64Array.from({ length: cellCount }, (_, cell) => {
    let sum = 0;
    for (let gene = 0; gene < geneCount; gene++)
      if (among?.(gene) ?? true) sum += counts[cell * geneCount + gene]!;
    return sum;
  });
  const total = target === 'median' ? totals.toSorted()[cellCount >> 1]! : target;
  return counts.map((count, at) => {
    const sum = totals[Math.floor(at / geneCount)]!;
    return sum === 0 ? 0 : value((count * total) / sum);
  });
}

export type StoredFormat = 'csr' | 'csc' | 'dense';

export interface SimulatedFile {
  cellCount: number;
  geneCount: number;
  values: Float64Array;
  format?: StoredFormat;
  layers?: Readonly<Record<string, Float64Array>>;
  raw?: {
    values: Float64Array;
    var?: ReadonlyMap<string, Column>;
    /** Default: the names of `var`. */
    varNames?: readonly string[];
  };
  var?: ReadonlyMap<string, Column>;
  varNames?: readonly string[];
  /** A column `cell_type` with two types; default true. */
  cellTypes?: boolean;
  /** `uns/log1p/base`: a number, `none given` (as scanpy leaves it), or absent for no record. */
  base?: number | 'none given';
}

export async function writeSimulated(path: string, file: SimulatedFile): Promise<void> {
  const { cellCount, geneCount, format = 'csr', layers = {}, raw } = file;
  const names = file.varNames ?? Array.from({ length: geneCount }, (_, gene) => `GENE${gene}`);
  const matrix = (values: Float64Array) => matrixOf(values, cellCount, geneCount, format);
  const content: H5adContent = {
    obs: table(
      Array.from({ length: cellCount }, (_, cell) => `cell-${cell}`),
      file.cellTypes === false
        ? new Map()
        : new Map([['cell_type', text(Array.from({ length: cellCount }, (_, cell) => `type ${cell % 2}`))]]),
    ),
    var: table(names, file.var),
    X: matrix(file.values),
    layers: Object.fromEntries(Object.entries(layers).map(([name, values]) => [name, matrix(values)])),
    ...(raw && { raw: { var: table(raw.varNames ?? names, raw.var), X: matrix(raw.values) } }),
  };
  await writeH5ad(path, content);
  if (file.base === undefined) return;
  await ready;
  const h5 = new File(path, 'a');
  const group = (h5.get('uns') as { create_group(name: string): unknown }).create_group('log1p') as {
    create_dataset(options: { name: string; data: unknown; dtype?: string }): unknown;
  };
  if (file.base !== 'none given') group.create_dataset({ name: 'base', data: file.base, dtype: '<d' });
  h5.close();
}

export function text(values: readonly string[]): Column {
  const categories = [...new Set(values)].filter((value) => value !== '');
  return {
    kind: 'categorical',
    codes: Int32Array.from(values, (value) => categories.indexOf(value)),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

function table(names: readonly string[], columns: ReadonlyMap<string, Column> = new Map()): Table {
  return { rowCount: names.length, indexName: '_index', index: packStrings(names), columns };
}

function matrixOf(
  values: Float64Array,
  cellCount: number,
  geneCount: number,
  format: StoredFormat,
): MatrixContent {
  if (format === 'dense')
    return { format, dtype: 'float32', blocks: [{ values: Float32Array.from(values) }] };
  const indptr = [0];
  const indices: number[] = [];
  const data: number[] = [];
  const [rows, columns] = format === 'csr' ? [cellCount, geneCount] : [geneCount, cellCount];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = format === 'csr' ? values[row * geneCount + column]! : values[column * geneCount + row]!;
      if (value === 0) continue;
      indices.push(column);
      data.push(value);
    }
    indptr.push(indices.length);
  }
  const block = { indptr, indices: Int32Array.from(indices), values: Float32Array.from(data) };
  return { format, dtype: 'float32', blocks: [block], valueCount: data.length };
}

export interface WideIds {
  /** Distinct, including negatives, around 2^53 and at the ends of int64. */
  signed: BigInt64Array;
  /** Distinct, up to 2^64 - 1. */
  unsigned: BigUint64Array;
  /** 1 where the nullable column has no value. */
  missing: Uint8Array;
  /** Label of each cell in the categorical column: neighbours of 2^53. */
  donors: BigInt64Array;
  samples: BigUint64Array;
  genes: BigInt64Array;
}

const first = 9_007_199_254_740_993n;

/** Seeded ids that float64 cannot represent exactly. */
export function wideIds(cells: number, genes: number): WideIds {
  const random = new SeededRandom(53);
  const step = (at: number) => BigInt(at) + (random.chance(0.5) ? 0n : 2n ** 62n);
  const signed = BigInt64Array.from(
    { length: cells },
    (_, at) => (at % 3 === 0 ? -1n : 1n) * (first + step(at)),
  );
  const unsigned = BigUint64Array.from({ length: cells }, (_, at) =>
    random.chance(0.5) ? first + BigInt(at) : 2n ** 64n - 1n - BigInt(at),
  );
  return {
    signed,
    unsigned,
    missing: Uint8Array.from({ length: cells }, () => (random.chance(0.2) ? 1 : 0)),
    donors: BigInt64Array.from({ length: cells }, () => first + BigInt(random.below(5))),
    samples: BigUint64Array.from({ length: cells }, () => 2n ** 64n - 1n - BigInt(random.below(5))),
    genes: BigInt64Array.from({ length: genes }, (_, gene) => first + BigInt(gene)),
  };
}

/** Writes them as anndata does: plain, nullable, categorical, as row names, and in `uns`. */
export async function writeWideIds(path: string, cells: number, genes: number): Promise<WideIds> {
  const ids = wideIds(cells, genes);
  const content = soundFile(cells, genes);
  const categories = [...new Set(ids.donors)].sort((a, b) => (a < b ? -1 : 1));
  const columns = new Map<string, Hdf5Node>([
    ['cell_id', array(ids.signed)],
    ['hash', array(ids.unsigned)],
    ['read_id', group('nullable-integer')],
    ['donor_id', group('categorical', { ordered: { uint8: 0 } })],
    ['sample', array(ids.samples)],
    ['small', array(BigInt64Array.from(ids.signed, (_, cell) => BigInt(cell) - 7n))],
  ]);
  content.delete('obs');
  content.delete('obs/_index');
  content.delete('var');
  content.delete('var/_index');
  const symbols = strings(Array.from(ids.genes, (_, gene) => `GENE${gene}`));
  await writeHdf5(path, [
    ...content,
    ...frameOf('obs', array(ids.signed), columns),
    ['obs/read_id/values', array(ids.signed)],
    ['obs/read_id/mask', array(ids.missing)],
    ['obs/donor_id/categories', array(BigInt64Array.from(categories))],
    ['obs/donor_id/codes', array(Int8Array.from(ids.donors, (donor) => categories.indexOf(donor)))],
    ...frameOf('var', symbols, new Map([['gene_id', array(ids.genes)]])),
    ['uns', group('dict')],
    ['uns/run_ids', array(ids.signed)],
  ]);
  return ids;
}

/** Seeded random numbers (Mulberry32). */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Integer in [0, end). */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

import { SeededRandom } from './seeded-random.ts';
import { array, frameOf, group, soundFile, strings, writeHdf5, type Hdf5Node } from './write-hdf5.ts';

export interface WideIds {
  /** Distinct, negative ones too, around 2^53 and at the ends of int64. */
  readonly signed: BigInt64Array;
  /** Distinct, up to 2^64 - 1. */
  readonly unsigned: BigUint64Array;
  /** 1 where the nullable column has no value. */
  readonly missing: Uint8Array;
  /** Label of each cell in the categorical column: neighbours of 2^53. */
  readonly donors: BigInt64Array;
  /** Label of each cell in the plain column of few values. */
  readonly samples: BigUint64Array;
  readonly genes: BigInt64Array;
}

const FIRST = 9_007_199_254_740_993n;

/** Seeded ids that float64 cannot tell apart. */
export function wideIds(cells: number, genes: number): WideIds {
  const random = new SeededRandom(53);
  const step = (at: number) => BigInt(at) + (random.chance(0.5) ? 0n : 2n ** 62n);
  const signed = BigInt64Array.from(
    { length: cells },
    (_, at) => (at % 3 === 0 ? -1n : 1n) * (FIRST + step(at)),
  );
  const unsigned = BigUint64Array.from({ length: cells }, (_, at) =>
    random.chance(0.5) ? FIRST + BigInt(at) : 2n ** 64n - 1n - BigInt(at),
  );
  return {
    signed,
    unsigned,
    missing: Uint8Array.from({ length: cells }, () => (random.chance(0.2) ? 1 : 0)),
    donors: BigInt64Array.from({ length: cells }, () => FIRST + BigInt(random.below(5))),
    samples: BigUint64Array.from({ length: cells }, () => 2n ** 64n - 1n - BigInt(random.below(5))),
    genes: BigInt64Array.from({ length: genes }, (_, gene) => FIRST + BigInt(gene)),
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

import { writeH5ad } from '@cellfolio/ingest';
import { packStrings, type Column } from '@cellfolio/model';

const GENES = 300;
/** Cells of two large kinds and a small one, with the counts per cell. */
const KINDS = [
  { cells: 75, counts: 900 },
  { cells: 75, counts: 700 },
  { cells: 25, counts: 180 },
] as const;
const EMPTY = 1300;
export const CELLS = KINDS.reduce((sum, { cells }) => sum + cells, 0);
export const BARCODES = CELLS + EMPTY;

/** Mulberry32: a reproducible sequence of numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kind of each barcode, 3 for an empty droplet: about every eighth is a cell. */
export function kindsOfBarcodes(): number[] {
  const random = generator(5);
  const kinds = [
    ...KINDS.flatMap(({ cells }, kind) => new Array<number>(cells).fill(kind)),
    ...new Array<number>(EMPTY).fill(3),
  ];
  return kinds
    .map((kind) => ({ kind, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
}

/** Writes a raw matrix: cells of three kinds with specific genes, and empty droplets with RNA of all of them. */
export async function writeRawMatrix(path: string, samples?: Column): Promise<void> {
  const random = generator(9);
  const kinds = kindsOfBarcodes();
  const rows = kinds.map((kind) => {
    const counts = KINDS[kind]?.counts ?? 40;
    const total = Math.round(counts * (0.7 + 0.6 * random()));
    const row = new Map<number, number>();
    for (let molecule = 0; molecule < total; molecule++) {
      const source = kind === 3 ? (random() < 0.56 ? 0 : 1) : kind;
      // Half of the counts of a kind are of its own tenth of the genes.
      const gene =
        random() < 0.5 ? source + 10 * Math.floor((random() * GENES) / 10) : Math.floor(random() * GENES);
      row.set(gene, (row.get(gene) ?? 0) + 1);
    }
    return [...row].sort(([a], [b]) => a - b);
  });
  const indptr = new Float64Array(rows.length + 1);
  rows.forEach((row, at) => (indptr[at + 1] = indptr[at]! + row.length));
  const names = (count: number, prefix: string) =>
    packStrings(Array.from({ length: count }, (_, at) => `${prefix}${at}`));
  await writeH5ad(path, {
    obs: {
      rowCount: rows.length,
      indexName: '_index',
      index: names(rows.length, 'BARCODE-'),
      columns: new Map<string, Column>([
        // Halves are no categories, so that nothing takes them for groups of cells.
        [
          'kind',
          { kind: 'numeric', dtype: 'float64', values: Float64Array.from(kinds, (kind) => kind + 0.5) },
        ],
        ...(samples === undefined ? [] : [['sample', samples] as const]),
      ]),
    },
    var: { rowCount: GENES, indexName: '_index', index: names(GENES, 'GENE'), columns: new Map() },
    X: {
      format: 'csr',
      dtype: 'float32',
      blocks: [
        {
          indptr,
          indices: Int32Array.from(rows.flat(), ([gene]) => gene),
          values: Float32Array.from(rows.flat(), ([, count]) => count),
        },
      ],
    },
  });
}

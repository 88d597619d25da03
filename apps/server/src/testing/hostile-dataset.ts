import { type Column, packStrings, type Table } from '@cellfolio/model';
import { writeH5ad } from '@cellfolio/ingest';
import { createRandom } from '@cellfolio/analysis';

/** Names of properties of every object, and others with a special meaning in JavaScript. */
export const hostileNames: readonly string[] = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'length',
  'then',
];

const cellCount = 300;
const ordinaryGenes = Array.from({ length: 30 }, (_, i) => `GENE${i + 1}`);
export const hostileGenes: readonly string[] = [...hostileNames, ...ordinaryGenes];

/** Obs columns of the file by role, as codes into `hostileNames`. */
export interface HostileTruth {
  cellType: Int8Array;
  cluster: Int8Array;
  metadata: ReadonlyMap<string, Int8Array>;
  /** Cells in which each gene of `hostileGenes` is above zero. */
  expressing: readonly number[];
}

export function cellsOf(codes: Int8Array, name: string): number {
  const code = hostileNames.indexOf(name);
  return codes.filter((one) => one === code).length;
}

/**
 * Writes a file of 300 cells in which columns, categories, genes, embeddings and layers have the names of properties of
 * every object.
 */
export async function writeHostileH5ad(path: string): Promise<HostileTruth> {
  const { uniform: random } = createRandom('names');
  const codes = () => Int8Array.from({ length: cellCount }, () => Math.floor(random() * hostileNames.length));
  const metadata = new Map(['__proto__', 'hasOwnProperty', 'valueOf'].map((name) => [name, codes()]));
  const [cellType, cluster] = [codes(), codes()];
  const geneCount = hostileGenes.length;
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  const expressing = hostileGenes.map(() => 0);
  for (let cell = 0; cell < cellCount; cell++) {
    for (let gene = 0; gene < geneCount; gene++) {
      if (random() < 0.5) continue;
      indices.push(gene);
      values.push(Math.log1p(0.5 + 4 * random() + (gene === cellType[cell] ? 6 : 0)));
      expressing[gene]!++;
    }
    indptr.push(indices.length);
  }
  const matrix = {
    format: 'csr' as const,
    dtype: 'float32' as const,
    blocks: [{ indptr, indices: Int32Array.from(indices), values: Float32Array.from(values) }],
    valueCount: indices.length,
  };
  const positions = Float32Array.from({ length: 2 * cellCount }, () => random());
  await writeH5ad(path, {
    obs: table(
      Array.from({ length: cellCount }, (_, i) => hostileNames[i] ?? `cell-${i}`),
      new Map([
        ['constructor', categorical(cellType)],
        ['toString', categorical(cluster)],
        ...[...metadata].map(([name, own]) => [name, categorical(own)] as const),
      ]),
    ),
    var: table(
      hostileGenes,
      new Map([['constructor', { kind: 'string', strings: packStrings(hostileGenes) } as Column]]),
    ),
    X: matrix,
    obsm: [
      { name: 'constructor', dimensions: 2, values: positions },
      { name: '__proto__', dimensions: 2, values: positions },
    ],
    layers: Object.fromEntries([
      ['__proto__', matrix],
      ['toString', matrix],
    ]),
  });
  return { cellType, cluster, metadata, expressing };
}

function categorical(codes: Int8Array): Column {
  return { kind: 'categorical', codes, categories: hostileNames, categoryType: 'string', ordered: false };
}

function table(names: readonly string[], columns: ReadonlyMap<string, Column>): Table {
  return {
    rowCount: names.length,
    indexName: '_index',
    index: packStrings(names),
    columns: new Map(columns),
  };
}

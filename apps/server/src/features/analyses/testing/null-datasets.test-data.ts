import {
  type CategoricalColumn,
  type Column,
  type Embedding,
  packStrings,
  type Table,
} from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest } from '@cellfolio/store';
import { createRandom, negativeBinomial, type Random } from '@cellfolio/analysis';

export interface NullDataset {
  obs: ReadonlyMap<string, CategoricalColumn>;
  obsm: readonly Embedding[];
  /** Values of each gene, one per cell: ln(1 + count). */
  genes: readonly Float32Array[];
  roles: { cluster?: string; patient?: string };
}

/** 6,000 cells of one kind, 300 genes, cut into four along their first principal component, as a clustering would. */
export function structureless(): NullDataset {
  const random = createRandom('one kind of cell');
  const cellCount = 6000;
  const genes = Array.from({ length: 300 }, () => {
    const mean = 1 + 0.5 * random.uniform();
    return logCounts(random, cellCount, () => mean);
  });
  const pca = principalComponents(genes, 10, random);
  const first = Array.from({ length: cellCount }, (_, cell) => pca.values[cell * 10]!);
  const rising = first.toSorted((a, b) => a - b);
  const quarter = (value: number) => Math.floor((rising.indexOf(value) * 4) / cellCount);
  const obs = new Map([['leiden', categorical(['0', '1', '2', '3'], first.map(quarter))]]);
  return { obs, obsm: [pca], genes, roles: { cluster: 'leiden' } };
}

/** Six donors of 100 cells, three per condition: genes differ between donors, and not between conditions. */
export function donors(): NullDataset {
  const random = createRandom('six donors');
  const donorOf = (cell: number) => Math.floor(cell / 100);
  const genes = Array.from({ length: 1500 }, () => {
    const mean = 0.3 + random.gamma(1);
    const own = Array.from({ length: 6 }, () => mean * Math.exp(0.28 * random.normal()));
    return logCounts(random, 600, (cell) => own[donorOf(cell)]!);
  });
  const cells = Array.from({ length: 600 }, (_, cell) => cell);
  const names = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6'];
  const obs = new Map([
    [
      'condition',
      categorical(
        ['control', 'treated'],
        cells.map((cell) => donorOf(cell) % 2),
      ),
    ],
    ['donor', categorical(names, cells.map(donorOf))],
    [
      'half',
      categorical(
        ['a', 'b'],
        cells.map((cell) => cell % 2),
      ),
    ],
  ]);
  return { obs, obsm: [], genes, roles: { patient: 'donor' } };
}

/** 300 cells of one kind, in groups of 2, 5, 60 and 193 cells; 40 have no label. */
export function tinyGroups(): NullDataset {
  const random = createRandom('tiny groups');
  const genes = Array.from({ length: 3000 }, () => {
    const mean = 0.08 + 0.04 * random.uniform();
    return logCounts(random, 300, () => mean);
  });
  const codes = Array.from({ length: 300 }, (_, cell) =>
    cell < 2 ? 0 : cell < 7 ? 1 : cell < 67 ? 2 : cell < 107 ? -1 : 3,
  );
  const obs = new Map([['kind', categorical(['pair', 'few', 'some', 'most'], codes)]]);
  return { obs, obsm: [], genes, roles: {} };
}

function logCounts(random: Random, cellCount: number, meanOf: (cell: number) => number): Float32Array {
  return Float32Array.from({ length: cellCount }, (_, cell) =>
    Math.log1p(negativeBinomial(random, meanOf(cell), 20)),
  );
}

/** By orthogonal iteration on the centred genes. */
function principalComponents(genes: readonly Float32Array[], dimensions: number, random: Random): Embedding {
  const cellCount = genes[0]!.length;
  const centred = genes.map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / cellCount;
    return values.map((value) => value - mean);
  });
  let scores = Array.from({ length: dimensions }, () =>
    Float64Array.from({ length: cellCount }, () => random.normal()),
  );
  for (let round = 0; round < 8; round++) {
    const basis: Float64Array[] = [];
    for (const score of scores) {
      const next = new Float64Array(cellCount);
      for (const gene of centred) {
        let loading = 0;
        for (let cell = 0; cell < cellCount; cell++) loading += gene[cell]! * score[cell]!;
        for (let cell = 0; cell < cellCount; cell++) next[cell]! += (loading * gene[cell]!) / cellCount;
      }
      for (const other of basis) {
        const share = dot(next, other) / dot(other, other);
        for (let cell = 0; cell < cellCount; cell++) next[cell]! -= share * other[cell]!;
      }
      basis.push(next);
    }
    // Lengths are those of the components: the variance along each, from the last round but for the scale.
    scores = basis.map((score) => {
      const length = Math.sqrt(dot(score, score));
      return score.map((value) => (value / length) * Math.sqrt(length));
    });
  }
  const values = new Float32Array(cellCount * dimensions);
  scores.forEach((score, at) => score.forEach((value, cell) => (values[cell * dimensions + at] = value)));
  return { name: 'X_pca', dimensions, values };
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function categorical(categories: string[], codes: readonly number[]): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int8Array.from(codes),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

export async function writeNullDataset(
  root: string,
  id: string,
  { obs, obsm, genes, roles }: NullDataset,
): Promise<DatasetManifest> {
  const cellCount = genes[0]!.length;
  const writer = await createDatasetWriter(root, id);
  await writer.obs(table(cellCount, obs));
  await writer.var(table(genes.length, new Map()));
  for (const embedding of obsm) await writer.obsm(embedding);
  const entries = genes.map((values) => {
    const cells = Int32Array.from([...values.keys()].filter((cell) => values[cell] !== 0));
    return { cells, values: Float32Array.from(cells, (cell) => values[cell]!) };
  });
  const indptr = new Float64Array(genes.length + 1);
  entries.forEach(({ cells }, gene) => (indptr[gene + 1] = indptr[gene]! + cells.length));
  const shape = { cellCount, geneCount: genes.length, indptr, valueType: 'float32' } as const;
  const matrix = await writer.matrix('X', shape);
  for (const { cells, values } of entries) await matrix.write(cells, values);
  await matrix.close();
  const text = { name: id, disease: '', subdisease: '', category1: '', category2: '', description: '' };
  return writer.publish({
    catalogue: { ...text, simulated: true },
    roles: { ...roles, metadata: {} },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
}

function table(rowCount: number, columns: ReadonlyMap<string, Column>): Table {
  const names = Array.from({ length: rowCount }, (_, row) => `row-${row}`);
  return { rowCount, indexName: '_index', index: packStrings(names), columns };
}

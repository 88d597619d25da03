import { type Column, type Embedding, packStrings, type Table } from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest } from '@cellfolio/store';
import { createRandom } from '../features/demo/random.ts';

export const hostile = '<script>alert("x")</script>';
/** Names that a stranger's file may hold. */
export const hostileGenes = [hostile, '=cmd|calc', 'A,"B"', 'line\nbreak', '__proto__'];
const cellTypes = ['B cell', hostile, 'T cell'];
const cellCount = 240;
const plainGenes = 95;

export interface AnalysisDataset {
  readonly manifest: DatasetManifest;
  readonly genes: readonly string[];
  /** Values of each gene, one a cell, as they are stored. */
  readonly expression: readonly Float32Array[];
  readonly cellType: (cell: number) => string;
  readonly patient: (cell: number) => string;
}

/**
 * Writes 240 cells and 100 genes: ten genes are markers of each cell type, some names are hostile, `depth` is a
 * numeric column, `single` has a group of one cell and `constant` only one group. `embeddings` stand beside a circle that
 * figures are drawn on.
 */
export async function writeAnalysisDataset(
  root: string,
  id: string,
  embeddings: readonly Embedding[] = [],
): Promise<AnalysisDataset> {
  const random = createRandom('analysis');
  const genes = [...Array.from({ length: plainGenes }, (_, gene) => `GENE${gene + 1}`), ...hostileGenes];
  const typeOf = (cell: number) => Math.floor(cell / 80);
  const expression = genes.map((_, gene) =>
    Float32Array.from({ length: cellCount }, (_, cell) => {
      const marker = Math.floor(gene / 10) === typeOf(cell);
      const expressed = random.uniform() < (marker ? 0.9 : 0.3);
      return expressed ? (marker ? 2 : 0.5) + random.uniform() : 0;
    }),
  );
  const writer = await createDatasetWriter(root, id);
  const patients = ['P1', 'P2', 'P3'];
  const columns = new Map<string, Column>([
    ['cell_type', categorical(cellTypes, typeOf)],
    ['leiden', categorical(['0', '1', '2', '3'], (cell) => cell % 4)],
    ['patient', categorical(patients, (cell) => cell % 3)],
    ['single', categorical(['many', 'one'], (cell) => (cell === 7 ? 1 : 0))],
    ['some', categorical(['first', 'second', 'lone'], (cell) => (cell === 7 ? 2 : cell % 2))],
    ['constant', categorical(['all'], () => 0)],
    ['depth', { kind: 'numeric', dtype: 'float32', values: new Float32Array(cellCount).fill(1) }],
  ]);
  const cellNames = Array.from({ length: cellCount }, (_, cell) => `cell-${cell}`);
  await writer.obs(table(cellNames, columns));
  await writer.var(table(genes, new Map()));
  for (const embedding of [circle(), ...embeddings]) await writer.obsm(embedding);
  const entries = expression.map((values) => {
    const cells = Int32Array.from([...values.keys()].filter((cell) => values[cell] !== 0));
    return { cells, values: Float32Array.from(cells, (cell) => values[cell]!) };
  });
  const indptr = new Float64Array(genes.length + 1);
  entries.forEach(({ cells }, gene) => (indptr[gene + 1] = indptr[gene]! + cells.length));
  const matrix = await writer.matrix('X', {
    cellCount,
    geneCount: genes.length,
    indptr,
    valueType: 'float32',
  });
  for (const { cells, values } of entries) await matrix.write(cells, values);
  await matrix.close();
  const manifest = await writer.publish({
    catalogue: {
      name: 'Analysis',
      disease: 'Breast Cancer',
      subdisease: 'Triple-negative',
      category1: 'Primary',
      category2: 'Untreated',
      description: 'For the analyses.',
      simulated: false,
    },
    roles: {
      cellType: 'cell_type',
      cluster: 'leiden',
      embedding: 'X_umap',
      metadata: { 'Patient id': 'patient' },
    },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
  return {
    manifest,
    genes,
    expression,
    cellType: (cell) => cellTypes[typeOf(cell)]!,
    patient: (cell) => patients[cell % 3]!,
  };
}

function circle(): Embedding {
  const values = Float32Array.from({ length: cellCount * 2 }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / cellCount;
    return i % 2 ? Math.sin(angle) : Math.cos(angle);
  });
  return { name: 'X_umap', dimensions: 2, values };
}

function categorical(categories: string[], codeOf: (cell: number) => number): Column {
  const codes = Int8Array.from({ length: cellCount }, (_, cell) => codeOf(cell));
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}

function table(names: readonly string[], columns: ReadonlyMap<string, Column>): Table {
  return { rowCount: names.length, indexName: '_index', index: packStrings(names), columns };
}

import type { Column, Embedding } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { createRandom } from '@cellfolio/analysis';
import { categorical, circle, type TestProteins, writeTestDataset } from './write-test-dataset.ts';

export const hostile = '<script>alert("x")</script>';
export const hostileGenes = [hostile, '=cmd|calc', 'A,"B"', 'line\nbreak', '__proto__'];
const cellTypes = ['B cell', hostile, 'T cell'];
const cellCount = 240;
const plainGenes = 95;

export interface AnalysisDataset {
  manifest: DatasetManifest;
  genes: readonly string[];
  /** Stored values of each gene, one per cell. */
  expression: readonly Float32Array[];
  cellType: (cell: number) => string;
  patient: (cell: number) => string;
}

/**
 * Writes 240 cells and 100 genes: ten genes are markers of each cell type, some names are hostile, `depth` is a
 * numeric column, `single` has a group of one cell and `constant` only one group. Figures are drawn on a circle;
 * `embeddings` and `proteins` are additional.
 */
export async function writeAnalysisDataset(
  root: string,
  id: string,
  embeddings: readonly Embedding[] = [],
  proteins?: TestProteins,
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
  const patients = ['P1', 'P2', 'P3'];
  const labels = (categories: readonly string[], codeOf: (cell: number) => number) =>
    categorical(categories, cellCount, codeOf);
  const manifest = await writeTestDataset(root, id, {
    cellCount,
    obs: new Map<string, Column>([
      ['cell_type', labels(cellTypes, typeOf)],
      ['leiden', labels(['0', '1', '2', '3'], (cell) => cell % 4)],
      ['patient', labels(patients, (cell) => cell % 3)],
      ['single', labels(['many', 'one'], (cell) => (cell === 7 ? 1 : 0))],
      ['some', labels(['first', 'second', 'lone'], (cell) => (cell === 7 ? 2 : cell % 2))],
      ['constant', labels(['all'], () => 0)],
      ['depth', { kind: 'numeric', dtype: 'float32', values: new Float32Array(cellCount).fill(1) }],
    ]),
    genes: expression.map((values, gene) => {
      const cells = Int32Array.from([...values.keys()].filter((cell) => values[cell] !== 0));
      return { name: genes[gene]!, cells, values: Float32Array.from(cells, (cell) => values[cell]!) };
    }),
    embeddings: [circle(cellCount), ...embeddings],
    ...(proteins && { proteins }),
    catalogue: { name: 'Analysis' },
    roles: {
      cellType: 'cell_type',
      cluster: 'leiden',
      embedding: 'X_umap',
      metadata: { 'Patient id': 'patient' },
    },
  });
  return {
    manifest,
    genes,
    expression,
    cellType: (cell) => cellTypes[typeOf(cell)]!,
    patient: (cell) => patients[cell % 3]!,
  };
}

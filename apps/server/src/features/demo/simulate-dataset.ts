import type { CategoricalColumn, Column, Embedding, Table } from '@cellfolio/model';
import { packStrings } from '@cellfolio/model';
import { principalComponents } from './principal-components.ts';
import type { Recipe } from './recipes.ts';
import { simulateCells } from './simulate-cells.ts';
import type { SimulatedCells } from './simulate-cells.ts';
import { simulateClusters } from './simulate-clusters.ts';
import { simulateEmbedding } from './simulate-embedding.ts';
import { simulateExpression } from './simulate-expression.ts';
import type { SimulatedCounts } from './simulate-expression.ts';

/** A simulated dataset in memory. Both matrices are CSR and share `indptr` and `indices`. */
export interface SimulatedDataset {
  readonly obs: Table;
  readonly var: Table;
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly counts: Float32Array;
  /** log1p of counts per 10,000. */
  readonly values: Float32Array;
  readonly umap: Embedding;
  readonly pca: Embedding;
}

const components = 15;

/** Simulates a dataset. The same recipe gives the same numbers on every machine, without a clock or other input. */
export function simulateDataset(recipe: Recipe): SimulatedDataset {
  const cells = simulateCells(recipe);
  const counts = simulateExpression(recipe, cells);
  const { coordinates, neighbours } = simulateEmbedding(recipe, cells);
  const clusters = simulateClusters(cells, neighbours);
  const totals = totalsOf(counts);
  const values = logNormalised(counts, totals);
  const pca = principalComponents({ ...counts, values, geneCount: counts.genes.length }, components);
  return {
    obs: obsTable(recipe, cells, { counts, clusters, totals }),
    var: varTable(counts, cells.count),
    indptr: counts.indptr,
    indices: counts.indices,
    counts: counts.counts,
    values,
    umap: { name: 'X_umap', dimensions: 2, values: coordinates },
    pca: { name: 'X_pca', dimensions: components, values: pca },
  };
}

function totalsOf({ indptr, counts }: SimulatedCounts): Float64Array {
  const totals = new Float64Array(indptr.length - 1);
  for (let cell = 0; cell < totals.length; cell++)
    for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) totals[cell] = totals[cell]! + counts[i]!;
  return totals;
}

function logNormalised({ indptr, counts }: SimulatedCounts, totals: Float64Array): Float32Array {
  const values = new Float32Array(counts.length);
  for (let cell = 0; cell < totals.length; cell++)
    for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++)
      values[i] = Math.log1p((1e4 * counts[i]!) / totals[cell]!);
  return values;
}

const phases = ['G1', 'S', 'G2M'] as const;

function obsTable(
  recipe: Recipe,
  cells: SimulatedCells,
  { counts, clusters, totals }: { counts: SimulatedCounts; clusters: Int32Array; totals: Float64Array },
): Table {
  const patientOf = (cell: number) => recipe.patients[cells.patient[cell]!]!;
  const lineageOf = (cell: number) => cells.populations[cells.population[cell]!]!.lineage;
  const column = (label: (cell: number) => string, order?: readonly string[]): CategoricalColumn =>
    categorical(
      Array.from({ length: cells.count }, (_, cell) => label(cell)),
      order,
    );
  const clusterCount = clusters.reduce((highest, cluster) => Math.max(highest, cluster), 0) + 1;
  const mitochondrial = new Set(
    counts.genes.flatMap((symbol, gene) => (symbol.startsWith('MT-') ? [gene] : [])),
  );
  const detected = new Int32Array(cells.count);
  const mitochondrialPercent = new Float32Array(cells.count);
  for (let cell = 0; cell < cells.count; cell++) {
    let sum = 0;
    for (let i = counts.indptr[cell]!; i < counts.indptr[cell + 1]!; i++)
      if (mitochondrial.has(counts.indices[i]!)) sum += counts.counts[i]!;
    detected[cell] = counts.indptr[cell + 1]! - counts.indptr[cell]!;
    mitochondrialPercent[cell] = (100 * sum) / totals[cell]!;
  }
  const columns: [string, Column][] = [
    ['cell_type', column((cell) => lineageOf(cell).cellType)],
    [
      'leiden',
      column(
        (cell) => String(clusters[cell]),
        Array.from({ length: clusterCount }, (_, i) => String(i)),
      ),
    ],
    ['cell_state', column((cell) => lineageOf(cell).states[cells.state[cell]!]!.name)],
    ['patient', column((cell) => patientOf(cell).id)],
    ['batch', column((cell) => patientOf(cell).batch)],
    ['age_group', column((cell) => patientOf(cell).ageGroup)],
    ['sex', column((cell) => patientOf(cell).sex)],
    ['stage', column((cell) => patientOf(cell).stage)],
    ['treatment', column((cell) => patientOf(cell).treatment)],
    ['response', column((cell) => patientOf(cell).response)],
    ['phase', column((cell) => phases[cells.phase[cell]!]!, phases)],
    ['n_genes_by_counts', { kind: 'numeric', dtype: 'int32', values: detected }],
    ['total_counts', { kind: 'numeric', dtype: 'float32', values: Float32Array.from(totals) }],
    ['pct_counts_mt', { kind: 'numeric', dtype: 'float32', values: mitochondrialPercent }],
  ];
  const names = Array.from(
    { length: cells.count },
    (_, cell) => `${patientOf(cell).id}_cell${String(cell).padStart(5, '0')}`,
  );
  return {
    rowCount: cells.count,
    indexName: 'cell_id',
    index: packStrings(names),
    columns: new Map(columns),
  };
}

function varTable({ genes, indices, counts }: SimulatedCounts, cellCount: number): Table {
  const expressing = new Int32Array(genes.length);
  const mean = new Float64Array(genes.length);
  for (let i = 0; i < indices.length; i++) {
    const gene = indices[i]!;
    expressing[gene] = expressing[gene]! + 1;
    mean[gene] = mean[gene]! + counts[i]! / cellCount;
  }
  return {
    rowCount: genes.length,
    indexName: 'gene_symbol',
    index: packStrings(genes),
    columns: new Map<string, Column>([
      ['n_cells_by_counts', { kind: 'numeric', dtype: 'int32', values: expressing }],
      ['mean_counts', { kind: 'numeric', dtype: 'float32', values: Float32Array.from(mean) }],
    ]),
  };
}

/** Labels as codes; categories in the given order, else in alphabetical order as in pandas. */
function categorical(labels: readonly string[], order?: readonly string[]): CategoricalColumn {
  const present = new Set(labels);
  const categories = order === undefined ? [...present].sort() : order.filter((label) => present.has(label));
  const codeOf = new Map(categories.map((label, code) => [label, code]));
  return {
    kind: 'categorical',
    codes: Int8Array.from(labels, (label) => codeOf.get(label)!),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

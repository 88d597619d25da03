import {
  type CategoricalColumn,
  type Column,
  type Embedding,
  type Table,
  packStrings,
} from '@cellfolio/model';
import { largestEigenpairs } from '@cellfolio/analysis';
import type { Recipe } from './recipes.ts';
import { simulateCells, type SimulatedCells } from './simulate-cells.ts';
import { simulateClusters } from './simulate-clusters.ts';
import { simulateEmbedding } from './simulate-embedding.ts';
import { simulateExpression, type SimulatedCounts } from './simulate-expression.ts';

/** A simulated dataset in memory. Both matrices are CSR and share `indptr` and `indices`. */
export interface SimulatedDataset {
  obs: Table;
  var: Table;
  indptr: Int32Array;
  indices: Int32Array;
  counts: Float32Array;
  /** log1p of counts per 10,000. */
  values: Float32Array;
  umap: Embedding;
  pca: Embedding;
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

interface CellRows {
  geneCount: number;
  indptr: Int32Array;
  indices: Int32Array;
  values: Float32Array;
}

const variableGenes = 1000;
/** The last components are noise with eigenvalues close to each other: which mixture of them results is arbitrary. */
const tolerance = 1e-5;

/**
 * Principal components of log-normalised values, as scanpy's `pp.pca` of the most variable genes: n × components
 * coordinates, row by row, from the eigenvectors of the products of the centred cells. Deterministic.
 */
function principalComponents(matrix: CellRows, components: number): Float32Array {
  const { indptr, indices, values } = variablePart(matrix);
  const count = indptr.length - 1;
  const geneCount = Math.min(variableGenes, matrix.geneCount);
  const means = new Float64Array(geneCount);
  let squares = 0;
  for (let i = 0; i < indices.length; i++) {
    means[indices[i]!]! += values[i]! / count;
    squares += values[i]! ** 2;
  }
  const variation = squares - count * means.reduce((sum, mean) => sum + mean * mean, 0);
  const ofGenes = new Float64Array(geneCount);
  const { values: shares, vectors } = largestEigenpairs(
    (vector, product) => {
      const sum = vector.reduce((all, one) => all + one, 0);
      for (let gene = 0; gene < geneCount; gene++) ofGenes[gene] = -means[gene]! * sum;
      for (let cell = 0; cell < count; cell++) {
        for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) {
          ofGenes[indices[i]!]! += values[i]! * vector[cell]!;
        }
      }
      const offset = means.reduce((all, mean, gene) => all + mean * ofGenes[gene]!, 0);
      for (let cell = 0; cell < count; cell++) {
        let dot = -offset;
        for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) dot += values[i]! * ofGenes[indices[i]!]!;
        product[cell] = dot / variation;
      }
    },
    count,
    components,
    tolerance,
  );
  const coordinates = new Float32Array(count * components);
  vectors.forEach((vector, at) => {
    const length = Math.sqrt(Math.max(0, shares[at]!) * variation);
    for (let cell = 0; cell < count; cell++) coordinates[cell * components + at] = vector[cell]! * length;
  });
  return coordinates;
}

/** Only the most variable columns, renumbered from 0. */
function variablePart({ geneCount, indptr, indices, values }: CellRows): Omit<CellRows, 'geneCount'> {
  const count = indptr.length - 1;
  const sums = new Float64Array(geneCount);
  const squares = new Float64Array(geneCount);
  for (let i = 0; i < indices.length; i++) {
    sums[indices[i]!]! += values[i]!;
    squares[indices[i]!]! += values[i]! ** 2;
  }
  const variance = (gene: number) => squares[gene]! - sums[gene]! ** 2 / count;
  const chosen = Int32Array.from(sums.keys())
    .sort((one, other) => variance(other) - variance(one) || one - other)
    .subarray(0, variableGenes);
  const place = new Int32Array(geneCount).fill(-1);
  chosen.forEach((gene, at) => (place[gene] = at));
  const starts = new Int32Array(count + 1);
  const keptIndices = new Int32Array(indices.length);
  const keptValues = new Float32Array(indices.length);
  let entryCount = 0;
  for (let cell = 0; cell < count; cell++) {
    for (let i = indptr[cell]!; i < indptr[cell + 1]!; i++) {
      const at = place[indices[i]!]!;
      if (at < 0) continue;
      keptIndices[entryCount] = at;
      keptValues[entryCount++] = values[i]!;
    }
    starts[cell + 1] = entryCount;
  }
  return {
    indptr: starts,
    indices: keptIndices.subarray(0, entryCount),
    values: keptValues.subarray(0, entryCount),
  };
}

import {
  adjustedPresent,
  type Autocorrelations,
  correlationScores,
  explainedShare,
  geneModules,
  type LocalSums,
} from '@cellfolio/analysis';
import { isCategorical, sharedCopy } from '@cellfolio/model';
import { correlationsOf } from '@cellfolio/figures/content';
import { mitochondrialGenes, ribosomalGenes } from '@cellfolio/process';
import type { Dataset } from '@cellfolio/store';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { maxSamples } from '../../runtime/sample-column.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';

export interface SelectGenesTask extends Task<TestedGenes> {
  kind: 'select-genes';
  blocks: readonly Autocorrelations[];
  geneCount: number;
  fdr: number;
  maxGenes: number;
}

/** One value per gene of the dataset, in shared memory; NaN when not tested. */
export interface TestedGenes {
  coefficients: Float64Array;
  z: Float64Array;
  p: Float64Array;
  skewness: Float64Array;
  adjusted: Float64Array;
  expressing: Int32Array;
  tested: number;
  /** Genes with an adjusted p below the limit. */
  passing: number;
  /** Rows in var of those with the highest Z among them, highest first. */
  rows: Int32Array;
}

/** Tests of values that are shuffled over the cells: how far those of genes hold what they say. */
export interface NullCheck {
  genes: number;
  shuffles: number;
  /** Standard deviation of z. */
  deviation: number;
  /** Share of p-values below 0.05, and of those that z has where it is taken for normal, as Hotspot does. */
  below: number;
  belowAsNormal: number;
}

/** Groups the selected genes and writes the table of all genes. */
export interface ModulesTask extends Task<FoundModules> {
  kind: 'gene-modules';
  isLong: true;
  dataset: DatasetRef;
  tested: TestedGenes;
  sums: readonly LocalSums[];
  cells: number;
  minGenes: number;
  fdr: number;
}

export interface FoundModules {
  modules: readonly FoundModule[];
  threshold: number;
  /** Rows in var of the selected genes, by module; those without a module last. */
  order: Int32Array;
  /** Local correlations, in that order. */
  scores: Float32Array;
  /** Module of each gene in that order; 0 for none. */
  moduleOf: Int32Array;
  withinModule: Float64Array;
  /** CSV lines without header, highest Z first. */
  table: string;
}

interface FoundModule {
  name: string;
  /** Rows in var, highest mean local correlation within the module first. */
  rows: Int32Array;
  mitochondrial: number;
  ribosomal: number;
}

export interface ModuleCheckTask extends Task<ModuleCheck> {
  kind: 'module-check';
  dataset: DatasetRef;
  scores: Float64Array;
  /** For each cell of the graph, its row in obs and its total. */
  cells: Int32Array;
  totals: Float64Array;
  /** Column of obs; undefined when unknown. */
  samples: string | undefined;
}

export interface ModuleCheck {
  /** Spearman correlation with the cells' totals; NaN when these do not vary. */
  depth: number;
  /** Share of its variance between samples; NaN with fewer than two samples. */
  samples: number;
}

export const moduleColumns = [
  'group',
  'names',
  'c',
  'z',
  'skewness',
  'pvals',
  'pvals_adj',
  'module_z',
  'pct_nz',
];
const noModule = 'none';
function selectGenes({ blocks, geneCount, fdr, maxGenes }: SelectGenesTask): TestedGenes {
  const coefficients = new Float64Array(geneCount).fill(NaN);
  const z = new Float64Array(geneCount).fill(NaN);
  const p = new Float64Array(geneCount).fill(NaN);
  const skewness = new Float64Array(geneCount).fill(NaN);
  const expressing = new Int32Array(geneCount);
  for (const block of blocks) {
    coefficients.set(block.coefficients, block.firstGene);
    z.set(block.z, block.firstGene);
    p.set(block.p, block.firstGene);
    skewness.set(block.skewness, block.firstGene);
    expressing.set(block.expressing, block.firstGene);
  }
  const tested = Int32Array.from(z.keys()).filter((row) => !Number.isNaN(z[row]));
  const adjusted = adjustedPresent(p);
  const significant = tested.filter((row) => adjusted[row]! < fdr);
  significant.sort((one, other) => z[other]! - z[one]! || one - other);
  return {
    coefficients: sharedCopy(coefficients),
    z: sharedCopy(z),
    p: sharedCopy(p),
    skewness: sharedCopy(skewness),
    adjusted: sharedCopy(adjusted),
    expressing: sharedCopy(expressing),
    tested: tested.length,
    passing: significant.length,
    rows: sharedCopy(significant.slice(0, maxGenes)),
  };
}

function findModules(task: ModulesTask, dataset: Dataset): FoundModules {
  const { tested, sums, minGenes, fdr } = task;
  const { rows } = tested;
  const count = rows.length;
  const scores = correlationScores(sums, count);
  const { moduleOf, sizes, threshold, order, withinModule } = geneModules(scores, count, { minGenes, fdr });
  const ordered = new Float32Array(new SharedArrayBuffer(4 * count * count));
  order.forEach((gene, row) => {
    order.forEach((other, at) => (ordered[row * count + at] = scores[gene * count + other]!));
  });
  const facts = { geneNames: dataset.genes.symbols };
  const [mitochondrial, ribosomal] = [mitochondrialGenes(facts), ribosomalGenes(facts)];
  const modules = sizes.map((size, at): FoundModule => {
    const own = [...rows.keys()]
      .filter((gene) => moduleOf[gene] === at + 1)
      .toSorted((one, other) => withinModule[other]! - withinModule[one]!);
    const ofModule = Int32Array.from(own, (gene) => rows[gene]!);
    const share = (kind: Uint8Array) => ofModule.filter((row) => kind[row] === 1).length / size;
    return {
      name: moduleName(at + 1),
      rows: ofModule,
      mitochondrial: share(mitochondrial),
      ribosomal: share(ribosomal),
    };
  });
  return {
    modules,
    threshold,
    order: order.map((gene) => rows[gene]!),
    scores: ordered,
    moduleOf: order.map((gene) => moduleOf[gene]!),
    withinModule: Float64Array.from(order, (gene) => withinModule[gene]!),
    table: tableOf(task, dataset, { moduleOf, withinModule }),
  };
}

const moduleName = (module: number) => (module === 0 ? noModule : `Module ${module}`);

function tableOf(
  { tested, cells }: ModulesTask,
  dataset: Dataset,
  { moduleOf, withinModule }: { moduleOf: Int32Array; withinModule: Float64Array },
): string {
  const { coefficients, z, skewness, p, adjusted, expressing, rows } = tested;
  const { symbols } = dataset.genes;
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  const height = (row: number) => (Number.isNaN(z[row]) ? -Infinity : z[row]!);
  // Subtracting two that were not tested gives NaN, which sorts as 0.
  const ranked = Int32Array.from(z.keys()).sort((one, other) => height(other) - height(one) || one - other);
  const lines: string[] = [];
  for (const row of ranked) {
    const place = placeOf.get(row);
    lines.push(
      csvLine([
        place === undefined ? '' : moduleName(moduleOf[place]!),
        symbols[row] ?? String(row),
        coefficients[row]!,
        z[row]!,
        skewness[row]!,
        p[row]!,
        adjusted[row]!,
        place === undefined ? NaN : withinModule[place]!,
        expressing[row]! / cells,
      ]),
    );
  }
  return lines.join('');
}

async function checkModule(
  { scores, cells, totals, samples }: ModuleCheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<ModuleCheck> {
  const own = Float64Array.from(cells, (cell) => scores[cell]!);
  const depth = correlationsOf({ x: own, y: totals, zeroPairs: 0 }).spearman;
  const column = samples === undefined ? undefined : await dataset.obs(samples, signal);
  if (!column || !isCategorical(column) || column.categories.length > maxSamples)
    return { depth, samples: NaN };
  const codes = Int32Array.from(cells, (cell) => column.codes[cell]!);
  return { depth, samples: explainedShare(own, codes, column.categories.length) };
}

export const moduleTasks = [
  taskKind<SelectGenesTask>('select-genes', selectGenes),
  taskKind<ModulesTask>('gene-modules', (task, { dataset }) => findModules(task, dataset)),
  taskKind<ModuleCheckTask>('module-check', (task, { dataset, signal }) =>
    checkModule(task, dataset, signal),
  ),
];

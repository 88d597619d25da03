import {
  adjustedPresent,
  type Autocorrelations,
  type AutocorrelationSetting,
  correlationScores,
  EntriesReader,
  explainedShare,
  geneModules,
  type GeneModel,
  localAutocorrelations,
  localGraph,
  type LocalGraph,
  type LocalSums,
  localSums,
  maxSamples,
  type Neighbours,
  shuffledCells,
  standardised,
  type StandardisedGenes,
} from '@cellfolio/analysis';
import { correlationsOf } from '@cellfolio/analysis/correlations';
import { isCategorical, mitochondrialGenes, ribosomalGenes, sharedCopy } from '@cellfolio/model';
import type { GeneRange, ThreadDataset } from '../context.ts';

interface WeighInput {
  readonly neighbours: Neighbours;
  /** Row in obs of each cell. */
  readonly cells: Int32Array;
  readonly cellCount: number;
}

type WeighedCells = Pick<AutocorrelationSetting, 'graph' | 'placeOf'>;

interface GenesInput {
  readonly model: GeneModel;
  readonly setting: AutocorrelationSetting;
}

interface ShuffleInput extends GenesInput {
  /** In var. */
  readonly rows: Int32Array;
  readonly shuffles: number;
}

/** One number for each gene and shuffle. */
interface ShuffledTests {
  readonly z: readonly number[];
  readonly p: readonly number[];
}

interface StandardiseInput extends GenesInput {
  /** In var. */
  readonly rows: Int32Array;
  /** Index of the first of them among all that are standardised. */
  readonly at: number;
  /** In shared memory. */
  readonly into: Float32Array;
}

interface SelectInput {
  readonly blocks: readonly Autocorrelations[];
  readonly fdr: number;
  readonly maxGenes: number;
}

/** One value per gene of the dataset, in shared memory; NaN when not tested. */
export interface TestedGenes {
  readonly coefficients: Float64Array;
  readonly z: Float64Array;
  readonly p: Float64Array;
  readonly skewness: Float64Array;
  readonly adjusted: Float64Array;
  readonly expressing: Int32Array;
  readonly tested: number;
  /** Genes with an adjusted p below the limit. */
  readonly passing: number;
  /** Rows in var of those with the highest Z among them, highest first. */
  readonly rows: Int32Array;
}

interface GroupInput {
  readonly tested: TestedGenes;
  readonly sums: readonly LocalSums[];
  readonly cells: number;
  readonly minGenes: number;
  readonly fdr: number;
}

export interface FoundModules {
  readonly modules: readonly FoundModule[];
  readonly threshold: number;
  /** Rows in var of the selected genes, by module; those without a module last. */
  readonly order: Int32Array;
  /** Local correlations, in that order. */
  readonly scores: Float32Array;
  /** Module of each gene in that order; 0 for none. */
  readonly moduleOf: Int32Array;
  readonly withinModule: Float64Array;
  readonly table: ReturnType<typeof tableOf>;
}

interface FoundModule {
  readonly name: string;
  /** Rows in var, highest mean local correlation within the module first. */
  readonly rows: Int32Array;
  readonly mitochondrial: number;
  readonly ribosomal: number;
}

interface CheckInput {
  readonly scores: Float64Array;
  /** For each cell of the graph, its row in obs and its total. */
  readonly cells: Int32Array;
  readonly totals: Float64Array;
  /** Column of obs; undefined when unknown. */
  readonly samples: string | undefined;
}

export interface ModuleCheck {
  /** Spearman correlation with the cells' totals; NaN when these do not vary. */
  readonly depth: number;
  /** Share of its variance between samples; NaN with fewer than two samples. */
  readonly samples: number;
}

/** Weights the nearest neighbours of all cells; arrays are in shared memory. */
function weigh({ neighbours, cells, cellCount }: WeighInput): WeighedCells {
  const graph = localGraph(neighbours);
  const placeOf = new Int32Array(new SharedArrayBuffer(4 * cellCount)).fill(-1);
  cells.forEach((cell, place) => (placeOf[cell] = place));
  return {
    graph: {
      cellCount: graph.cellCount,
      starts: sharedCopy(graph.starts),
      neighbours: sharedCopy(graph.neighbours),
      weights: sharedCopy(graph.weights),
      degrees: sharedCopy(graph.degrees),
      moments: graph.moments,
    },
    placeOf,
  };
}

function test(
  { setting, model, from, to }: GenesInput & GeneRange,
  dataset: ThreadDataset,
): Promise<Autocorrelations> {
  const genes = { from, to, ofCounts: model !== 'normal' };
  return dataset.useBlock(genes, (block) => localAutocorrelations(block, setting));
}

/** Tests some genes with their values at other cells of the graph, which are drawn at random `shuffles` times. */
async function shuffle(
  { setting, rows, shuffles, model }: ShuffleInput,
  dataset: ThreadDataset,
): Promise<ShuffledTests> {
  const settings = Array.from({ length: shuffles }, (_, seed) => shuffledCells(setting, seed));
  const [z, p]: [number[], number[]] = [[], []];
  for (const row of rows) {
    await dataset.useBlock({ from: row, to: row + 1, ofCounts: model !== 'normal' }, (block) => {
      for (const one of settings) {
        const tested = localAutocorrelations(block, one);
        z.push(tested.z[0]!);
        p.push(tested.p[0]!);
      }
    });
  }
  return { z, p };
}

function select(
  { blocks, fdr, maxGenes }: SelectInput,
  { symbols: { length: geneCount } }: ThreadDataset,
): TestedGenes {
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

/** Writes the standardised values of some genes. */
async function standardise(
  { setting, rows, at, into, model }: StandardiseInput,
  dataset: ThreadDataset,
): Promise<void> {
  const { graph, placeOf, depth } = setting;
  const entries = new EntriesReader(placeOf, graph.cellCount);
  for (const [i, row] of rows.entries()) {
    const own = into.subarray((at + i) * graph.cellCount, (at + i + 1) * graph.cellCount);
    await dataset.useBlock({ from: row, to: row + 1, ofCounts: model !== 'normal' }, (block) => {
      entries.read(block, 0);
      standardised(entries, depth, model, own);
    });
  }
}

function correlate({
  genes,
  graph,
  from,
  to,
}: GeneRange & { readonly genes: StandardisedGenes; readonly graph: LocalGraph }): LocalSums {
  return localSums(genes, graph, { from, to });
}

/** Groups the selected genes, and makes the table of all genes. */
function group(input: GroupInput, { symbols }: ThreadDataset): FoundModules {
  const { tested, sums, minGenes, fdr } = input;
  const { rows } = tested;
  const { length } = rows;
  const scores = correlationScores(sums, length);
  const { moduleOf, sizes, threshold, order, withinModule } = geneModules(scores, length, { minGenes, fdr });
  const ordered = new Float32Array(new SharedArrayBuffer(4 * length * length));
  order.forEach((gene, row) => {
    order.forEach((other, at) => (ordered[row * length + at] = scores[gene * length + other]!));
  });
  const [mitochondrial, ribosomal] = [
    mitochondrialGenes({ geneNames: symbols }),
    ribosomalGenes({ geneNames: symbols }),
  ];
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
    table: tableOf(input, symbols, { moduleOf, withinModule }),
  };
}

const moduleName = (module: number) => (module === 0 ? 'none' : `Module ${module}`);

function tableOf(
  { tested, cells }: GroupInput,
  symbols: readonly string[],
  { moduleOf, withinModule }: { moduleOf: Int32Array; withinModule: Float64Array },
) {
  const { coefficients, z, skewness, p, adjusted, expressing, rows } = tested;
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  const height = (row: number) => (Number.isNaN(z[row]) ? -Infinity : z[row]!);
  // Subtracting two that were not tested gives NaN, which sorts as 0.
  const ranked = Int32Array.from(z.keys()).sort((one, other) => height(other) - height(one) || one - other);
  const numbers = (valueOf: (row: number) => number) => Float64Array.from(ranked, valueOf);
  return {
    group: Array.from(ranked, (row) => {
      const place = placeOf.get(row);
      return place === undefined ? '' : moduleName(moduleOf[place]!);
    }),
    names: Array.from(ranked, (row) => symbols[row] ?? String(row)),
    c: numbers((row) => coefficients[row]!),
    z: numbers((row) => z[row]!),
    skewness: numbers((row) => skewness[row]!),
    pvals: numbers((row) => p[row]!),
    pvals_adj: numbers((row) => adjusted[row]!),
    module_z: numbers((row) => {
      const place = placeOf.get(row);
      return place === undefined ? NaN : withinModule[place]!;
    }),
    pct_nz: numbers((row) => expressing[row]! / cells),
  };
}

async function check(
  { scores, cells, totals, samples }: CheckInput,
  dataset: ThreadDataset,
): Promise<ModuleCheck> {
  const own = Float64Array.from(cells, (cell) => scores[cell]!);
  const depth = correlationsOf({ x: own, y: totals, zeroPairs: 0 }).spearman;
  const column = samples === undefined ? undefined : await dataset.obs(samples);
  if (!column || !isCategorical(column) || column.categories.length > maxSamples)
    return { depth, samples: NaN };
  const codes = Int32Array.from(cells, (cell) => column.codes[cell]!);
  return { depth, samples: explainedShare(own, codes, column.categories.length) };
}

export const steps = { weigh, test, shuffle, select, standardise, correlate, group, check };

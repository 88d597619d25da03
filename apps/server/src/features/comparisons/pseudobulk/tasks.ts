import {
  type ComparedCells,
  type CountsRefusal,
  type Design,
  NotCounts,
  pseudobulkSamples,
  type PseudobulkSamples,
  pseudobulkSums,
  pseudobulkTest,
  type PseudobulkTest,
  type SampleColumn,
  selectSamples,
  studentQuantile,
} from '@cellfolio/analysis';
import { sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';
import { csvLine } from '../../../runtime/tables/csv.ts';
import {
  type ComparedTable,
  counted,
  surestFirst,
  type Thresholds,
  untestedReasons,
} from '../compared-table.ts';
import { sampleValues } from './sample-values.ts';
import { thinned } from './thinned.ts';

/** Which cells are summed, and what is known of each sum. */
export interface SumPlanTask extends Task<SumPlan> {
  readonly kind: 'sum-plan';
  readonly dataset: DatasetRef;
  /** Its arrays lie in shared memory. */
  readonly compared: ComparedCells;
  /** Columns of obs. */
  readonly samples: string;
  /** One without whose value a cell counts nowhere; undefined where all cells count. */
  readonly labelled: string | undefined;
  readonly columns: readonly string[];
  /** Samples of fewer cells on a side are left out on that side. */
  readonly minCells: number;
}

/** Groups of the sums are the sides of the parts: twice the place of the part, and one more for B. */
export interface SumPlan extends PseudobulkSamples {
  /** Of the samples, by their codes. */
  readonly names: readonly string[];
  /** Cells on a side whose sample is not known. */
  readonly unlabelled: number;
  /** The columns asked for with a value for each sum, or one whose values differ between the cells of a sum. */
  readonly values: readonly SampleColumn[] | { readonly varying: string; readonly sum: number };
}

async function planSums(task: SumPlanTask, dataset: Dataset, signal: AbortSignal): Promise<SumPlan> {
  const { sides, partOf, parts } = task.compared;
  const labels = await categoricalColumn(dataset, task.samples, signal);
  const groups = new Int32Array(sides.length).fill(-1);
  const needed =
    task.labelled === undefined ? undefined : await categoricalColumn(dataset, task.labelled, signal);
  let unlabelled = 0;
  for (let cell = 0; cell < sides.length; cell++) {
    if (sides[cell]! > 1 || (needed && needed.codes[cell]! < 0)) continue;
    groups[cell] = 2 * (partOf ? partOf[cell]! : 0) + sides[cell]!;
    if (labels.codes[cell]! < 0) unlabelled++;
  }
  const categories = new Array<string>(2 * parts.length).fill('');
  const found = pseudobulkSamples(labels, { codes: groups, categories }, { minCells: task.minCells });
  const values: SampleColumn[] = [];
  const plan = { ...found, codes: sharedCopy(found.codes), names: labels.categories, unlabelled };
  for (const name of task.columns) {
    const answer = sampleValues(name, await dataset.obs(name, signal), found);
    if ('varying' in answer) return { ...plan, values: answer };
    values.push(answer);
  }
  return { ...plan, values };
}

/** Sums of the raw counts of the genes [from, to), written into the matrix of all genes. */
export interface SumBlockTask extends Task<true> {
  readonly kind: 'sum-block';
  readonly dataset: DatasetRef;
  /** Its codes lie in shared memory. */
  readonly samples: PseudobulkSamples;
  /** Genes × sums, in shared memory. */
  readonly into: Float64Array;
  readonly from: number;
  readonly to: number;
}

async function sumBlock(
  { samples, into, from, to }: SumBlockTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<true> {
  const counts = await dataset.counts(signal);
  if (!counts) throw new Error(`dataset ${dataset.manifest.id} has no raw counts to sum`);
  const sums = await counts.useBlock(from, to, (block) => pseudobulkSums(block, samples), signal);
  into.set(sums.values, from * samples.sums.length);
  return true;
}

/** A table of all genes of one part, from the sums of its samples. */
export interface SumTableTask extends Task<SumTable> {
  readonly kind: 'sum-table';
  readonly dataset: DatasetRef;
  /** Genes × sums of all parts, in shared memory. */
  readonly sums: Float64Array;
  readonly sumCount: number;
  /** Places of the sums that are tested. */
  readonly places: readonly number[];
  readonly design: Design;
  readonly contrast: Float64Array;
  readonly trend: boolean;
  readonly robust: boolean;
  /** The name of the part where rows name it. */
  readonly part: string | undefined;
  /** Rows of genes that are in the table without a test; absent where it does not say why. */
  readonly untested?: readonly number[];
  readonly thresholds: Thresholds;
}

export type SumTable =
  | { readonly refusal: CountsRefusal | { readonly code: 'not_counts'; readonly gene: string } }
  | { readonly table: ComparedTable; readonly checks: SumChecks };

/** What the figures of a test show of it, and what the test assumed. */
export interface SumChecks extends Pick<
  PseudobulkTest,
  'librarySizes' | 'factors' | 'residualDegrees' | 'spread'
> {
  /** Genes with counts enough. */
  readonly tested: number;
  readonly priorDegrees: number;
  /** The median of the genes', which differ with a trend. */
  readonly priorVariance: number;
  readonly map: { readonly x: Float64Array; readonly y: Float64Array; readonly axes: [number, number] };
  readonly histogram: Int32Array;
}

/** As many as a figure of spreads can show. */
const maxPoints = 5000;

/** Headings of a table of sums. */
export function sumTableColumns(isParted: boolean): string[] {
  const columns = 'names logfoldchanges ci_low ci_high mean_log_cpm scores pvals pvals_adj'.split(' ');
  return [...(isParted ? ['group'] : []), ...columns];
}

function tableOfSums(task: SumTableTask, { genes: { symbols } }: Dataset): SumTable {
  const { sums, sumCount, places, design, contrast, trend, robust, untested = [] } = task;
  const geneCount = symbols.length;
  const counts = selectSamples({ geneCount, sampleCount: sumCount, values: sums }, places);
  // Without counts a gene is not tested, nor in any library size.
  for (const row of untested) counts.values.fill(0, row * places.length, (row + 1) * places.length);
  let answer: ReturnType<typeof pseudobulkTest>;
  try {
    answer = pseudobulkTest(counts, design, [contrast], { trend, robust });
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    return { refusal: { code: 'not_counts', gene: symbols[error.gene] ?? String(error.gene) } };
  }
  if ('refusal' in answer) return answer;
  const { result } = answer;
  const { librarySizes, factors, residualDegrees, map, tests } = result;
  const variances = tests.priorVariances.toSorted();
  return {
    table: writtenTable(task, symbols, result),
    checks: {
      librarySizes,
      factors,
      residualDegrees,
      tested: result.genes.length,
      priorDegrees: tests.priorDegrees,
      priorVariance: variances[variances.length >> 1]!,
      map: { x: map.x, y: map.y, axes: [map.explained[0] ?? 0, map.explained[1] ?? 0] },
      spread: {
        points: thinned(result.spread.points, maxPoints),
        trend: thinned(result.spread.trend, maxPoints),
      },
      histogram: result.histograms[0]!,
    },
  };
}

/**
 * All genes: those that were tested by rising p-value, then those that were kept out, then the others in the order of var,
 * with nothing but their names.
 */
function writtenTable(
  { part, thresholds, untested }: SumTableTask,
  symbols: readonly string[],
  { genes, means, tests }: PseudobulkTest,
): ComparedTable {
  const [test] = tests.contrasts;
  const { effects, standardErrors } = test!;
  const reach = reaches(tests.geneDegrees);
  const spread = (values: (place: number) => number) => {
    const all = new Float64Array(symbols.length).fill(NaN);
    for (let place = 0; place < genes.length; place++) all[genes[place]!] = values(place);
    return all;
  };
  const logfoldchanges = spread((place) => effects[place]!);
  const scores = spread((place) => test!.t[place]!);
  const pvals = spread((place) => test!.pValues[place]!);
  const pvals_adj = spread((place) => test!.adjusted[place]!);
  const meanLogCpm = spread((place) => means[place]!);
  const columns = [
    logfoldchanges,
    spread((place) => effects[place]! - reach(place) * standardErrors[place]!),
    spread((place) => effects[place]! + reach(place) * standardErrors[place]!),
    meanLogCpm,
    scores,
    pvals,
    pvals_adj,
  ];
  const chosen = new Set(untested);
  const rows = [
    ...surestFirst(genes, { pvals, scores }),
    ...chosen,
    ...[...pvals.keys()].filter((row) => Number.isNaN(pvals[row]!) && !chosen.has(row)),
  ];
  const group = part === undefined ? [] : [part];
  const reasonOf = (row: number) =>
    Number.isNaN(pvals[row]!) ? untestedReasons[chosen.has(row) ? 'chose' : 'fewCounts'] : '';
  const lines = rows.map((row) =>
    csvLine([
      ...group,
      symbols[row] ?? String(row),
      ...columns.map((column) => column[row]!),
      ...(untested ? [reasonOf(row)] : []),
    ]),
  );
  return {
    scores,
    logfoldchanges,
    pvals,
    pvals_adj,
    means: meanLogCpm,
    warnings: [],
    rows: lines.join(''),
    ...counted({ logfoldchanges, pvals, pvals_adj }, thresholds),
  };
}

/** By the place of a gene, the t that limits 95 %; degrees of freedom are those of most genes, but for a robust prior. */
function reaches(degrees: Float64Array): (place: number) => number {
  const known = new Map<number, number>();
  return (place) => {
    const own = degrees[place]!;
    const found = known.get(own) ?? studentQuantile(0.05, own);
    known.set(own, found);
    return found;
  };
}

/** What compute threads do for a comparison by sums of samples. */
export const pseudobulkTasks = [
  taskKind<SumPlanTask>('sum-plan', (task, { dataset, signal }) => planSums(task, dataset, signal)),
  taskKind<SumBlockTask>('sum-block', (task, { dataset, signal }) => sumBlock(task, dataset, signal)),
  taskKind<SumTableTask>('sum-table', (task, { dataset }) => tableOfSums(task, dataset)),
];

import {
  codesAsFactor,
  type ComparedCells,
  NotCounts,
  pseudobulkSamples,
  type PseudobulkSamples,
  pseudobulkSums,
  pseudobulkTest,
  type SampleColumn,
} from '@cellfolio/analysis';
import { isUnassigned, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { batchColumns } from '../../../runtime/batch-columns.ts';
import { categoricalColumn } from '../../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';
import { negativeBinomialTasks } from './negative-binomial-tasks.ts';
import { quasiLikelihoodTasks } from './quasi-likelihood-tasks.ts';
import { sampleValues } from './sample-values.ts';
import {
  countsOf,
  type DesignedSums,
  maxSpreadPoints,
  notCounts,
  reaches,
  type SumTable,
  writtenSums,
  mapPoints,
} from './sum-table.ts';
import { thinned } from './thinned.ts';

export interface SumPlanTask extends Task<SumPlan> {
  readonly kind: 'sum-plan';
  readonly dataset: DatasetRef;
  /** Arrays are in shared memory. */
  readonly compared: ComparedCells;
  /** Column of obs. */
  readonly samples: string;
  /** A column without whose value a cell does not count; undefined when all cells count. */
  readonly labelled: string | undefined;
  /** Whether values of it such as `Unknown` are as none. */
  readonly assigned: boolean;
  readonly columns: readonly string[];
  /** Covariates whose numbers are quantities, even with few distinct values. */
  readonly numeric: readonly string[];
  /** A column whose values group several samples each; undefined for none. */
  readonly blocks: string | undefined;
  /** Samples with fewer cells on a side are left out on that side. */
  readonly minCells: number;
}

/** The groups of the sums are the sides of the parts: twice the index of the part, plus one for B. */
export interface SumPlan extends PseudobulkSamples {
  /** Sample names, by code. */
  readonly names: readonly string[];
  readonly unlabelled: number;
  /** Groups of `labelled` whose name says that their cells have none, with the cells of the sides in each. */
  readonly unassigned: readonly { readonly name: string; readonly cells: number }[];
  /** The requested columns with a value for each sum, or the one whose values differ between the cells of a sum. */
  readonly values: readonly SampleColumn[] | { readonly varying: string; readonly sum: number };
  /** The block of each sum, as its own code. */
  readonly blocks?: Int32Array;
}

async function planSums(task: SumPlanTask, dataset: Dataset, signal: AbortSignal): Promise<SumPlan> {
  const { sides, partOf, parts } = task.compared;
  const labels = await categoricalColumn(dataset, task.samples, signal);
  const groups = new Int32Array(sides.length).fill(-1);
  const needed =
    task.labelled === undefined ? undefined : await categoricalColumn(dataset, task.labelled, signal);
  const isUnassignedCode = (needed?.categories ?? []).map(isUnassigned);
  const unassigned = new Float64Array(isUnassignedCode.length);
  let unlabelled = 0;
  for (let cell = 0; cell < sides.length; cell++) {
    const code = needed ? needed.codes[cell]! : 0;
    if (sides[cell]! > 1 || code < 0) continue;
    if (isUnassignedCode[code]) {
      unassigned[code]!++;
      if (task.assigned) continue;
    }
    groups[cell] = 2 * (partOf ? partOf[cell]! : 0) + sides[cell]!;
    if (labels.codes[cell]! < 0) unlabelled++;
  }
  const categories = new Array<string>(2 * parts.length).fill('');
  const pseudobulk = pseudobulkSamples(labels, { codes: groups, categories }, { minCells: task.minCells });
  const values: SampleColumn[] = [];
  const plan = {
    ...pseudobulk,
    codes: sharedCopy(pseudobulk.codes),
    names: labels.categories,
    unlabelled,
    unassigned: (needed?.categories ?? []).flatMap((name, code) =>
      unassigned[code]! > 0 ? [{ name, cells: unassigned[code]! }] : [],
    ),
  };
  for (const name of task.columns) {
    const answer = sampleValues(name, await dataset.obs(name, signal), pseudobulk);
    if ('varying' in answer) return { ...plan, values: answer };
    values.push(task.numeric.includes(name) ? answer : withoutCodes(answer, pseudobulk));
  }
  if (task.blocks === undefined) return { ...plan, values };
  const blocks = sampleValues(task.blocks, await dataset.obs(task.blocks, signal), pseudobulk);
  if ('varying' in blocks) return { ...plan, values: blocks };
  return { ...plan, values, blocks: blockCodes(blocks) };
}

/** Names of quantity columns, however few values they have: for example the ages of six donors. */
const quantityName = /(^|[^a-z])(age|bmi|concentration|dose|height|pmi|rin|weight)([^a-z]|$)/i;

function withoutCodes(column: SampleColumn, { sums }: PseudobulkSamples): SampleColumn {
  if (column.kind === 'categorical' || quantityName.test(column.name)) return column;
  const samples = new Set(sums.map(({ sample }) => sample)).size;
  return codesAsFactor(column, { samples, isCode: batchColumns([column.name]).length > 0 }) ?? column;
}

/** A code for each value; a sum without a value forms its own block. */
function blockCodes(column: SampleColumn): Int32Array {
  const values = Array.from<number>(column.kind === 'numeric' ? column.values : column.codes);
  const codeOf = new Map<number, number>();
  return Int32Array.from(values, (value, sum) => {
    if (Number.isNaN(value) || (column.kind === 'categorical' && value < 0)) return values.length + sum;
    codeOf.set(value, codeOf.get(value) ?? codeOf.size);
    return codeOf.get(value)!;
  });
}

/** Sums the raw counts of the genes [from, to) into the matrix of all genes. */
export interface SumBlockTask extends Task<true> {
  readonly kind: 'sum-block';
  readonly dataset: DatasetRef;
  /** Codes are in shared memory. */
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

export interface SumTableTask extends DesignedSums, Task<SumTable> {
  readonly kind: 'sum-table';
  readonly dataset: DatasetRef;
  readonly trend: boolean;
  readonly robust: boolean;
  /** Whether the samples of a block are treated as correlated; otherwise the correlation is only reported. */
  readonly isRandom: boolean;
}

function tableOfSums(task: SumTableTask, { genes: { symbols } }: Dataset): SumTable {
  const { design, contrast, trend, robust, blocks, isRandom } = task;
  const counts = countsOf(task);
  let answer: ReturnType<typeof pseudobulkTest>;
  try {
    answer = pseudobulkTest(counts, design, [contrast], { trend, robust, blocks, isRandom });
  } catch (error) {
    if (!(error instanceof NotCounts)) throw error;
    return notCounts(error, symbols);
  }
  if ('refusal' in answer) return answer;
  const {
    genes,
    librarySizes,
    factors,
    residualDegrees,
    map,
    means,
    tests,
    spread,
    histograms,
    correlation,
  } = answer.result;
  const variances = tests.priorVariances.toSorted();
  const [test] = tests.contrasts;
  const reach = reaches(tests.geneDegrees);
  return {
    table: writtenSums(task, symbols, {
      genes,
      effects: test!.effects,
      reaches: test!.standardErrors.map((error, place) => reach(place) * error),
      scores: test!.t,
      pvals: test!.pValues,
      adjusted: test!.adjusted,
      own: [means],
      means,
    }),
    checks: {
      librarySizes,
      factors,
      effectiveSizes: librarySizes.map((size, sample) => size * factors[sample]!),
      residualDegrees,
      tested: genes.length,
      // The median of the genes' variances, as they differ with a trend.
      shrinkage: {
        of: 'variances',
        priorDegrees: tests.priorDegrees,
        priorVariance: variances[variances.length >> 1]!,
      },
      map: mapPoints(map),
      spread: {
        measure: 'deviation',
        points: thinned(spread.points, maxSpreadPoints),
        trend: thinned(spread.trend, maxSpreadPoints),
      },
      histogram: histograms[0]!,
      ...(correlation !== undefined && !Number.isNaN(correlation) && { correlation }),
    },
  };
}

export const pseudobulkTasks = [
  taskKind<SumPlanTask>('sum-plan', (task, { dataset, signal }) => planSums(task, dataset, signal)),
  taskKind<SumBlockTask>('sum-block', (task, { dataset, signal }) => sumBlock(task, dataset, signal)),
  taskKind<SumTableTask>('sum-table', (task, { dataset }) => tableOfSums(task, dataset)),
  ...negativeBinomialTasks,
  ...quasiLikelihoodTasks,
];

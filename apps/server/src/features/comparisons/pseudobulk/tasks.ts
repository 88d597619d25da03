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
import { isUnassigned, sharedCopy, type Column } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { batchColumns } from '../../../runtime/batch-columns.ts';
import { categoricalColumn, categoriesOf } from '../../../runtime/compute/open-datasets.ts';
import { type DatasetRef, type Task, taskKind } from '../../../runtime/compute/task.ts';
import { negativeBinomialTasks } from './negative-binomial-tasks.ts';
import { quasiLikelihoodTasks } from './quasi-likelihood-tasks.ts';
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
  kind: 'sum-plan';
  dataset: DatasetRef;
  /** Arrays are in shared memory. */
  compared: ComparedCells;
  /** Column of obs. */
  samples: string;
  /** A column without whose value a cell does not count; undefined when all cells count. */
  labelled: string | undefined;
  /** Whether values of it such as `Unknown` are as none. */
  assigned: boolean;
  columns: readonly string[];
  /** Covariates whose numbers are quantities, even with few distinct values. */
  numeric: readonly string[];
  /** A column whose values group several samples each; undefined for none. */
  blocks: string | undefined;
  /** Samples with fewer cells on a side are left out on that side. */
  minCells: number;
}

/** The groups of the sums are the sides of the parts: twice the index of the part, plus one for B. */
export interface SumPlan extends PseudobulkSamples {
  /** Sample names, by code. */
  names: readonly string[];
  unlabelled: number;
  /** Groups of `labelled` whose name says that their cells have none, with the cells of the sides in each. */
  unassigned: readonly { name: string; cells: number }[];
  /** The requested columns with a value for each sum, or the one whose values differ between the cells of a sum. */
  values: readonly SampleColumn[] | { varying: string; sum: number };
  /** The block of each sum, as its own code. */
  blocks?: Int32Array;
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
  kind: 'sum-block';
  dataset: DatasetRef;
  /** Codes are in shared memory. */
  samples: PseudobulkSamples;
  /** Genes × sums, in shared memory. */
  into: Float64Array;
  from: number;
  to: number;
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
  kind: 'sum-table';
  dataset: DatasetRef;
  trend: boolean;
  robust: boolean;
  /** Whether the samples of a block are treated as correlated; otherwise the correlation is only reported. */
  isRandom: boolean;
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

/**
 * The value of a column shared by all cells of a sum, or the first sum whose cells differ; a missing value counts as a
 * value. Throws RangeError for free text and for integers of more than 53 bits.
 */
function sampleValues(
  name: string,
  column: Column,
  { sums, codes: sumOf }: PseudobulkSamples,
): SampleColumn | { varying: string; sum: number } {
  const labels = categoriesOf(column);
  if (!labels && column.kind !== 'numeric') throw new RangeError(`the column ${name} is ${column.kind}`);
  const missing = column.kind === 'numeric' ? column.missing : undefined;
  const source = labels ? labels.codes : (column as Extract<Column, { kind: 'numeric' }>).values;
  const values = new Float64Array(sums.length);
  const isSeen = new Uint8Array(sums.length);
  for (let cell = 0; cell < sumOf.length; cell++) {
    const sum = sumOf[cell]!;
    if (sum < 0) continue;
    const value = missing?.[cell] ? NaN : source[cell]! + 0;
    if (isSeen[sum] === 0) {
      isSeen[sum] = 1;
      values[sum] = value;
    } else if (!Object.is(values[sum], value)) return { varying: name, sum };
  }
  return labels
    ? { kind: 'categorical', name, categories: labels.categories, codes: Int32Array.from(values) }
    : { kind: 'numeric', name, values };
}

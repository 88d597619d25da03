import {
  benjaminiHochberg,
  type BlockStatistics,
  type ComparedCells,
  compareSides,
  groupsOfPart,
  type MarkerTest,
  partsBetween,
  partStatistics,
  type SideComparison,
  storedStatistics,
  type Thinning,
} from '@cellfolio/analysis';
import { isCategorical, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { readTestedBlock } from '../../runtime/cell-depths.ts';
import { type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { type ComparedTable, counted, joinedRows, surestFirst, type Thresholds } from './compared-table.ts';
import { pseudobulkTasks } from './pseudobulk/tasks.ts';
import type { Round } from './rounds.ts';
import { sampleTasks } from './sample-check-task.ts';
import { tableLineTasks } from './table-lines.ts';

export interface SomePartsTask extends Task<ComparedCells> {
  kind: 'compare-some-parts';
  compared: ComparedCells;
  round: Round;
}

function somePartsOf({ compared, round }: SomePartsTask): ComparedCells {
  const { sides, partOf, ...parts } = partsBetween(compared, round);
  return { ...parts, sides: sharedCopy(sides), ...(partOf && { partOf: sharedCopy(partOf) }) };
}

export interface SideBlockTask extends Task<BlockStatistics[]> {
  kind: 'compare-block';
  dataset: DatasetRef;
  /** Arrays are in shared memory. */
  compared: ComparedCells;
  method: MarkerTest['method'];
  /** How raw counts are thinned to one depth before they are tested; absent where values are tested as they are. */
  thinning: Thinning | undefined;
  from: number;
  to: number;
}

/**
 * The sums of both sides that are stored with the dataset, for a t-test of one part; undefined when a side is not a
 * union of stored groups.
 */
export interface StoredSidesTask extends Task<BlockStatistics | undefined> {
  kind: 'compare-stored';
  dataset: DatasetRef;
  compared: ComparedCells;
  /** Columns of obs whose categories may make up the sides. */
  columns: readonly string[];
}

async function storedSides(
  { compared, columns }: StoredSidesTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<BlockStatistics | undefined> {
  for (const name of columns) {
    const stored = await dataset.groupStatistics(name, signal);
    const column = stored && (await dataset.obs(name, signal));
    const columnStatistics =
      column && isCategorical(column) && storedStatistics(stored, column, groupsOfPart(compared, 0));
    if (columnStatistics) return columnStatistics;
  }
  return undefined;
}

export interface SideTableTask extends Task<ComparedTable> {
  kind: 'compare-table';
  dataset: DatasetRef;
  blocks: readonly BlockStatistics[];
  compared: ComparedCells;
  untested: readonly number[];
  test: MarkerTest & { place: number };
  thresholds: Thresholds;
}

export function cellTableColumns(method: MarkerTest['method'], isParted: boolean): string[] {
  const columns = 'names scores logfoldchanges pvals pvals_adj pct_nz_a pct_nz_b mean_a mean_b'.split(' ');
  return [...(isParted ? ['group'] : []), ...columns, ...(method === 'wilcoxon' ? ['auc'] : [])];
}

function tableOf(task: SideTableTask, dataset: Dataset): ComparedTable {
  const { blocks, compared, untested, test, thresholds } = task;
  const comparison = withoutTests(compareSides(blocks, compared, test), untested);
  const { symbols } = dataset.genes;
  const { scores, logfoldchanges, pvals, pvals_adj, pctInGroup, pctOutside, meanA, meanB, auc } = comparison;
  const columns = [scores, logfoldchanges, pvals, pvals_adj, pctInGroup, pctOutside, meanA, meanB];
  if (auc) columns.push(auc);
  const { exactAdjusted } = comparison;
  const left = new Set(untested);
  const surest = surestFirst(
    [...comparison.pvals.keys()].filter((row) => !left.has(row)),
    comparison,
  );
  return {
    scores,
    means: meanA.map((mean, gene) => (mean + meanB[gene]!) / 2),
    logfoldchanges,
    pvals,
    pvals_adj,
    warnings: comparison.warnings,
    sparse: exactAdjusted ? failing(exactAdjusted, pvals_adj, thresholds.adjustedP) : 0,
    columns,
    order: joinedRows(surest, left),
    ...counted(surest, comparison, { thresholds, symbols }),
  };
}

/** Genes that pass the limit by their own p-value alone. */
function failing(exact: Float64Array, adjusted: Float64Array, limit: number): number {
  return adjusted.reduce((count, p, row) => count + (p < limit && exact[row]! >= limit ? 1 : 0), 0);
}

/** Removes the tests of some genes; the p-values of the others are adjusted for their reduced number. */
function withoutTests(comparison: SideComparison, untested: readonly number[]): SideComparison {
  if (untested.length === 0) return comparison;
  const left = new Set(untested);
  const testedRows = Int32Array.from([...comparison.pvals.keys()].filter((row) => !left.has(row)));
  const adjusted = benjaminiHochberg(Float64Array.from(testedRows, (row) => comparison.pvals[row]!));
  const pvals_adj = new Float64Array(comparison.pvals.length).fill(NaN);
  testedRows.forEach((row, at) => (pvals_adj[row] = adjusted[at]!));
  const without = <Values extends Float32Array | Float64Array>(values: Values): Values => {
    const own = values.slice() as Values;
    for (const row of untested) own[row] = NaN;
    return own;
  };
  return {
    ...comparison,
    scores: without(comparison.scores),
    logfoldchanges: without(comparison.logfoldchanges),
    pvals: without(comparison.pvals),
    pvals_adj,
    ...(comparison.auc && { auc: without(comparison.auc) }),
  };
}

export const comparisonTasks = [
  taskKind<SomePartsTask>('compare-some-parts', somePartsOf),
  taskKind<SideBlockTask>('compare-block', ({ compared, method, ...genes }, { dataset, signal }) =>
    readTestedBlock(dataset, genes, (block) => partStatistics(block, compared, method), signal),
  ),
  taskKind<StoredSidesTask>('compare-stored', (task, { dataset, signal }) =>
    storedSides(task, dataset, signal),
  ),
  taskKind<SideTableTask>('compare-table', (task, { dataset }) => tableOf(task, dataset)),
  ...sampleTasks,
  ...tableLineTasks,
  ...pseudobulkTasks,
];

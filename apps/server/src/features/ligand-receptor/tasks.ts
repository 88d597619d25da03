import {
  cellGroups,
  countAsHigh,
  EntryCollector,
  findInteractions,
  groupExpression,
  type GroupLabels,
  type Interactions,
  type InteractionRanks,
  type InteractionScores,
  type PermutedInteractions,
  rankInteractions,
  type ResolvedPair,
  scoreInteractions,
} from '@cellfolio/analysis';
import { type NumericArray, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type CellTask, type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';

export interface PairGroupsTask extends CellTask<PairGroups> {
  kind: 'pair-groups';
  column: string;
  /** Undefined for all. */
  chosen: readonly string[] | undefined;
  minCells: number;
}

export interface PairGroups extends GroupLabels {
  names: readonly string[];
  /** Per cell of the dataset, its index among the compared cells; −1 for the others. */
  placeOf: Int32Array;
  leftOut: readonly { name: string; cells: number }[];
  empty: readonly string[];
  unlabelled: number;
}

async function findPairGroups(
  task: PairGroupsTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<PairGroups> {
  const column = await categoricalColumn(dataset, task.column, signal);
  const { names, sizes, codes, cellCount } = cellGroups(column, task.mask);
  const chosen = task.chosen && new Set(task.chosen);
  const candidates = names.flatMap((name, group) => (chosen && !chosen.has(name) ? [] : [group]));
  const eligible = candidates.filter((group) => sizes[group]! >= task.minCells);
  const placeOfGroup = new Int32Array(names.length + 2).fill(-1);
  eligible.forEach((group, place) => (placeOfGroup[group] = place));
  const count = eligible.reduce((sum, group) => sum + sizes[group]!, 0);
  const placeOf = new Int32Array(new SharedArrayBuffer(codes.length * 4)).fill(-1);
  const labels = new Uint16Array(new SharedArrayBuffer(count * 2));
  let place = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    const group = placeOfGroup[codes[cell]!]!;
    if (group < 0) continue;
    labels[place] = group;
    placeOf[cell] = place++;
  }
  const labelled = sizes.reduce((sum, size) => sum + size, 0);
  return {
    names: eligible.map((group) => names[group]!),
    sizes: Float64Array.from(eligible, (group) => sizes[group]!),
    labels,
    placeOf,
    leftOut: candidates
      .filter((group) => !eligible.includes(group))
      .map((group) => ({ name: names[group]!, cells: sizes[group]! })),
    empty: (task.chosen ?? []).filter((name) => !names.includes(name)),
    unlabelled: cellCount - labelled,
  };
}

export interface ScorePairsTask extends Task<ScoredPairs> {
  kind: 'pair-scores';
  dataset: DatasetRef;
  groups: Pick<PairGroups, 'labels' | 'sizes' | 'placeOf'>;
  pairs: readonly ResolvedPair[];
  /** Rows in var of the genes, ascending. */
  rows: Int32Array;
  minShare: number;
  max: { interactions: number; values: number };
  /** Mean of all values, for SingleCellSignalR's score. */
  matrixMean: number;
}

export interface ScoredPairs extends Pick<PermutedInteractions, 'entries' | 'interactions'> {
  scores: InteractionScores;
  /** Number of pairs × pairs of groups that were evaluated. */
  looked: number;
}

async function scorePairs(task: ScorePairsTask, dataset: Dataset, signal: AbortSignal): Promise<ScoredPairs> {
  const { groups, rows, pairs, max, matrixMean } = task;
  const collector = new EntryCollector(groups.placeOf, { cells: groups.labels.length, genes: rows.length });
  await dataset.useGenes(rows, (_, cells, values) => collector.count(cells, values), signal);
  collector.counted(max.values);
  await dataset.useGenes(rows, (gene, cells, values) => collector.take(gene, cells, values), signal);
  const entries = collector.entries();
  const expression = groupExpression(entries, groups);
  const limits = { minShare: task.minShare, max: max.interactions };
  const { interactions, looked } = findInteractions(pairs, expression, limits);
  const scores = scoreInteractions(interactions, expression, matrixMean);
  // Many tasks have them.
  return { entries, interactions: shared(interactions), scores: shared(scores), looked };
}

/** Copies the columns to shared memory. */
function shared<T extends Interactions | InteractionScores>(columns: T): T {
  const copies = Object.entries(columns).map(([name, column]) => [name, sharedCopy(column as NumericArray)]);
  return Object.fromEntries(copies) as T;
}

export interface PermutePairsTask extends Task<Uint32Array> {
  kind: 'pair-permutations';
  permuted: PermutedInteractions;
  from: number;
  to: number;
}

export interface PairTableTask extends Task<PairTable> {
  kind: 'pair-table';
  counts: readonly Uint32Array[];
  permutations: number;
  interactions: Interactions;
  scores: InteractionScores;
  threshold: number;
  groups: readonly string[];
  pairs: readonly {
    ligand: string;
    receptor: string;
    reference: string;
  }[];
  hasReferences: boolean;
  genes: readonly string[];
}

export interface PairTable {
  /** CSV lines without header, by ascending p-value, then by descending mean. */
  rows: string;
  pValues: Float64Array;
  /** Number of interactions below the threshold, by p and by adjusted p. */
  significant: number;
  adjustedPassing: number;
  /** Interactions counted by p whose ligand or receptor is no higher in its group than in the other cells. */
  oneSided: number;
  zeroPs: number;
}

/** LIANA's column names where it has the column; the others are ours. */
export function pairColumns(hasReferences: boolean): string[] {
  const columns =
    'source target ligand_complex receptor_complex ligand_means receptor_means lr_means cellphone_pvals cellphone_pvals_adj expr_prod lr_logfc min_logfc magnitude_rank specificity_rank ligand_props receptor_props lrscore scaled_weight spec_weight ligand receptor';
  return [...columns.split(' '), ...(hasReferences ? ['reference'] : [])];
}

function tableOf(task: PairTableTask): PairTable {
  const { interactions, scores, permutations, threshold } = task;
  const counts = new Uint32Array(interactions.pairs.length);
  for (const part of task.counts) part.forEach((count, row) => (counts[row]! += count));
  const ranks = rankInteractions(counts, permutations, scores);
  const { pValues, adjustedPs } = ranks;
  const order = Uint32Array.from(pValues, (_, row) => row).sort(
    (one, other) =>
      pValues[one]! - pValues[other]! || scores.means[other]! - scores.means[one]! || one - other,
  );
  const below = (ps: Float64Array, isSo: (row: number) => boolean = () => true) =>
    ps.reduce((count, p, row) => count + (p < threshold && isSo(row) ? 1 : 0), 0);
  return {
    rows: Array.from(order, (row) => lineOf(task, ranks, row)).join(''),
    pValues,
    significant: below(pValues),
    adjustedPassing: below(adjustedPs),
    oneSided: below(pValues, (row) => scores.minChanges[row]! <= 0),
    zeroPs: pValues.reduce((count, p) => count + (p === 0 ? 1 : 0), 0),
  };
}

function lineOf(
  { interactions, scores, groups, pairs, genes, hasReferences }: PairTableTask,
  ranks: InteractionRanks,
  row: number,
): string {
  const pair = pairs[interactions.pairs[row]!]!;
  const numbers = [
    scores.ligandMeans,
    scores.receptorMeans,
    scores.means,
    ranks.pValues,
    ranks.adjustedPs,
    scores.products,
    scores.logFoldChanges,
    scores.minChanges,
    ranks.magnitudeRanks,
    ranks.specificityRanks,
    scores.ligandShares,
    scores.receptorShares,
    scores.lrScores,
    scores.scaledWeights,
    scores.specificities,
  ].map((column) => column[row]!);
  return csvLine([
    groups[interactions.sources[row]!]!,
    groups[interactions.targets[row]!]!,
    pair.ligand,
    pair.receptor,
    ...numbers,
    genes[interactions.ligands[row]!]!,
    genes[interactions.receptors[row]!]!,
    ...(hasReferences ? [pair.reference] : []),
  ]);
}

export const ligandReceptorTasks = [
  taskKind<PairGroupsTask>('pair-groups', (task, { dataset, signal }) =>
    findPairGroups(task, dataset, signal),
  ),
  taskKind<ScorePairsTask>('pair-scores', (task, { dataset, signal }) => scorePairs(task, dataset, signal)),
  taskKind<PermutePairsTask>('pair-permutations', ({ permuted, from, to }) =>
    countAsHigh(permuted, from, to),
  ),
  taskKind<PairTableTask>('pair-table', (task) => tableOf(task)),
];

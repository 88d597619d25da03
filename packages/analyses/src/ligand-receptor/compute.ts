import {
  cellGroups,
  countAsHigh,
  EntryCollector,
  findInteractions,
  groupExpression,
  type GroupLabels,
  type InteractionRanks,
  type Interactions,
  type InteractionScores,
  type PermutedInteractions,
  rankInteractions,
  type ResolvedPair,
  scoreInteractions,
  TooManyInteractions,
  TooManyValues,
} from '@cellfolio/analysis';
import { type CellMask, type NumericArray, sharedCopy } from '@cellfolio/model';
import type { GeneRange, ThreadDataset } from '../context.ts';
import type { TableOf } from '../declare.ts';
import type { ligandReceptor } from './declare.ts';

interface GroupsInput {
  readonly mask: CellMask | undefined;
  readonly column: string;
  /** Undefined for all. */
  readonly chosen: readonly string[] | undefined;
  readonly minCells: number;
}

export interface PairGroups extends GroupLabels {
  readonly names: readonly string[];
  /** Per cell of the dataset, its index among the compared cells; −1 for the others. */
  readonly placeOf: Int32Array;
  readonly leftOut: readonly { readonly name: string; readonly cells: number }[];
  readonly empty: readonly string[];
  readonly unlabelled: number;
}

/** Cells of the compared groups; arrays are in shared memory. */
async function group(
  { mask, column: name, chosen: chosenNames, minCells }: GroupsInput,
  dataset: ThreadDataset,
): Promise<PairGroups> {
  const { names, sizes, codes, cellCount } = cellGroups(await dataset.categories(name), mask);
  const chosen = chosenNames && new Set(chosenNames);
  const candidates = names.flatMap((one, at) => (chosen && !chosen.has(one) ? [] : [at]));
  const eligible = candidates.filter((at) => sizes[at]! >= minCells);
  const placeOfGroup = new Int32Array(names.length + 2).fill(-1);
  eligible.forEach((at, place) => (placeOfGroup[at] = place));
  const count = eligible.reduce((sum, at) => sum + sizes[at]!, 0);
  const placeOf = new Int32Array(new SharedArrayBuffer(codes.length * 4)).fill(-1);
  const labels = new Uint16Array(new SharedArrayBuffer(count * 2));
  let place = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    const label = placeOfGroup[codes[cell]!]!;
    if (label < 0) continue;
    labels[place] = label;
    placeOf[cell] = place++;
  }
  const labelled = sizes.reduce((sum, size) => sum + size, 0);
  return {
    names: eligible.map((at) => names[at]!),
    sizes: Float64Array.from(eligible, (at) => sizes[at]!),
    labels,
    placeOf,
    leftOut: candidates
      .filter((at) => !eligible.includes(at))
      .map((at) => ({ name: names[at]!, cells: sizes[at]! })),
    empty: (chosenNames ?? []).filter((one) => !names.includes(one)),
    unlabelled: cellCount - labelled,
  };
}

interface ScoreInput {
  readonly groups: Pick<PairGroups, 'labels' | 'sizes' | 'placeOf'>;
  readonly pairs: readonly ResolvedPair[];
  /** Rows in var of the genes, ascending. */
  readonly rows: Int32Array;
  readonly minShare: number;
  readonly max: { readonly interactions: number; readonly values: number };
  /** Mean of all values, for SingleCellSignalR's score. */
  readonly matrixMean: number;
}

export interface ScoredPairs extends Pick<PermutedInteractions, 'entries' | 'interactions'> {
  readonly scores: InteractionScores;
  /** Number of pairs × pairs of groups that were evaluated. */
  readonly looked: number;
}

/** More interactions or values than the maximum. */
export interface TooMany {
  readonly refusal: 'interactions' | 'values';
  readonly count: number;
}

async function score(
  { groups, rows, pairs, minShare, max, matrixMean }: ScoreInput,
  dataset: ThreadDataset,
): Promise<ScoredPairs | TooMany> {
  const collector = new EntryCollector(groups.placeOf, { cells: groups.labels.length, genes: rows.length });
  await dataset.useGenes(rows, (_, cells, values) => collector.count(cells, values));
  try {
    collector.counted(max.values);
    await dataset.useGenes(rows, (gene, cells, values) => collector.take(gene, cells, values));
    const entries = collector.entries();
    const expression = groupExpression(entries, groups);
    const { interactions, looked } = findInteractions(pairs, expression, { minShare, max: max.interactions });
    const scores = scoreInteractions(interactions, expression, matrixMean);
    // Many tasks have them.
    return { entries, interactions: shared(interactions), scores: shared(scores), looked };
  } catch (error) {
    if (error instanceof TooManyInteractions) return { refusal: 'interactions', count: error.count };
    if (error instanceof TooManyValues) return { refusal: 'values', count: error.count };
    throw error;
  }
}

/** Copies the columns to shared memory. */
function shared<T extends Interactions | InteractionScores>(columns: T): T {
  const copies = Object.entries(columns).map(([name, column]) => [name, sharedCopy(column as NumericArray)]);
  return Object.fromEntries(copies) as T;
}

function permute({ permuted, from, to }: GeneRange & { readonly permuted: PermutedInteractions }) {
  return countAsHigh(permuted, from, to);
}

interface RankInput {
  readonly counts: readonly Uint32Array[];
  readonly permutations: number;
  readonly interactions: Interactions;
  readonly scores: InteractionScores;
  readonly threshold: number;
  readonly groups: readonly string[];
  readonly pairs: readonly {
    readonly ligand: string;
    readonly receptor: string;
    readonly reference: string;
  }[];
  readonly genes: readonly string[];
}

export interface RankedPairs {
  readonly pValues: Float64Array;
  /** Number of interactions below the threshold, by p and by adjusted p. */
  readonly significant: number;
  readonly adjustedPassing: number;
  /** Interactions counted by p whose ligand or receptor is no higher in its group than in the other cells. */
  readonly oneSided: number;
  readonly zeroPs: number;
  /** By ascending p-value, then by descending mean. */
  readonly table: TableOf<(typeof ligandReceptor)['table']>;
}

function rank(input: RankInput): RankedPairs {
  const { interactions, scores, permutations, threshold } = input;
  const counts = new Uint32Array(interactions.pairs.length);
  for (const part of input.counts) part.forEach((count, row) => (counts[row]! += count));
  const ranks = rankInteractions(counts, permutations, scores);
  const { pValues, adjustedPs } = ranks;
  const order = Uint32Array.from(pValues, (_, row) => row).sort(
    (one, other) =>
      pValues[one]! - pValues[other]! || scores.means[other]! - scores.means[one]! || one - other,
  );
  const below = (ps: Float64Array, isSo: (row: number) => boolean = () => true) =>
    ps.reduce((count, p, row) => count + (p < threshold && isSo(row) ? 1 : 0), 0);
  return {
    pValues,
    significant: below(pValues),
    adjustedPassing: below(adjustedPs),
    oneSided: below(pValues, (row) => scores.minChanges[row]! <= 0),
    zeroPs: pValues.reduce((count, p) => count + (p === 0 ? 1 : 0), 0),
    table: tableOf(input, ranks, order),
  };
}

function tableOf(
  { interactions, scores, groups, pairs, genes }: RankInput,
  ranks: InteractionRanks,
  order: Uint32Array,
): RankedPairs['table'] {
  const numbers = (values: Float64Array) => Float64Array.from(order, (row) => values[row]!);
  const texts = (codes: Uint16Array | Uint32Array, categories: readonly string[]) => ({
    codes: Uint32Array.from(order, (row) => codes[row]!),
    categories,
  });
  const references = pairs.map(({ reference }) => reference);
  return {
    source: texts(interactions.sources, groups),
    target: texts(interactions.targets, groups),
    ligand_complex: texts(
      interactions.pairs,
      pairs.map(({ ligand }) => ligand),
    ),
    receptor_complex: texts(
      interactions.pairs,
      pairs.map(({ receptor }) => receptor),
    ),
    ligand_means: numbers(scores.ligandMeans),
    receptor_means: numbers(scores.receptorMeans),
    lr_means: numbers(scores.means),
    cellphone_pvals: numbers(ranks.pValues),
    cellphone_pvals_adj: numbers(ranks.adjustedPs),
    expr_prod: numbers(scores.products),
    lr_logfc: numbers(scores.logFoldChanges),
    min_logfc: numbers(scores.minChanges),
    magnitude_rank: numbers(ranks.magnitudeRanks),
    specificity_rank: numbers(ranks.specificityRanks),
    ligand_props: numbers(scores.ligandShares),
    receptor_props: numbers(scores.receptorShares),
    lrscore: numbers(scores.lrScores),
    scaled_weight: numbers(scores.scaledWeights),
    spec_weight: numbers(scores.specificities),
    ligand: texts(interactions.ligands, genes),
    receptor: texts(interactions.receptors, genes),
    ...(references.some((reference) => reference !== '') && {
      reference: texts(interactions.pairs, references),
    }),
  };
}

export const steps = { group, score, permute, rank };

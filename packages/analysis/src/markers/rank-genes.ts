import { plural, type ResultCaution } from '@cellfolio/model';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { normalUpperTail, studentTwoSidedTail } from '../statistics/tails.ts';
import type { BlockStatistics, MarkerMethod } from './block-statistics.ts';
import type { CellGroups } from './cell-groups.ts';
import { correctSparse } from './sparse-p-values.ts';
import type { CellTest } from './cell-test-parameters.ts';
import { GroupColumns, type GroupSums, joinBlocks } from './group-sums.ts';
import { othersOf, testedGroups, type TestedGroup } from './tested-groups.ts';

export interface MarkerTest {
  readonly method: MarkerMethod;
  /** Wilcoxon only: corrects for ties, such as zeros, like R's `wilcox.test`. scanpy does not by default. */
  readonly tieCorrect: boolean;
  /** Added to expm1 of both means of a fold change; 1e-9 in scanpy. */
  readonly pseudocount: number;
  /** Corrects p-values of genes that few cells express, as `correctSparse`; default: not, as in scanpy. */
  readonly exactSparse?: boolean;
  /** Minimum cells of a tested group, and of the others; default 2, as in scanpy. */
  readonly minCells?: number;
  /** Group that each other one is compared with; all cells outside the group if absent. */
  readonly reference?: number;
}

/** The test that parameters of an analysis ask for. */
export function markerTest({
  method,
  tie_correct: tieCorrect,
  pseudocount,
  sparse_genes,
  min_cells: minCells,
}: Pick<CellTest, 'tie_correct' | 'pseudocount' | 'sparse_genes'> & {
  method: MarkerMethod;
  min_cells: number;
}): MarkerTest {
  return { method, tieCorrect, pseudocount, exactSparse: sparse_genes === 'exact', minCells };
}

/** One group against all other cells, or those of the reference: one value per gene, by row in var. */
export interface GroupRanking extends TestedGroup {
  /** z of the Wilcoxon test or t of Welch's; positive if the group has more, 0 if undefined. */
  readonly scores: Float64Array;
  /**
   * log2 of the ratio of expm1 of the means, with the pseudocount added to both. NaN if a negative mean, of scaled
   * values, outweighs it.
   */
  readonly logfoldchanges: Float64Array;
  /** Mean of the group's values, including those of cells without expression. */
  readonly means: Float64Array;
  /** Two-sided; 1 if undefined. */
  readonly pvals: Float64Array;
  /** By Benjamini and Hochberg over all genes. */
  readonly pvals_adj: Float64Array;
  /** Without `exactSparse`, where it would make a difference: the adjusted p-values by it. */
  readonly exactAdjusted?: Float64Array;
  /** Share (0 to 1) of the group's cells with a non-zero value: scanpy's `pct_nz_group`. */
  readonly pctInGroup: Float64Array;
  /** The same for the cells that it is compared with: scanpy's `pct_nz_reference`. */
  readonly pctOutside: Float64Array;
  /**
   * Wilcoxon only: area under the ROC curve, the share of pairs (a cell of the group, one that it is compared with) in
   * which the former has more, ties counting half.
   */
  readonly auc?: Float64Array;
  /** t-test only: 1 where the values of one side are all equal, but not those of the other. */
  readonly isFlat?: Uint8Array;
}

interface MarkerRanking {
  geneCount: number;
  groups: readonly TestedGroup[];
  warnings: readonly ResultCaution[];
  /**
   * Columns of a group by its index in `groups`: 64 bytes per gene and some milliseconds, computed on every call, so
   * that many groups need not be in memory at once; fastest in the order of the groups. Throws RangeError.
   */
  rank(place: number): GroupRanking;
}

/**
 * scanpy's `rank_genes_groups` with reference "rest", or with a group as the reference, from the statistics of all genes
 * in blocks in any order. A gene with a NaN among the counted cells has score 0 and p-value 1 in every group, and log
 * fold change NaN where a side has it. Throws NotEnoughGroups, and RangeError for blocks that do not match.
 */
export function rankGenes(
  blocks: readonly BlockStatistics[],
  groups: CellGroups,
  test: MarkerTest,
): MarkerRanking {
  const { reference } = test;
  const { tested, warnings } = testedGroups(groups, test.minCells, reference);
  const genes = joinBlocks(blocks, groups);
  if (genes.blocks.some((block) => !isOfTest(block, test))) {
    throw new RangeError(`the statistics are not those of a ${test.method} with this reference`);
  }
  const columns = new GroupColumns(genes, reference);
  const isUnusable = Uint8Array.from(columns.totals('sums'), (sum) => (Number.isNaN(sum) ? 1 : 0));
  const unusable = isUnusable.reduce((count, one) => count + one, 0);
  if (unusable > 0) {
    warnings.push({
      code: 'genes-with-missing-values',
      message: `${plural(unusable, 'gene was', 'genes were')} not tested because of missing values in some cells: leave these cells out to test them.`,
      numbers: { genes: unusable },
    });
  }
  const sharedTies =
    reference === undefined
      ? Float64Array.from(genes.blocks.flatMap(({ tieTerms }) => Array.from(tieTerms)))
      : undefined;
  return {
    geneCount: genes.geneCount,
    groups: tested,
    warnings,
    rank(place) {
      const chosen = tested[place];
      if (!chosen) throw new RangeError(`there is no group ${place} among ${tested.length}`);
      const { group, cells: size } = chosen;
      const rest = othersOf(groups, size, reference);
      const counts = { size, rest };
      const sums = columns.sides('sums', group);
      const { scores, pvals, auc, isFlat } =
        test.method === 't-test'
          ? welchScores(sums, columns.sides('squares', group), counts)
          : wilcoxonScores(columns.column('rankSums', group), {
              ...counts,
              tieTerms: test.tieCorrect ? (sharedTies ?? columns.column('tieTerms', group)) : undefined,
            });
      for (let gene = 0; gene < scores.length; gene++) {
        if (isUnusable[gene] === 1 || Number.isNaN(scores[gene])) {
          scores[gene] = 0;
          pvals[gene] = 1;
        }
      }
      const expressing = columns.sides('expressing', group);
      const exact = test.exactSparse ? pvals : pvals.slice();
      const corrected = correctSparse(
        exact,
        { size, expressing: expressing.inside },
        { size: rest, expressing: expressing.outside },
      );
      return {
        ...chosen,
        scores,
        logfoldchanges: logFoldChanges(sums, counts, test.pseudocount),
        means: sums.inside.map((sum) => sum / size),
        pvals,
        pvals_adj: benjaminiHochberg(pvals),
        ...(corrected > 0 && !test.exactSparse && { exactAdjusted: benjaminiHochberg(exact) }),
        pctInGroup: expressing.inside.map((count) => count / size),
        pctOutside: expressing.outside.map((count) => count / rest),
        ...(auc && { auc }),
        ...(isFlat && { isFlat }),
      };
    },
  };
}

/** The sums of a t-test do not depend on the reference. */
function isOfTest(block: BlockStatistics, { method, reference }: MarkerTest): boolean {
  return block.method === method && (method === 't-test' || block.reference === reference);
}

/** Numbers of cells of the group, and of those it is compared with. */
interface SideSizes {
  readonly size: number;
  readonly rest: number;
}

function logFoldChanges(
  { inside, outside }: GroupSums,
  { size, rest }: SideSizes,
  pseudocount: number,
): Float64Array {
  const changes = new Float64Array(inside.length);
  for (let gene = 0; gene < changes.length; gene++)
    changes[gene] = logFoldChange(inside[gene]! / size, outside[gene]! / rest, pseudocount);
  return changes;
}

function logFoldChange(mean: number, otherMean: number, pseudocount: number): number {
  return Math.log2((Math.expm1(mean) + pseudocount) / (Math.expm1(otherMean) + pseudocount));
}

export interface MarkerFilter {
  readonly nGenes: number;
  /** Exclusive upper limit of the adjusted p-value. */
  readonly maxAdjustedP: number;
  /** Exclusive lower limit of the log fold change. */
  readonly minLogFoldChange: number;
}

/** Whether a gene passes both exclusive limits. */
export function passes(ranking: GroupRanking, filter: MarkerFilter, row: number): boolean {
  return (
    ranking.pvals_adj[row]! < filter.maxAdjustedP && ranking.logfoldchanges[row]! > filter.minLogFoldChange
  );
}

/**
 * Rows in var of a group's markers: those that pass `pval_cutoff` and `log2fc_min` as in scanpy's
 * `get.rank_genes_groups_df` (exclusive limits), limited to the first by descending score. Ties are in the order of
 * var; scanpy's order is undefined for them.
 */
export function selectMarkers(ranking: GroupRanking, filter: MarkerFilter): Int32Array {
  const { scores } = ranking;
  const limit = Math.max(0, Math.floor(filter.nGenes));
  let rows: number[] = [];
  for (let row = 0; row < scores.length; row++) {
    if (passes(ranking, filter, row)) rows.push(row);
  }
  if (rows.length > limit && limit > 0) {
    // Numbers alone are sorted several times as fast as rows by their scores: only the rows wanted are.
    const rising = Float64Array.from(rows, (row) => scores[row]!).sort();
    const cutoff = rising[rising.length - limit]!;
    rows = rows.filter((row) => scores[row]! >= cutoff);
  }
  // Two infinite scores differ by NaN, and so are as good as equal.
  rows.sort((a, b) => scores[b]! - scores[a]! || a - b);
  return Int32Array.from(rows.slice(0, limit));
}

/** Scores of one group and their two-sided p-values, one per gene. NaN if a test is undefined. */
interface TestColumns {
  scores: Float64Array;
  pvals: Float64Array;
  /** Wilcoxon only: the area under the ROC curve. */
  auc?: Float64Array;
  /** As in `GroupRanking`. */
  isFlat?: Uint8Array;
}

/**
 * The Wilcoxon–Mann–Whitney rank-sum test by its normal approximation, without a continuity correction, as in scanpy.
 * `tieTerms` correct its variance for ties.
 */
function wilcoxonScores(
  rankSums: Float64Array,
  { size, rest, tieTerms }: SideSizes & { readonly tieTerms: Float64Array | undefined },
): TestColumns {
  const geneCount = rankSums.length;
  const scores = new Float64Array(geneCount);
  const pvals = new Float64Array(geneCount);
  const auc = new Float64Array(geneCount);
  const cellCount = size + rest;
  const expected = (size * (cellCount + 1)) / 2;
  const minRanks = (size * (size + 1)) / 2;
  const pairs = size * rest;
  // Multiplied as the tie terms are, so that a gene with equal values alone has a variance of exactly 0.
  const everyTie = cellCount * cellCount * cellCount - cellCount;
  for (let gene = 0; gene < geneCount; gene++) {
    const coefficient = tieTerms ? 1 - tieTerms[gene]! / everyTie : 1;
    const deviation = Math.sqrt((coefficient * size * rest * (cellCount + 1)) / 12);
    const score = (rankSums[gene]! - expected) / deviation;
    scores[gene] = score;
    auc[gene] = (rankSums[gene]! - minRanks) / pairs;
    pvals[gene] = 2 * normalUpperTail(Math.abs(score));
  }
  return { scores, pvals, auc };
}

/**
 * Welch's t-test of the cells of a group and those that it is compared with, as scanpy calls it in scipy: variances are
 * the mean square minus the squared mean, corrected for the number of cells. NaN if both variances are 0 and the means
 * are equal, or if rounding made a variance negative.
 */
function welchScores(sums: GroupSums, squares: GroupSums, { size, rest }: SideSizes): TestColumns {
  const geneCount = sums.inside.length;
  const scores = new Float64Array(geneCount);
  const pvals = new Float64Array(geneCount);
  const isFlat = new Uint8Array(geneCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const mean = sums.inside[gene]! / size;
    const otherMean = sums.outside[gene]! / rest;
    const error = variance(squares.inside[gene]!, mean, size) / size;
    const otherError = variance(squares.outside[gene]!, otherMean, rest) / rest;
    const degrees = (error + otherError) ** 2 / (error ** 2 / (size - 1) + otherError ** 2 / (rest - 1));
    const score = error < 0 || otherError < 0 ? NaN : (mean - otherMean) / Math.sqrt(error + otherError);
    scores[gene] = score;
    pvals[gene] = studentTwoSidedTail(score, Number.isNaN(degrees) ? 1 : degrees);
    isFlat[gene] = areEqual(error * size, mean) === areEqual(otherError * rest, otherMean) ? 0 : 1;
  }
  return { scores, pvals, isFlat };
}

/** Whether a variance is that of equal values: 0, or what is left of their squares, which are rounded to float32. */
function areEqual(spread: number, mean: number): boolean {
  return Math.abs(spread) <= 1e-6 * mean ** 2;
}

function variance(squares: number, mean: number, count: number): number {
  const spread = squares / count - mean ** 2;
  return count === 1 ? spread : spread * (count / (count - 1));
}

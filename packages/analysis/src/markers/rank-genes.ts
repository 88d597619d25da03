import { plural, type ResultCaution } from '@cellfolio/model';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { normalUpperTail, studentTwoSidedTail } from '../statistics/tails.ts';
import type { BlockStatistics, MarkerMethod } from './block-statistics.ts';
import type { CellGroups } from './cell-groups.ts';
import { geneTotals, groupSums, joinBlocks, type GeneStatistics, type GroupSums } from './group-sums.ts';
import { testedGroups, type TestedGroup } from './tested-groups.ts';

export interface MarkerTest {
  readonly method: MarkerMethod;
  /** Wilcoxon only: corrects for ties, such as zeros, like R's `wilcox.test`. scanpy does not by default. */
  readonly tieCorrect: boolean;
  /** Added to expm1 of both means of a fold change; 1e-9 in scanpy. */
  readonly pseudocount: number;
  /** Minimum cells of a tested group, and of the others; default 2, as in scanpy. */
  readonly minCells?: number;
}

/** One group against all other cells: one value per gene, by row in var. */
export interface GroupRanking extends TestedGroup {
  /** z of the Wilcoxon test or t of Welch's; positive if the group has more, 0 if undefined. */
  readonly scores: Float64Array;
  /**
   * log2 of the ratio of expm1 of the means, with the pseudocount added to both. NaN if a negative mean, of scaled
   * values, outweighs it.
   */
  readonly logfoldchanges: Float64Array;
  /** Two-sided; 1 if undefined. */
  readonly pvals: Float64Array;
  /** By Benjamini and Hochberg over all genes. */
  readonly pvals_adj: Float64Array;
  /** Share (0 to 1) of the group's cells with a non-zero value: scanpy's `pct_nz_group`. */
  readonly pctInGroup: Float64Array;
  /** The same for all other cells: scanpy's `pct_nz_reference`. */
  readonly pctOutside: Float64Array;
  /**
   * Wilcoxon only: area under the ROC curve, the share of pairs (a cell of the group, another cell) in which the former
   * has more, ties counting half.
   */
  readonly auc?: Float64Array;
}

interface MarkerRanking {
  geneCount: number;
  groups: readonly TestedGroup[];
  warnings: readonly ResultCaution[];
  /**
   * Columns of a group by its index in `groups`: 48 bytes per gene and some milliseconds, computed on every call, so
   * that many groups need not be in memory at once. Throws RangeError.
   */
  rank(place: number): GroupRanking;
}

/**
 * scanpy's `rank_genes_groups` with reference "rest", from the statistics of all genes in blocks in any order. A gene
 * with a NaN among the counted cells has score 0, p-value 1 and log fold change NaN. Throws NotEnoughGroups, and
 * RangeError for blocks that do not match.
 */
export function rankGenes(
  blocks: readonly BlockStatistics[],
  groups: CellGroups,
  test: MarkerTest,
): MarkerRanking {
  const { tested, warnings } = testedGroups(groups, test.minCells);
  const genes = joinBlocks(blocks, groups);
  if (genes.blocks.some(({ method }) => method !== test.method)) {
    throw new RangeError(`the statistics are not those of a ${test.method}`);
  }
  const totals = {
    sums: geneTotals(genes, 'sums'),
    squares: test.method === 't-test' ? geneTotals(genes, 'squares') : new Float64Array(),
    expressing: geneTotals(genes, 'expressing'),
  };
  const unusable = totals.sums.reduce((count, sum) => (Number.isNaN(sum) ? count + 1 : count), 0);
  if (unusable > 0) {
    warnings.push({
      code: 'genes-with-missing-values',
      message: `${plural(unusable, 'gene was', 'genes were')} not tested because of missing values in some cells: leave these cells out to test them.`,
      numbers: { genes: unusable },
    });
  }
  return {
    geneCount: genes.geneCount,
    groups: tested,
    warnings,
    rank(place) {
      const chosen = tested[place];
      if (!chosen) throw new RangeError(`there is no group ${place} among ${tested.length}`);
      const { group, cells: size } = chosen;
      const rest = groups.cellCount - size;
      const sums = groupSums(genes, 'sums', totals.sums, group);
      const expressing = groupSums(genes, 'expressing', totals.expressing, group);
      const { scores, pvals, auc } =
        test.method === 't-test'
          ? welchScores(sums, groupSums(genes, 'squares', totals.squares, group), { size, rest })
          : wilcoxonScores(genes, groups, { group, tieCorrect: test.tieCorrect });
      for (let gene = 0; gene < scores.length; gene++) {
        if (Number.isNaN(totals.sums[gene]) || Number.isNaN(scores[gene])) {
          scores[gene] = 0;
          pvals[gene] = 1;
        }
      }
      return {
        ...chosen,
        scores,
        logfoldchanges: sums.inside.map((sum, gene) =>
          logFoldChange(sum / size, sums.outside[gene]! / rest, test.pseudocount),
        ),
        pvals,
        pvals_adj: benjaminiHochberg(pvals),
        pctInGroup: expressing.inside.map((count) => count / size),
        pctOutside: expressing.outside.map((count) => count / rest),
        ...(auc && { auc }),
      };
    },
  };
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
}

/**
 * The Wilcoxon–Mann–Whitney rank-sum test by its normal approximation, without a continuity correction, as in scanpy.
 * `tieCorrect` corrects its variance for ties.
 */
function wilcoxonScores(
  { geneCount, blocks }: GeneStatistics,
  { sizes, cellCount }: CellGroups,
  { group, tieCorrect }: { group: number; tieCorrect: boolean },
): TestColumns {
  const scores = new Float64Array(geneCount);
  const pvals = new Float64Array(geneCount);
  const auc = new Float64Array(geneCount);
  const size = sizes[group]!;
  const expected = (size * (cellCount + 1)) / 2;
  // Multiplied as the tie terms are, so that a gene with equal values alone has a variance of exactly 0.
  const minRanks = (size * (size + 1)) / 2;
  const pairs = size * (cellCount - size);
  const everyTie = cellCount * cellCount * cellCount - cellCount;
  for (const { rankSums, tieTerms, firstGene, slotCount, geneCount: count } of blocks) {
    for (let i = 0; i < count; i++) {
      const coefficient = tieCorrect ? 1 - tieTerms[i]! / everyTie : 1;
      const deviation = Math.sqrt((coefficient * size * (cellCount - size) * (cellCount + 1)) / 12);
      const score = (rankSums[i * slotCount + group]! - expected) / deviation;
      scores[firstGene + i] = score;
      auc[firstGene + i] = (rankSums[i * slotCount + group]! - minRanks) / pairs;
      pvals[firstGene + i] = 2 * normalUpperTail(Math.abs(score));
    }
  }
  return { scores, pvals, auc };
}

/**
 * Welch's t-test of a group against all other cells, as scanpy calls it in scipy: variances are the mean square minus
 * the squared mean, corrected for the number of cells. NaN if both variances are 0 and the means are equal, or if
 * rounding made a variance negative.
 */
function welchScores(
  sums: GroupSums,
  squares: GroupSums,
  { size, rest }: { size: number; rest: number },
): TestColumns {
  const geneCount = sums.inside.length;
  const scores = new Float64Array(geneCount);
  const pvals = new Float64Array(geneCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const mean = sums.inside[gene]! / size;
    const otherMean = sums.outside[gene]! / rest;
    const error = variance(squares.inside[gene]!, mean, size) / size;
    const otherError = variance(squares.outside[gene]!, otherMean, rest) / rest;
    const degrees = (error + otherError) ** 2 / (error ** 2 / (size - 1) + otherError ** 2 / (rest - 1));
    const score = error < 0 || otherError < 0 ? NaN : (mean - otherMean) / Math.sqrt(error + otherError);
    scores[gene] = score;
    pvals[gene] = studentTwoSidedTail(score, Number.isNaN(degrees) ? 1 : degrees);
  }
  return { scores, pvals };
}

function variance(squares: number, mean: number, count: number): number {
  const spread = squares / count - mean ** 2;
  return count === 1 ? spread : spread * (count / (count - 1));
}

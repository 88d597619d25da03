import type { ResultCaution } from '@cellfolio/model';
import type { BlockStatistics } from '../markers/block-statistics.ts';
import { groupMeans } from '../markers/group-sums.ts';
import { type GroupRanking, type MarkerTest, rankGenes } from '../markers/rank-genes.ts';
import { type ComparedCells, groupsOfPart } from './compared-cells.ts';

/** A against B: one value per gene, by row in var. `pctInGroup` refers to A, `pctOutside` to B. */
export interface SideComparison extends Pick<
  GroupRanking,
  'scores' | 'logfoldchanges' | 'pvals' | 'pvals_adj' | 'exactAdjusted' | 'pctInGroup' | 'pctOutside' | 'auc'
> {
  /** Mean over all cells of the side, including those without expression. */
  readonly meanA: Float64Array;
  readonly meanB: Float64Array;
  readonly warnings: readonly ResultCaution[];
}

/**
 * scanpy's `rank_genes_groups(groups=["A"], reference="B")` on the cells of one part, from the statistics of all genes
 * in blocks in any order: ranks, variances and adjusted p-values use only A and B. Throws NotEnoughGroups, and
 * RangeError for blocks that do not match.
 */
export function compareSides(
  blocks: readonly BlockStatistics[],
  compared: ComparedCells,
  { place, ...test }: MarkerTest & { readonly place: number },
): SideComparison {
  const groups = groupsOfPart(compared, place);
  const ranking = rankGenes(blocks, groups, test);
  const { scores, logfoldchanges, pvals, pvals_adj, exactAdjusted, pctInGroup, pctOutside, auc } =
    ranking.rank(0);
  const rows = Int32Array.from({ length: ranking.geneCount }, (_, row) => row);
  const { means } = groupMeans(blocks, groups, rows);
  return {
    scores,
    logfoldchanges,
    pvals,
    pvals_adj,
    pctInGroup,
    pctOutside,
    exactAdjusted,
    ...(auc && { auc }),
    meanA: means.filter((_, at) => at % 2 === 0),
    meanB: means.filter((_, at) => at % 2 === 1),
    warnings: ranking.warnings,
  };
}

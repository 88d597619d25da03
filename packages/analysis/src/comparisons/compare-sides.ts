import type { ResultCaution } from '@cellfolio/model';
import type { BlockStatistics } from '../markers/block-statistics.ts';
import { groupMeans } from '../markers/group-sums.ts';
import { type GroupRanking, type MarkerTest, rankGenes } from '../markers/rank-genes.ts';
import { type ComparedCells, groupsOfPart } from './compared-cells.ts';

/** A against B: a value for each gene, by its row in var. `pctInGroup` is of A, `pctOutside` of B. */
export interface SideComparison extends Pick<
  GroupRanking,
  'scores' | 'logfoldchanges' | 'pvals' | 'pvals_adj' | 'pctInGroup' | 'pctOutside' | 'auc'
> {
  /** Mean values over all cells of the side, those without expression too. */
  readonly meanA: Float64Array;
  readonly meanB: Float64Array;
  /** Genes that could not be tested. */
  readonly warnings: readonly ResultCaution[];
}

/**
 * scanpy's `rank_genes_groups(groups=["A"], reference="B")` on the cells of one part, from the statistics of all genes in
 * blocks in any order: ranks, variances and adjusted p-values are those of A and B alone. Throws NotEnoughGroups,
 * RangeError for blocks that do not fit.
 */
export function compareSides(
  blocks: readonly BlockStatistics[],
  compared: ComparedCells,
  { place, ...test }: MarkerTest & { readonly place: number },
): SideComparison {
  const groups = groupsOfPart(compared, place);
  const ranking = rankGenes(blocks, groups, test);
  const { scores, logfoldchanges, pvals, pvals_adj, pctInGroup, pctOutside, auc } = ranking.rank(0);
  const rows = Int32Array.from({ length: ranking.geneCount }, (_, row) => row);
  const { means } = groupMeans(blocks, groups, rows);
  return {
    scores,
    logfoldchanges,
    pvals,
    pvals_adj,
    pctInGroup,
    pctOutside,
    ...(auc && { auc }),
    meanA: means.filter((_, at) => at % 2 === 0),
    meanB: means.filter((_, at) => at % 2 === 1),
    warnings: ranking.warnings,
  };
}

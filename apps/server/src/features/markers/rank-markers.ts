import {
  groupMeans,
  type GroupRanking,
  type MarkerFilter,
  passes,
  rankGenes,
  selectMarkers,
} from '@cellfolio/analysis';
import type { GroupMarkers, Markers, RankTask } from '../../runtime/compute/task.ts';

/** The tests of all groups, one group in memory at a time, cut to the genes that pass the filter. */
export function rankMarkers({ blocks, groups, test, filter }: RankTask): Markers {
  const ranking = rankGenes(blocks, groups, test);
  const markers = ranking.groups.map((_, place): GroupMarkers => {
    const columns = ranking.rank(place);
    const rows = selectMarkers(columns, filter);
    const cut = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
    return {
      name: columns.name,
      group: columns.group,
      cells: columns.cells,
      rows,
      scores: cut(columns.scores),
      logfoldchanges: cut(columns.logfoldchanges),
      pvals: cut(columns.pvals),
      pvals_adj: cut(columns.pvals_adj),
      pctInGroup: cut(columns.pctInGroup),
      pctOutside: cut(columns.pctOutside),
      ...effects(columns, filter),
    };
  });
  const rows = Int32Array.from(new Set(markers.flatMap((group) => [...group.rows])));
  const { means, fractions } = groupMeans(blocks, groups, rows);
  return {
    groups: markers,
    warnings: ranking.warnings,
    dots: {
      groups: groups.names.map((name, group) => ({ name, cells: groups.sizes[group]! })),
      rows,
      means,
      fractions,
    },
  };
}

/** How many genes pass each limit and all of them, and how many of the latter hardly tell a cell of the group from another. */
function effects(ranking: GroupRanking, filter: MarkerFilter) {
  const { pvals_adj: adjusted, logfoldchanges: changes } = ranking;
  const tested = ranking.scores.length;
  let [significant, changed, passing, smallEffects] = [0, 0, 0, 0];
  for (let row = 0; row < tested; row++) {
    if (adjusted[row]! < filter.maxAdjustedP) significant++;
    if (changes[row]! > filter.minLogFoldChange) changed++;
    if (!passes(ranking, filter, row)) continue;
    passing++;
    if (isSmallEffect(ranking, row)) smallEffects++;
  }
  return { tested, significant, changed, passing, smallEffects };
}

/**
 * A fold change below two, and an area under the ROC curve below 0.7 or, of a t-test that knows none, fewer than ten
 * percentage points between the shares of expressing cells.
 */
function isSmallEffect({ logfoldchanges, auc, pctInGroup, pctOutside }: GroupRanking, row: number): boolean {
  if (Math.abs(logfoldchanges[row]!) >= 1) return false;
  return auc ? Math.abs(auc[row]! - 0.5) < 0.2 : Math.abs(pctInGroup[row]! - pctOutside[row]!) < 0.1;
}

import { groupMeans, rankGenes, selectMarkers } from '@cellfolio/analysis';
import type { GroupMarkers, Markers, RankTask } from './task.ts';

/** The tests of all groups, one group in memory at a time, cut to the genes that pass the filter. */
export function rankMarkers({ blocks, groups, test, filter }: RankTask): Markers {
  const ranking = rankGenes(blocks, groups, test);
  const markers = ranking.groups.map((_, place): GroupMarkers => {
    const columns = ranking.rank(place);
    const rows = selectMarkers(columns, filter);
    const cut = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
    return {
      name: columns.name,
      cells: columns.cells,
      rows,
      scores: cut(columns.scores),
      logfoldchanges: cut(columns.logfoldchanges),
      pvals: cut(columns.pvals),
      pvals_adj: cut(columns.pvals_adj),
      pctInGroup: cut(columns.pctInGroup),
      pctOutside: cut(columns.pctOutside),
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

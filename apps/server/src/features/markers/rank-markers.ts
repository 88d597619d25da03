import type { DatasetRef, Task } from '../../runtime/compute/task.ts';
import type { Caution } from '@cellfolio/model';
import {
  type BlockStatistics,
  type CellGroups,
  type GroupRanking,
  type MarkerFilter,
  type MarkerMethod,
  type MarkerTest,
  groupMeans,
  passes,
  rankGenes,
  selectMarkers,
} from '@cellfolio/analysis';

/** What the tests need to know of the genes [from, to). */
export interface BlockTask extends Task<BlockStatistics> {
  readonly kind: 'block';
  readonly dataset: DatasetRef;
  /** The codes of the cells lie in shared memory. */
  readonly groups: CellGroups;
  readonly method: MarkerMethod;
  readonly from: number;
  readonly to: number;
}

/** The tests, from the statistics of all blocks, and the genes of each group that pass. */
export interface RankTask extends Task<Markers> {
  readonly kind: 'rank';
  readonly blocks: readonly BlockStatistics[];
  readonly groups: CellGroups;
  readonly test: MarkerTest;
  readonly filter: MarkerFilter;
}

/** The markers of one group, best first: its columns, cut to the rows that pass. */
export interface GroupMarkers {
  readonly name: string;
  /** Its place among the names of `CellGroups`. */
  readonly group: number;
  readonly cells: number;
  /** Rows in var. */
  readonly rows: Int32Array;
  readonly scores: Float64Array;
  readonly logfoldchanges: Float64Array;
  readonly pvals: Float64Array;
  readonly pvals_adj: Float64Array;
  readonly pctInGroup: Float64Array;
  readonly pctOutside: Float64Array;
  /** Genes that were tested, and those that pass one of the limits by itself. */
  readonly tested: number;
  readonly significant: number;
  readonly changed: number;
  /** Genes that pass the limits, also those beyond the number that is listed. */
  readonly passing: number;
  /** Of these, genes with a small effect. */
  readonly smallEffects: number;
}

export interface Markers {
  readonly groups: readonly GroupMarkers[];
  readonly warnings: readonly Caution[];
  /** Of all groups and of the genes that any group has as a marker: what the dot plot shows. */
  readonly dots: {
    readonly groups: readonly { readonly name: string; readonly cells: number }[];
    readonly rows: Int32Array;
    /** Genes x groups. */
    readonly means: Float64Array;
    readonly fractions: Float64Array;
  };
}

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

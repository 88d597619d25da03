import {
  type GroupRanking,
  groupMeans,
  leftOutWarnings,
  type MarkerFilter,
  type MarkerTest,
  passes,
  rankGenes,
  selectMarkers,
  untestedGroups,
} from '@cellfolio/analysis';
import type { ResultCaution } from '@cellfolio/model';
import type { Task } from '../../runtime/compute/task.ts';
import { allGroups, crossedName, type Stratum, type SummedStratum } from '../group-sums/index.ts';

export interface RankTask extends Task<Markers> {
  kind: 'rank';
  strata: readonly SummedStratum[];
  order: readonly number[];
  test: MarkerTest;
  filter: MarkerFilter;
}

export interface NamedGroup {
  name: string;
  cells: number;
  of: { group: string; part: string | undefined };
}

/** The markers of one group, best first: its columns, cut to the rows that pass. */
export interface GroupMarkers extends NamedGroup {
  group: number;
  /** Number of cells that it was compared with. */
  others: number;
  /** Rows in var. */
  rows: Int32Array;
  scores: Float64Array;
  logfoldchanges: Float64Array;
  pvals: Float64Array;
  pvals_adj: Float64Array;
  pctInGroup: Float64Array;
  pctOutside: Float64Array;
  /** Genes that were tested, and those that pass each limit by itself. */
  tested: number;
  significant: number;
  changed: number;
  /** Genes that pass the limits, including those beyond the listed ones. */
  markerCount: number;
  smallEffects: number;
}

export interface Markers {
  groups: readonly GroupMarkers[];
  warnings: readonly ResultCaution[];
  /** Dot plot data: all groups, and the genes that are markers of any group. */
  dots: {
    groups: readonly NamedGroup[];
    rows: Int32Array;
    /** Genes × groups. */
    means: Float64Array;
    fractions: Float64Array;
  };
}

/** Tests all groups, one group in memory at a time, cut to the genes that pass the filter. */
export function rankMarkers({ strata, order, test, filter }: RankTask): Markers {
  const markers: GroupMarkers[] = [];
  const warnings: ResultCaution[] = [];
  const left: { name: string; cells: number }[] = [];
  let first = 0;
  for (const stratum of strata) {
    const { part, groups, blocks } = stratum;
    const untested = untestedGroups(groups, test.minCells);
    left.push(...untested.map(({ name, cells }) => ({ name: crossedName(name, part), cells })));
    // One stratum alone is refused with its reason; of several, those are left out that cannot be compared.
    if (strata.length === 1 || untested.length < groups.names.length) {
      const ranking = rankGenes(blocks, groups, test);
      warnings.push(...ranking.warnings.filter(({ code }) => code !== 'groups-left-out'));
      for (const place of ranking.groups.keys()) {
        markers.push(markersOf(ranking.rank(place), { stratum, first, filter }));
      }
    }
    first += groups.names.length;
  }
  const placeOf = new Map(order.map((group, place) => [group, place]));
  const rows = Int32Array.from(new Set(markers.flatMap((group) => [...group.rows])));
  return {
    groups: markers.sort((a, b) => placeOf.get(a.group)! - placeOf.get(b.group)!),
    warnings: [...leftOutWarnings(left, test.minCells), ...gravest(warnings)],
    dots: dotsOf(strata, order, rows),
  };
}

function markersOf(
  columns: GroupRanking,
  { stratum, first, filter }: { stratum: Stratum; first: number; filter: MarkerFilter },
): GroupMarkers {
  const { part, groups } = stratum;
  const rows = selectMarkers(columns, filter);
  const cut = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return {
    name: crossedName(columns.name, part),
    of: { group: columns.name, part },
    group: first + columns.group,
    cells: columns.cells,
    others: groups.cellCount - columns.cells,
    rows,
    scores: cut(columns.scores),
    logfoldchanges: cut(columns.logfoldchanges),
    pvals: cut(columns.pvals),
    pvals_adj: cut(columns.pvals_adj),
    pctInGroup: cut(columns.pctInGroup),
    pctOutside: cut(columns.pctOutside),
    ...effects(columns, filter),
  };
}

function gravest(warnings: readonly ResultCaution[]): ResultCaution[] {
  const genesOf = ({ numbers }: ResultCaution) => Number(numbers?.['genes'] ?? 0);
  const worst = new Map<string, ResultCaution>();
  for (const warning of warnings.toSorted((a, b) => genesOf(a) - genesOf(b)))
    worst.set(warning.code, warning);
  return [...worst.values()];
}

function dotsOf(
  strata: readonly SummedStratum[],
  order: readonly number[],
  rows: Int32Array,
): Markers['dots'] {
  const { names, sizes } = allGroups(strata);
  const of = strata.flatMap(({ part, groups }) => groups.names.map((group) => ({ group, part })));
  const count = names.length;
  const means = new Float64Array(rows.length * count);
  const fractions = new Float64Array(rows.length * count);
  const placeOf = new Int32Array(count);
  order.forEach((group, place) => (placeOf[group] = place));
  let first = 0;
  for (const { blocks, groups } of strata) {
    const own = groupMeans(blocks, groups, rows);
    for (let gene = 0; gene < rows.length; gene++) {
      for (let group = 0; group < own.groupCount; group++) {
        const to = gene * count + placeOf[first + group]!;
        means[to] = own.means[gene * own.groupCount + group]!;
        fractions[to] = own.fractions[gene * own.groupCount + group]!;
      }
    }
    first += own.groupCount;
  }
  const groups = order.map((at) => ({ name: names[at]!, cells: sizes[at]!, of: of[at]! }));
  return { groups, rows, means, fractions };
}

function effects(ranking: GroupRanking, filter: MarkerFilter) {
  const { pvals_adj: adjusted, logfoldchanges: changes } = ranking;
  const tested = ranking.scores.length;
  let [significant, changed, markerCount, smallEffects] = [0, 0, 0, 0];
  for (let row = 0; row < tested; row++) {
    if (adjusted[row]! < filter.maxAdjustedP) significant++;
    if (changes[row]! > filter.minLogFoldChange) changed++;
    if (!passes(ranking, filter, row)) continue;
    markerCount++;
    if (isSmallEffect(ranking, row)) smallEffects++;
  }
  return { tested, significant, changed, markerCount, smallEffects };
}

/**
 * A fold change below two, and an area under the ROC curve below 0.7 or, for a t-test without one, a difference of
 * fewer than ten percentage points between the shares of expressing cells.
 */
function isSmallEffect({ logfoldchanges, auc, pctInGroup, pctOutside }: GroupRanking, row: number): boolean {
  if (Math.abs(logfoldchanges[row]!) >= 1) return false;
  return auc ? Math.abs(auc[row]! - 0.5) < 0.2 : Math.abs(pctInGroup[row]! - pctOutside[row]!) < 0.1;
}

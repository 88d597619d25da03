import { groupRanges, leftOutWarnings, markerTest, untestedGroups } from '@cellfolio/analysis';
import { maxGroups } from '@cellfolio/analysis/parameters';
import { countText, type ResultCaution } from '@cellfolio/model';
import type { ComparedGroups, Context } from '../context.ts';
import { crossedName, type GroupMarkers, type MarkerDots, type steps } from './compute.ts';
import type { MarkersRequest } from './declare.ts';

export interface RankedMarkers {
  /** In the order of the table. */
  readonly groups: readonly GroupMarkers[];
  readonly warnings: readonly ResultCaution[];
  /** Numbers of the groups that a figure chooses from. */
  readonly dots: MarkerDots;
}

export function totalOf(
  groups: RankedMarkers['groups'],
  count: 'tested' | 'significant' | 'changed' | 'markerCount' | 'flat' | 'flatSignificant' | 'sparseMarkers',
): number {
  return groups.reduce((total, group) => total + group[count], 0);
}

/** Maximum rows of a table of markers, which take some 130 bytes each until the answer is sent. */
const maxRows = 1_000_000;

/** The markers of all groups, range after range of them over all threads. Refuses with 422 more rows than fit into memory. */
export async function rankedMarkers(
  sent: MarkersRequest,
  compared: ComparedGroups,
  context: Pick<Context<typeof steps>, 'computeAll' | 'compute' | 'dataset' | 'refuse'>,
): Promise<RankedMarkers> {
  const { strata, order } = compared;
  const filter = {
    nGenes: sent.n_genes,
    maxAdjustedP: sent.pvals_adj,
    minLogFoldChange: sent.logfoldchanges,
  };
  const test = markerTest(sent);
  const listed = { count: new Int32Array(new SharedArrayBuffer(4)), max: maxRows };
  const inputs = groupRanges(order.length, context.dataset.symbols.length).map(({ from, to }) => ({
    strata,
    from,
    to,
    test,
    filter,
    rows: listed,
  }));
  const ranges = await context.computeAll('rank', inputs, 'Testing the groups', { isLong: true });
  if (listed.count[0]! > maxRows) {
    context.refuse(
      'result_too_large',
      `The table of markers would have more than ${countText(maxRows)} rows. Choose fewer genes per group than ${countText(sent.n_genes)}, or stricter thresholds.`,
      { field: 'n_genes', problem: 'makes a table of too many rows' },
    );
  }
  const markers = ranges.flatMap(({ groups }) => groups);
  const rows = Int32Array.from(new Set(markers.flatMap((group) => Array.from(group.rows))));
  const placeOf = new Map(order.map((group, place) => [group, place]));
  const groups = markers.toSorted((a, b) => placeOf.get(a.group)! - placeOf.get(b.group)!);
  const drawn = drawnGroups(groups, compared);
  const dots = await context.compute('dots', { strata, order: drawn, rows }, { isLong: true });
  const left = strata.flatMap(({ part, groups: ofPart, reference }) =>
    untestedGroups(ofPart, sent.min_cells, reference).map(({ name, cells }) => ({
      name: crossedName(name, part),
      cells,
    })),
  );
  return {
    groups,
    warnings: [
      ...leftOutWarnings(left, sent.min_cells, strata[0]?.reference),
      ...gravest(ranges.flatMap(({ warnings }) => warnings)),
    ],
    dots,
  };
}

/** A figure has room for 60 groups, of which one may be chosen for it later. */
const maxDrawn = 59;

/**
 * The groups that a figure chooses from: all of up to 500, else those with the most markers, and the references; in their
 * order.
 */
function drawnGroups(
  markers: readonly GroupMarkers[],
  { strata, order }: Pick<ComparedGroups, 'strata' | 'order'>,
): readonly number[] {
  if (order.length <= maxGroups) return order;
  let first = 0;
  const references = strata.flatMap(({ groups, reference }) => {
    const place = reference === undefined ? [] : [first + reference];
    first += groups.names.length;
    return place;
  });
  const chosen = new Set(references.slice(0, maxDrawn));
  // A sort keeps the order of groups that are alike.
  const ranked = markers.toSorted((a, b) => b.markerCount - a.markerCount || b.cells - a.cells);
  for (const { group } of ranked) if (chosen.size < maxDrawn) chosen.add(group);
  return order.filter((group) => chosen.has(group));
}

/** One warning of each code, that of the most genes. */
function gravest(warnings: readonly ResultCaution[]): ResultCaution[] {
  const genesOf = ({ numbers }: ResultCaution) => Number(numbers?.['genes'] ?? 0);
  const worst = new Map<string, ResultCaution>();
  for (const warning of warnings.toSorted((a, b) => genesOf(a) - genesOf(b)))
    worst.set(warning.code, warning);
  return [...worst.values()];
}

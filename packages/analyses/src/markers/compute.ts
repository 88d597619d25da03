import {
  canCompare,
  groupMeans,
  type GroupRanking,
  groupSeparation,
  type GroupSeparation,
  type MarkerFilter,
  type MarkerTest,
  othersOf,
  passes,
  rankGenes,
  type SampleChecks,
  selectMarkers,
} from '@cellfolio/analysis';
import type { ResultCaution } from '@cellfolio/model';
import type {
  BatchesApart,
  CheckedSamples,
  ListedGroups,
  Stratum,
  SummedStratum,
  ThreadDataset,
} from '../context.ts';

export interface NamedGroup {
  readonly name: string;
  readonly cells: number;
  readonly of: { readonly group: string; readonly part: string | undefined };
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
  /** Means in the group. */
  means: Float64Array;
  /** Genes that were tested, and those that pass each limit by itself. */
  tested: number;
  significant: number;
  changed: number;
  /** Genes that pass the limits, including those beyond the listed ones. */
  markerCount: number;
  smallEffects: number;
  /** Markers that an exact test of sparse genes would not pass; 0 with `exactSparse`. */
  sparseMarkers: number;
  /** Genes whose values on one side alone are all equal, and those below the limit of p among them; 0 without a t-test. */
  flat: number;
  flatSignificant: number;
}

/** Markers of a range of the groups of all strata. */
interface RankedRange {
  readonly groups: readonly GroupMarkers[];
  readonly warnings: readonly ResultCaution[];
}

interface RankInput {
  /** Statistics and codes of the cells are in shared memory. */
  readonly strata: readonly SummedStratum[];
  /** Among the groups of all strata, [from, to). */
  readonly from: number;
  readonly to: number;
  readonly test: MarkerTest;
  readonly filter: MarkerFilter;
  /** Markers of all ranges: the first number counts them, in shared memory, and the ranges have none beyond the maximum. */
  readonly rows: { readonly count: Int32Array; readonly max: number };
}

/** Tests a range of the groups, one in memory at a time, cut to the genes that pass the filter. */
function rank({ strata, from, to, test, filter, rows }: RankInput): RankedRange {
  const markers: GroupMarkers[] = [];
  const warnings: ResultCaution[] = [];
  let end = 0;
  for (const stratum of strata) {
    const { groups, blocks, reference } = stratum;
    const first = end;
    end += groups.names.length;
    if (end <= from || first >= to) continue;
    // One stratum alone is refused with its reason; of several, those are left out that cannot be compared.
    if (strata.length > 1 && !canCompare(groups, test.minCells ?? 2, reference)) continue;
    const ranking = rankGenes(blocks, groups, { ...test, ...(reference !== undefined && { reference }) });
    warnings.push(...ranking.warnings.filter(({ code }) => code !== 'groups-left-out'));
    for (const [place, { group }] of ranking.groups.entries()) {
      if (first + group < from || first + group >= to) continue;
      const ofGroup = markersOf(ranking.rank(place), { stratum, first, filter });
      const { length } = ofGroup.rows;
      if (Atomics.add(rows.count, 0, length) + length > rows.max) return { groups: [], warnings: [] };
      markers.push(ofGroup);
    }
  }
  return { groups: markers, warnings };
}

function markersOf(
  columns: GroupRanking,
  { stratum, first, filter }: { stratum: Stratum; first: number; filter: MarkerFilter },
): GroupMarkers {
  const { part, groups, reference } = stratum;
  const rows = selectMarkers(columns, filter);
  const cut = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return {
    name: crossedName(columns.name, part),
    of: { group: columns.name, part },
    group: first + columns.group,
    cells: columns.cells,
    others: othersOf(groups, columns.cells, reference),
    rows,
    scores: cut(columns.scores),
    logfoldchanges: cut(columns.logfoldchanges),
    pvals: cut(columns.pvals),
    pvals_adj: cut(columns.pvals_adj),
    pctInGroup: cut(columns.pctInGroup),
    pctOutside: cut(columns.pctOutside),
    means: cut(columns.means),
    ...effects(columns, filter),
  };
}

/** Dot plot data: genes that are markers, in some groups. */
export interface MarkerDots {
  readonly groups: readonly NamedGroup[];
  readonly rows: Int32Array;
  /** Genes × groups. */
  readonly means: Float64Array;
  readonly fractions: Float64Array;
}

interface DotsInput {
  readonly strata: readonly SummedStratum[];
  /** The groups, among those of all strata. */
  readonly order: readonly number[];
  readonly rows: Int32Array;
}

function dots({ strata, order, rows }: DotsInput): MarkerDots {
  const { names, sizes } = allGroups(strata);
  const of = strata.flatMap(({ part, groups }) => groups.names.map((group) => ({ group, part })));
  const count = order.length;
  const means = new Float64Array(rows.length * count);
  const fractions = new Float64Array(rows.length * count);
  const placeOf = new Int32Array(names.length).fill(-1);
  order.forEach((group, place) => (placeOf[group] = place));
  let first = 0;
  for (const { blocks, groups } of strata) {
    // A gene after the other: the means of all in thousands of groups take hundreds of megabytes.
    for (let gene = 0; gene < rows.length; gene++) {
      const own = groupMeans(blocks, groups, rows.subarray(gene, gene + 1));
      for (let group = 0; group < own.groupCount; group++) {
        const place = placeOf[first + group]!;
        if (place < 0) continue;
        means[gene * count + place] = own.means[group]!;
        fractions[gene * count + place] = own.fractions[group]!;
      }
    }
    first += groups.names.length;
  }
  const groups = order.map((at) => ({ name: names[at]!, cells: sizes[at]!, of: of[at]! }));
  return { groups, rows, means, fractions };
}

function effects(ranking: GroupRanking, filter: MarkerFilter) {
  const { pvals_adj: adjusted, logfoldchanges: changes, isFlat } = ranking;
  const tested = ranking.scores.length;
  let [significant, changed, markerCount, smallEffects] = [0, 0, 0, 0];
  let [flat, flatSignificant, sparseMarkers] = [0, 0, 0];
  for (let row = 0; row < tested; row++) {
    const isSignificant = adjusted[row]! < filter.maxAdjustedP;
    if (isSignificant) significant++;
    if (isFlat?.[row] === 1) {
      flat++;
      if (isSignificant) flatSignificant++;
    }
    if (changes[row]! > filter.minLogFoldChange) changed++;
    if (!passes(ranking, filter, row)) continue;
    markerCount++;
    if (ranking.exactAdjusted && ranking.exactAdjusted[row]! >= filter.maxAdjustedP) sparseMarkers++;
    if (isSmallEffect(ranking, row)) smallEffects++;
  }
  return { tested, significant, changed, markerCount, smallEffects, flat, flatSignificant, sparseMarkers };
}

/**
 * A fold change below two, and an area under the ROC curve below 0.7 or, for a t-test without one, a difference of
 * fewer than ten percentage points between the shares of expressing cells.
 */
function isSmallEffect({ logfoldchanges, auc, pctInGroup, pctOutside }: GroupRanking, row: number): boolean {
  if (Math.abs(logfoldchanges[row]!) >= 1) return false;
  return auc ? Math.abs(auc[row]! - 0.5) < 0.2 : Math.abs(pctInGroup[row]! - pctOutside[row]!) < 0.1;
}

interface CheckInput {
  readonly strata: readonly Stratum[];
  /** The embedding that shows how far the groups are apart; absent where that is not asked. */
  readonly embedding: string | undefined;
  /** Absent where no column of obs has the sample of each cell. */
  readonly samples: CheckedSamples | undefined;
  /** Columns of obs. */
  readonly batches: readonly string[];
  /** By group among those of all strata, best first. */
  readonly markers: readonly Pick<GroupMarkers, 'group' | 'rows' | 'logfoldchanges'>[];
}

/** Listed markers with samples as replicates. */
export interface CheckedMarkers extends SampleChecks {
  readonly column: string;
  /** Names of the samples that `groups` refers to. */
  readonly largestNames: readonly string[];
}

export interface MarkerChecks {
  /** Undefined when not requested, and when no embedding shows it. */
  separation?: (GroupSeparation & { readonly embedding: string; readonly dimensions: number }) | undefined;
  /** Undefined when no column holds samples, or it has too many values for samples. */
  samples?: CheckedMarkers | undefined;
  /** Groups that share no batch with the cells they are compared with, by index among those of all strata. */
  batches?: readonly Pick<BatchesApart, 'column' | 'apart'>[];
}

/** Maximum number of listed markers that are read again; beyond it, the first of each group. */
const maxMarkers = 2000;
/** Cache limit of the sums: three times 8 MB. */
const maxSums = 1 << 20;

async function check(input: CheckInput, dataset: ThreadDataset): Promise<MarkerChecks> {
  const [separation, samples] = [await separationOf(input, dataset), await samplesOf(input, dataset)];
  return { separation, samples, batches: await batchesOf(input, dataset) };
}

async function batchesOf(
  { strata, batches: columns }: CheckInput,
  dataset: ThreadDataset,
): Promise<NonNullable<MarkerChecks['batches']>> {
  const apartIn = new Map<string, number[]>();
  let first = 0;
  for (const { groups, reference } of strata) {
    const groupCount = groups.names.length;
    // With a slot for cells in no group, which are among the others of each.
    const slots = { columns, slots: groups.codes, slotCount: groupCount + 1, reference };
    for (const { column, apart } of await dataset.batchesApart(slots)) {
      const places = apart.filter((group) => group < groupCount).map((group) => first + group);
      apartIn.set(column, [...(apartIn.get(column) ?? []), ...places]);
    }
    first += groupCount;
  }
  return Array.from(apartIn, ([column, apart]) => ({ column, apart }));
}

async function separationOf(
  { strata, embedding: name }: CheckInput,
  dataset: ThreadDataset,
): Promise<MarkerChecks['separation']> {
  if (name === undefined) return undefined;
  const { values, dimensions } = await dataset.embedding(name);
  const separation = joined(
    strata,
    strata.map(({ groups }) => groupSeparation(values, dimensions, groups)),
  );
  return separation && { ...separation, embedding: name, dimensions };
}

/** Combines the strata: the mean weighted by cells; undefined when no stratum has one. */
function joined(
  strata: readonly Stratum[],
  separations: readonly (GroupSeparation | undefined)[],
): GroupSeparation | undefined {
  const cellCount = separations.reduce((sum, one) => sum + (one?.cellCount ?? 0), 0);
  if (cellCount === 0) return undefined;
  return {
    cellCount,
    mean: separations.reduce((sum, one) => sum + (one ? (one.mean * one.cellCount) / cellCount : 0), 0),
    groups: Float64Array.from(
      strata.flatMap(({ groups }, at) =>
        Array.from(groups.names, (_, group) => separations[at]?.groups[group] ?? NaN),
      ),
    ),
  };
}

async function samplesOf(
  { strata, samples, markers }: CheckInput,
  dataset: ThreadDataset,
): Promise<MarkerChecks['samples']> {
  if (samples === undefined) return undefined;
  function* listedOf(sampleCount: number): Generator<ListedGroups> {
    const maxListed = Math.min(maxMarkers, Math.floor(maxSums / Math.max(1, sampleCount)));
    const each = Math.max(1, Math.floor(maxListed / Math.max(1, markers.length)));
    const listed = markers
      .flatMap(({ group, rows, logfoldchanges }) =>
        Array.from(rows.subarray(0, each), (row, place) => ({
          row,
          group,
          isRising: logfoldchanges[place]! > 0,
        })),
      )
      .slice(0, maxListed);
    let first = 0;
    for (const { groups, reference } of strata) {
      const own = listed
        .map(({ row, group, isRising }) => ({ row, group: group - first, isRising }))
        .filter(({ group }) => group >= 0 && group < groups.names.length);
      yield { groups, reference, markers: own, rising: own.map(({ isRising }) => isRising) };
      first += groups.names.length;
    }
  }
  const checked = await dataset.checkWithSamples(samples, listedOf);
  return (
    checked && {
      ...checked.checks,
      column: samples.samples,
      largestNames: checked.checks.groups.map(({ largest }) => checked.names[largest.sample] ?? ''),
    }
  );
}

/** The groups of all strata, concatenated stratum by stratum. */
export interface AllGroups {
  readonly names: readonly string[];
  readonly sizes: Float64Array;
  readonly cellCount: number;
}

export function allGroups(strata: readonly Stratum[]): AllGroups {
  return {
    names: strata.flatMap(({ part, groups }) => groups.names.map((name) => crossedName(name, part))),
    sizes: Float64Array.from(strata.flatMap(({ groups }) => [...groups.sizes])),
    cellCount: strata.reduce((sum, { groups }) => sum + groups.cellCount, 0),
  };
}

export function crossedName(group: string, part: string | undefined): string {
  return part === undefined ? group : `${group} · ${part}`;
}

export const steps = { rank, dots, check };

import {
  type BlockStatistics,
  type CellGroups,
  type MarkerMethod,
  categoryMask,
  cellGroups,
  intersectMasks,
  storedStatistics,
  type GroupRanking,
  type MarkerFilter,
  type MarkerTest,
  groupMeans,
  passes,
  rankGenes,
  selectMarkers,
  type GroupSeparation,
  type SampleChecks,
  SampleSums,
  groupSeparation,
  sampleChecks,
  blockStatistics,
} from '@cellfolio/analysis';
import { type Dataset, UnknownColumn } from '@cellfolio/store';
import {
  sharedCopy,
  type CategoricalColumn,
  type Caution,
  type CellMask,
  type Embedding,
  isCategorical,
} from '@cellfolio/model';
import { type CellTask, type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';

/** The groups that a column of obs or a selection cuts the chosen cells into. */
export interface GroupTask extends CellTask<FoundGroups> {
  readonly kind: 'group';
  readonly column: string;
  /** Cells that were selected on the map: they and the others are the groups then, and `column` is not looked up. */
  readonly selected?: CellMask;
  /** What the groups are for: a t-test of whole groups may find its statistics with the dataset. */
  readonly method: MarkerMethod;
  /** What becomes of the cells without a category: among the others of every group, or nowhere. */
  readonly unlabelled: 'reference' | 'left-out';
}

interface FoundGroups {
  readonly groups: CellGroups;
  /** Chosen cells without a category, whatever becomes of them. */
  readonly unlabelledCells: number;
  /** The statistics of all genes, where the dataset has them; they need not be read out of the expression then. */
  readonly statistics?: BlockStatistics;
}

/** The names of the groups that a selection makes. */
export const selectionGroups = ['Selection', 'Rest'] as const;

function columnOfSelection({ bits }: CellMask): CategoricalColumn {
  const codes = new Int8Array(bits.length);
  for (let cell = 0; cell < bits.length; cell++) codes[cell] = bits[cell] === 1 ? 0 : 1;
  return { kind: 'categorical', codes, categories: selectionGroups, categoryType: 'string', ordered: false };
}

/** The groups of a column among the chosen cells and, where they are whole and it has them, the dataset's sums of them. */
async function findGroups(
  { column: name, selected, mask: chosen, method, unlabelled }: GroupTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<FoundGroups> {
  const column = selected ? columnOfSelection(selected) : await categoricalColumn(dataset, name, signal);
  const labelled = categoryMask(column, column.categories);
  const withLabel = chosen ? intersectMasks(chosen, labelled) : labelled;
  const unlabelledCells = (chosen?.count ?? column.codes.length) - withLabel.count;
  const mask = unlabelled === 'left-out' && unlabelledCells > 0 ? withLabel : chosen;
  const found = cellGroups(column, mask);
  const groups = { ...found, codes: sharedCopy(found.codes) };
  if (method !== 't-test' || selected) return { groups, unlabelledCells };
  const stored = await dataset.groupStatistics(name, signal);
  const statistics = stored && storedStatistics(stored, column, groups);
  return { groups, unlabelledCells, ...(statistics && { statistics }) };
}

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
interface GroupMarkers {
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
function rankMarkers({ blocks, groups, test, filter }: RankTask): Markers {
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

/** What is known of listed markers beyond the test that found them. */
export interface CheckTask extends Task<MarkerChecks> {
  readonly kind: 'check';
  readonly dataset: DatasetRef;
  readonly groups: CellGroups;
  /** Whether to measure how far the groups lie apart. */
  readonly separation: boolean;
  /** Column of obs with the sample of each cell; absent where none is known. */
  readonly samples?: string;
  /** By group of `groups`, best first. */
  readonly markers: readonly Pick<GroupMarkers, 'group' | 'rows' | 'logfoldchanges'>[];
}

export interface MarkerChecks {
  /** Absent where it was not asked for, and where no embedding tells it. */
  readonly separation?: GroupSeparation & {
    readonly embedding: string;
    readonly dimensions: number;
  };
  /** Absent where no column has the samples, or too many for samples. */
  readonly samples?: SampleChecks & {
    /** Names of the samples that `groups` speaks of. */
    readonly largestNames: readonly string[];
  };
}

/** Listed markers that are read again at most; of more, the first of each group. */
const maxMarkers = 2000;
/** A column of more values names cells or runs, not samples. */
const maxSamples = 2000;
/** Of the sums that are kept: three times 8 MB. */
const maxSums = 1 << 20;

/** How far the groups lie apart, and which markers hold between samples. Reads the listed genes, and no others. */
async function checkMarkers(task: CheckTask, dataset: Dataset, signal: AbortSignal): Promise<MarkerChecks> {
  const separation = task.separation ? await separationOf(task, dataset, signal) : undefined;
  const samples = task.samples === undefined ? undefined : await samplesOf(task, dataset, signal);
  return { ...(separation && { separation }), ...(samples && { samples }) };
}

async function separationOf(
  { groups }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks['separation']> {
  // Distances mean more in principal components than in the two dimensions of a UMAP.
  for (const name of ['X_pca', dataset.manifest.roles.embedding]) {
    if (name === undefined) continue;
    const embedding = await embeddingOf(dataset, name, signal);
    if (!embedding) continue;
    const { values, dimensions } = embedding;
    const found = groupSeparation(values, dimensions, groups);
    return found && { ...found, embedding: name, dimensions };
  }
  return undefined;
}

async function embeddingOf(
  dataset: Dataset,
  name: string,
  signal: AbortSignal,
): Promise<Embedding | undefined> {
  try {
    return await dataset.embedding(name, signal);
  } catch (error) {
    if (error instanceof UnknownColumn) return undefined;
    throw error;
  }
}

async function samplesOf(
  { groups, samples: name, markers }: CheckTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<MarkerChecks['samples']> {
  const column = await dataset.obs(name!, signal);
  if (!isCategorical(column) || column.categories.length > maxSamples) return undefined;
  const most = Math.min(maxMarkers, Math.floor(maxSums / Math.max(1, column.categories.length)));
  const each = Math.max(1, Math.floor(most / Math.max(1, markers.length)));
  const listed = markers
    .flatMap(({ group, rows, logfoldchanges }) =>
      Array.from(rows.subarray(0, each), (row, place) => ({
        row,
        group,
        isRising: logfoldchanges[place]! > 0,
      })),
    )
    .slice(0, most);
  const sums = new SampleSums(groups, column, listed);
  await dataset.useGenes(sums.rows, (place, cells, values) => sums.add(place, cells, values), signal);
  const checks = sampleChecks(sums, groups, {
    markers: listed,
    rising: listed.map(({ isRising }) => isRising),
    geneCount: dataset.manifest.geneCount,
  });
  return {
    ...checks,
    largestNames: checks.groups.map(({ largest }) => column.categories[largest.sample] ?? ''),
  };
}

/** What compute threads do for a marker analysis. */
export const markerTasks = [
  taskKind<GroupTask>('group', (task, { dataset, signal }) => findGroups(task, dataset, signal)),
  taskKind<BlockTask>('block', ({ from, to, groups, method }, { dataset, signal }) =>
    dataset.useGeneBlock(from, to, (block) => blockStatistics(block, groups, method), signal),
  ),
  taskKind<RankTask>('rank', rankMarkers),
  taskKind<CheckTask>('check', (task, { dataset, signal }) => checkMarkers(task, dataset, signal)),
];

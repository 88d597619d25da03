import type { NamedCells, Stratum } from '@cellfolio/analyses/serve';
import {
  type BlockStatistics,
  categoryMask,
  type CellGroups,
  cellGroups,
  intersectMasks,
  type MarkerMethod,
  splitGroups,
  storedStatistics,
} from '@cellfolio/analysis';
import type { Grouping } from '@cellfolio/analysis/parameters';
import { type CategoricalColumn, type CellMask, isUnassigned, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import type { CellTask } from '../../runtime/compute/task.ts';
import { groupCells } from '@cellfolio/figures';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { numbersOf } from '../../runtime/compute/value-source.ts';

export interface GroupTask extends CellTask<FoundGroups> {
  kind: 'group';
  by: Grouping;
  split?: Grouping | undefined;
  /** Cells selected on the map: the groups are then these and the others, and `by` is ignored. */
  selected?: CellMask | undefined;
  /** Purpose of the groups: a t-test of whole groups may use statistics stored with the dataset. */
  method: MarkerMethod;
  /** Treatment of cells without a category: among the others of every group, or left out. */
  unlabelled: 'reference' | 'left-out';
  /** Treatment of groups such as `Unknown` and `Doublet`. */
  unassigned: 'groups' | 'left-out';
}

interface FoundGroups {
  strata: readonly Stratum[];
  /** Display order of the groups of all strata: a group with all of its parts after the other. */
  order: readonly number[];
  /** Chosen cells without a category, however they are treated. */
  unlabelledCells: number;
  /** Groups with chosen cells whose name says that these have none, compared or left out. */
  unassigned: readonly NamedCells[];
  /** Cells without a category of the second column; they are not compared. */
  withoutPart: number;
  /** The statistics of all genes, if stored with the dataset; the expression need not be read then. */
  statistics?: BlockStatistics;
}

const selectionGroups = ['Selection', 'Rest'] as const;

function columnOfSelection({ bits }: CellMask): CategoricalColumn {
  const codes = new Int8Array(bits.length);
  for (let cell = 0; cell < bits.length; cell++) codes[cell] = bits[cell] === 1 ? 0 : 1;
  return { kind: 'categorical', codes, categories: selectionGroups, categoryType: 'string', ordered: false };
}

/** The groups of a column among the chosen cells and, when they are whole, the dataset's stored sums of them. */
export async function findGroups(
  { by, split, selected, mask: chosen, method, unlabelled, unassigned: without }: GroupTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<FoundGroups> {
  const column = selected ? columnOfSelection(selected) : await groupedCells(dataset, by, chosen, signal);
  const labelled = categoryMask(column, column.categories);
  const withLabel = chosen ? intersectMasks(chosen, labelled) : labelled;
  const cellCount = chosen?.count ?? column.codes.length;
  const unlabelledCells = cellCount - withLabel.count;
  const labels = unlabelled === 'left-out' && unlabelledCells > 0 ? withLabel : chosen;
  const unassigned = selected ? [] : unassignedGroups(column, chosen);
  const mask = without === 'left-out' ? withoutGroups(labels, column, unassigned) : labels;
  if (split) {
    const { geneCount } = dataset.manifest;
    const parts = splitGroups(column, await groupedCells(dataset, split, chosen, signal), mask, geneCount);
    const strata = parts.map(({ name, groups }) => ({ part: name, groups: shared(groups) }));
    const compared = strata.reduce((sum, { groups }) => sum + groups.cellCount, 0);
    const order = groupByGroup(strata, column);
    return { strata, order, unlabelledCells, unassigned, withoutPart: (mask?.count ?? cellCount) - compared };
  }
  const groups = shared(cellGroups(column, mask, dataset.manifest.geneCount));
  const result = {
    strata: [{ part: undefined, groups }],
    order: [...groups.names.keys()],
    unlabelledCells,
    unassigned,
    withoutPart: 0,
  };
  if (method !== 't-test' || selected) return result;
  // What is stored is of the categories of a column, and of no parts of numbers.
  const stored = await dataset.groupStatistics(by.column, signal);
  const statistics = stored && storedStatistics(stored, column, groups);
  return { ...result, ...(statistics && { statistics }) };
}

/** Groups of the chosen cells whose name says that these have none. */
function unassignedGroups(
  { codes, categories }: CategoricalColumn,
  chosen: CellMask | undefined,
): readonly NamedCells[] {
  const cells = new Float64Array(categories.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    if (code >= 0 && chosen?.bits[cell] !== 0) cells[code]!++;
  }
  return categories.flatMap((name, code) =>
    isUnassigned(name) && cells[code]! > 0 ? [{ name, cells: cells[code]! }] : [],
  );
}

/** The chosen cells but those of some groups; cells without a group stay. */
function withoutGroups(
  chosen: CellMask | undefined,
  column: CategoricalColumn,
  groups: readonly NamedCells[],
): CellMask | undefined {
  if (groups.length === 0) return chosen;
  const inGroups = categoryMask(
    column,
    groups.map(({ name }) => name),
  );
  const others: CellMask = {
    bits: inGroups.bits.map((bit) => 1 - bit),
    count: inGroups.bits.length - inGroups.count,
  };
  return chosen ? intersectMasks(chosen, others) : others;
}

function shared(groups: CellGroups): CellGroups {
  return { ...groups, codes: sharedCopy(groups.codes) };
}

/** Indices of the groups of all strata, by category and then by stratum. */
function groupByGroup(
  strata: readonly Stratum[],
  { categories }: Pick<CategoricalColumn, 'categories'>,
): number[] {
  const codeOf = new Map(categories.map((name, code) => [name, code]));
  const codes = strata.flatMap(({ groups }) => groups.names.map((name) => codeOf.get(name)!));
  return [...codes.keys()].sort((a, b) => codes[a]! - codes[b]! || a - b);
}

/**
 * The groups of a column as in figures: its categories, or bins of its numbers among the cells of the mask. Throws
 * UnknownColumn, NotCategorical.
 */
async function groupedCells(
  dataset: Dataset,
  { column: name, bins }: Grouping,
  mask: CellMask | undefined,
  signal: AbortSignal,
): Promise<CategoricalColumn> {
  const column = await dataset.obs(name, signal);
  if (column.kind !== 'numeric') return categoricalColumn(dataset, name, signal);
  const scores = numbersOf(column);
  return groupCells({ title: name, columnName: name, scores, unit: '' }, bins, mask).column;
}

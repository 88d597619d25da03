import type { BatchesApart } from '@cellfolio/analyses/compute';
import {
  codesAsFactor,
  type ComparedCells,
  comparedCells,
  hasOtherComposition,
  maxSamples,
  pseudobulkSamples,
  type PseudobulkSamples,
  type SampleColumn as DesignColumn,
  sharedCells,
  sideComposition,
  sidesOfPart,
} from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { type CellMask, type Column, isUnassigned, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { batchColumns, batchesApart } from '../../runtime/batch-columns.ts';
import { categoricalColumn, categoriesOf } from '../../runtime/compute/open-datasets.ts';
import { type CellTask, type DatasetRef, type Task, taskKind } from '../../runtime/compute/task.ts';
import type { NamedComposition } from '../../runtime/named-composition.ts';
import { type SampleColumn, samplesOfSides, type SidesSamples } from '../../runtime/sample-column.ts';

export interface SidesTask extends CellTask<FoundSides> {
  kind: 'compare-sides';
  a: CellMask;
  /** Undefined for all active cells outside A. */
  b: CellMask | undefined;
  /** Column of obs. */
  within: string | undefined;
  unassigned: ComparisonParameters['unassigned'];
  samples: SampleColumn | undefined;
  /** Column of obs by which the sides may be of other cells; undefined where that is what is compared. */
  types: string | undefined;
  /** Whether samples are the replicates of the test. */
  isOfSamples: boolean;
  /** Columns of obs that define the sides. */
  others: readonly string[];
  minCells: number;
}

export type FoundSides =
  /** Number of cells in both sets. */
  | { shared: number }
  | {
      shared: 0;
      compared: ComparedCells;
      /** Absent when no column holds samples, or it has too many values for samples. */
      samples?: SidesSamples;
      /** Columns in which A and B share no batch. */
      batches: readonly BatchesApart[];
      /** The part whose sides differ most in composition; absent if none differs. */
      composition?: PartComposition;
    };

export interface PartComposition extends NamedComposition {
  column: string;
  /** Empty where no column parts the cells. */
  part: string;
}

async function findSides(task: SidesTask, dataset: Dataset, signal: AbortSignal): Promise<FoundSides> {
  const { a, b, mask: active, minCells } = task;
  const shared = sharedCells({ a, b, active });
  if (shared > 0) return { shared };
  const within =
    task.within === undefined ? undefined : await categoricalColumn(dataset, task.within, signal);
  const { sides, partOf, ...parts } = comparedCells(
    { a, b, active },
    { minCells, ...(within && { within, unassigned: task.unassigned }) },
  );
  const compared = { ...parts, sides: sharedCopy(sides), ...(partOf && { partOf: sharedCopy(partOf) }) };
  const samples =
    task.samples &&
    (await samplesOfSides(dataset, task.samples, { slots: sides, others: task.others }, signal));
  const hasSamples = samples && samples.names.length <= maxSamples;
  const columns = batchColumns(dataset.obsColumnNames);
  const batches = await batchesApart(dataset, { columns, slots: sides, slotCount: 2 }, signal);
  const composition =
    task.types &&
    (await otherComposition(
      dataset,
      { column: task.types, compared, units: task.isOfSamples ? samples?.samples.column : undefined },
      signal,
    ));
  return {
    shared: 0,
    compared,
    batches,
    ...(hasSamples && { samples }),
    ...(composition && { composition }),
  };
}

/** The composition of the part whose sides are of other types the most. */
async function otherComposition(
  dataset: Dataset,
  { column, compared, units }: { column: string; compared: ComparedCells; units: string | undefined },
  signal: AbortSignal,
): Promise<PartComposition | undefined> {
  const types = await categoricalColumn(dataset, column, signal);
  const replicates = units === undefined ? undefined : await categoricalColumn(dataset, units, signal);
  let largest: PartComposition | undefined;
  for (const [place, { name: part }] of compared.parts.entries()) {
    const composition = sideComposition(sidesOfPart(compared, place), types, replicates);
    if (hasOtherComposition(composition) && !(largest && largest.distance >= composition.distance))
      largest = { ...composition, names: types.categories, column, part };
  }
  return largest;
}

export interface SumPlanTask extends Task<SumPlan> {
  kind: 'sum-plan';
  dataset: DatasetRef;
  /** Arrays are in shared memory. */
  compared: ComparedCells;
  /** Column of obs. */
  samples: string;
  /** A column without whose value a cell does not count; undefined when all cells count. */
  labelled: string | undefined;
  /** Whether values of it such as `Unknown` are as none. */
  assigned: boolean;
  columns: readonly string[];
  /** Covariates whose numbers are quantities, even with few distinct values. */
  numeric: readonly string[];
  /** A column whose values group several samples each; undefined for none. */
  blocks: string | undefined;
  /** Samples with fewer cells on a side are left out on that side. */
  minCells: number;
}

/** The groups of the sums are the sides of the parts: twice the index of the part, plus one for B. */
export interface SumPlan extends PseudobulkSamples {
  /** Sample names, by code. */
  names: readonly string[];
  unlabelled: number;
  /** Groups of `labelled` whose name says that their cells have none, with the cells of the sides in each. */
  unassigned: readonly { name: string; cells: number }[];
  /** The requested columns with a value for each sum, or the one whose values differ between the cells of a sum. */
  values: readonly DesignColumn[] | { varying: string; sum: number };
  /** The block of each sum, as its own code. */
  blocks?: Int32Array;
}

async function planSums(task: SumPlanTask, dataset: Dataset, signal: AbortSignal): Promise<SumPlan> {
  const { sides, partOf, parts } = task.compared;
  const labels = await categoricalColumn(dataset, task.samples, signal);
  const groups = new Int32Array(sides.length).fill(-1);
  const needed =
    task.labelled === undefined ? undefined : await categoricalColumn(dataset, task.labelled, signal);
  const isUnassignedCode = (needed?.categories ?? []).map(isUnassigned);
  const unassigned = new Float64Array(isUnassignedCode.length);
  let unlabelled = 0;
  for (let cell = 0; cell < sides.length; cell++) {
    const code = needed ? needed.codes[cell]! : 0;
    if (sides[cell]! > 1 || code < 0) continue;
    if (isUnassignedCode[code]) {
      unassigned[code]!++;
      if (task.assigned) continue;
    }
    groups[cell] = 2 * (partOf ? partOf[cell]! : 0) + sides[cell]!;
    if (labels.codes[cell]! < 0) unlabelled++;
  }
  const categories = new Array<string>(2 * parts.length).fill('');
  const pseudobulk = pseudobulkSamples(labels, { codes: groups, categories }, { minCells: task.minCells });
  const values: DesignColumn[] = [];
  const plan = {
    ...pseudobulk,
    codes: sharedCopy(pseudobulk.codes),
    names: labels.categories,
    unlabelled,
    unassigned: (needed?.categories ?? []).flatMap((name, code) =>
      unassigned[code]! > 0 ? [{ name, cells: unassigned[code]! }] : [],
    ),
  };
  for (const name of task.columns) {
    const answer = sampleValues(name, await dataset.obs(name, signal), pseudobulk);
    if ('varying' in answer) return { ...plan, values: answer };
    values.push(task.numeric.includes(name) ? answer : withoutCodes(answer, pseudobulk));
  }
  if (task.blocks === undefined) return { ...plan, values };
  const blocks = sampleValues(task.blocks, await dataset.obs(task.blocks, signal), pseudobulk);
  if ('varying' in blocks) return { ...plan, values: blocks };
  return { ...plan, values, blocks: blockCodes(blocks) };
}

/** Names of quantity columns, however few values they have: for example the ages of six donors. */
const quantityName = /(^|[^a-z])(age|bmi|concentration|dose|height|pmi|rin|weight)([^a-z]|$)/i;

function withoutCodes(column: DesignColumn, { sums }: PseudobulkSamples): DesignColumn {
  if (column.kind === 'categorical' || quantityName.test(column.name)) return column;
  const samples = new Set(sums.map(({ sample }) => sample)).size;
  return codesAsFactor(column, { samples, isCode: batchColumns([column.name]).length > 0 }) ?? column;
}

/** A code for each value; a sum without a value forms its own block. */
function blockCodes(column: DesignColumn): Int32Array {
  const values = Array.from<number>(column.kind === 'numeric' ? column.values : column.codes);
  const codeOf = new Map<number, number>();
  return Int32Array.from(values, (value, sum) => {
    if (Number.isNaN(value) || (column.kind === 'categorical' && value < 0)) return values.length + sum;
    codeOf.set(value, codeOf.get(value) ?? codeOf.size);
    return codeOf.get(value)!;
  });
}

/**
 * The value of a column shared by all cells of a sum, or the first sum whose cells differ; a missing value counts as a
 * value. Throws RangeError for free text and for integers of more than 53 bits.
 */
function sampleValues(
  name: string,
  column: Column,
  { sums, codes: sumOf }: PseudobulkSamples,
): DesignColumn | { varying: string; sum: number } {
  const labels = categoriesOf(column);
  if (!labels && column.kind !== 'numeric') throw new RangeError(`the column ${name} is ${column.kind}`);
  const missing = column.kind === 'numeric' ? column.missing : undefined;
  const source = labels ? labels.codes : (column as Extract<Column, { kind: 'numeric' }>).values;
  const values = new Float64Array(sums.length);
  const isSeen = new Uint8Array(sums.length);
  for (let cell = 0; cell < sumOf.length; cell++) {
    const sum = sumOf[cell]!;
    if (sum < 0) continue;
    const value = missing?.[cell] ? NaN : source[cell]! + 0;
    if (isSeen[sum] === 0) {
      isSeen[sum] = 1;
      values[sum] = value;
    } else if (!Object.is(values[sum], value)) return { varying: name, sum };
  }
  return labels
    ? { kind: 'categorical', name, categories: labels.categories, codes: Int32Array.from(values) }
    : { kind: 'numeric', name, values };
}

export const sampleDesignTasks = [
  taskKind<SidesTask>('compare-sides', (task, { dataset, signal }) => findSides(task, dataset, signal)),
  taskKind<SumPlanTask>('sum-plan', (task, { dataset, signal }) => planSums(task, dataset, signal)),
];

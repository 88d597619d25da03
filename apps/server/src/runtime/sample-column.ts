import {
  isOnBothSides,
  maxSamples,
  replicatesOnSides,
  type SampleUnits,
  type SideCells,
  unitsOfSamples,
  valueCount,
} from '@cellfolio/analysis';
import { sampleNoun, samplesText } from '@cellfolio/analyses/cautions';
import { columnTitle } from '@cellfolio/contract';
import { countText, isCategorical, unitName } from '@cellfolio/model';
import type { Dataset, DatasetManifest } from '@cellfolio/store';
import { categoriesOf } from './compute/open-datasets.ts';
import { groupColumn } from './group-column.ts';

const sampleName = /^sample(?:[ _.-]?id)?$/i;

/** The column of obs whose values are used as replicates, and the reason. */
export interface SampleColumn {
  column: string;
  reason: string;
  /** Set when samples are nested in units; `column` is the one in use. */
  nesting?: Nesting;
  /** Chosen by the user, or cells were ranked within it: the sides do not change it. */
  isFixed?: true;
}

/** Samples, each within one of the units. */
export interface Nesting {
  samples: { column: string; values: number };
  /** Outermost first. */
  units: readonly SampleUnits[];
  /** When sides are compared: the samples and outermost units on them. */
  onSides?: UnitsOnSides;
}

interface UnitsOnSides {
  samples: number;
  units: number;
  /** Mean number of samples per unit and side: with one, samples are no more replicates than units are. */
  perSide: number;
  /** Each side has two units or more. */
  areReplicated: boolean;
}

type Columns = Pick<Dataset, 'manifest' | 'obs' | 'obsColumnNames'>;

/**
 * The column whose values are replicates: `chosen` by the user (its name in obs), or the outermost individuals
 * (patients, animals, embryos) that contain the recorded samples, or these samples. Undefined when none are recorded.
 * Reads columns of obs whose names suggest individuals.
 */
export async function sampleColumn(dataset: Columns, chosen?: string): Promise<SampleColumn | undefined> {
  const start: SampleColumn | undefined =
    chosen === undefined
      ? await defaultSamples(dataset)
      : { column: chosen, reason: 'the column that was chosen', isFixed: true };
  if (start === undefined) return undefined;
  const named = dataset.obsColumnNames.filter((name) =>
    ['individual', 'label'].includes(unitName(name) ?? ''),
  );
  const nesting = await nestingIn(dataset, start.column, named);
  if (!nesting) return chosen === undefined ? unitsOfNamedSamples(dataset, start) : start;
  const outermost = nesting.units.find(({ name }) => name === 'individual');
  return outermost && chosen === undefined ? unitsTaken(nesting, outermost) : { ...start, nesting };
}

/** As `sampleColumn`, for a column that a user may have named, with its name in obs. Throws ApiFailure 400. */
export async function requestedSamples(
  dataset: Dataset,
  requestedName: string | undefined,
): Promise<{ named: string | undefined; samples: SampleColumn | undefined }> {
  const named =
    requestedName === undefined ? undefined : await groupColumn(dataset, requestedName, 'samples');
  return { named, samples: await sampleColumn(dataset, named) };
}

/**
 * The column of patients, else the one used by quality control or integration; when these have one value, one detected
 * by name.
 */
async function defaultSamples(dataset: Columns): Promise<SampleColumn | undefined> {
  const recorded = recordedSamples(dataset.manifest);
  // One value tells no samples apart, and another column may.
  for (const one of recorded) if ((await valuesIn(dataset, one.column)) !== 1) return one;
  if (recorded.length === 0) return undefined;
  const names = dataset.obsColumnNames;
  for (const column of [
    ...names.filter((name) => unitName(name) === 'individual'),
    ...names.filter((name) => sampleName.test(name)),
  ]) {
    const values = await valuesIn(dataset, column);
    if (values > 1 && values <= maxSamples) return { column, reason: 'its name says so' };
  }
  return recorded[0];
}

/** The column, with the samples in its individuals when a column named so holds them. */
async function unitsOfNamedSamples(dataset: Columns, start: SampleColumn): Promise<SampleColumn> {
  if (unitName(start.column) !== 'individual') return start;
  for (const samples of dataset.obsColumnNames.filter((name) => sampleName.test(name))) {
    const nesting = await nestingIn(dataset, samples, [start.column]);
    if (nesting) return unitsTaken(nesting, nesting.units[0]!);
  }
  return start;
}

function recordedSamples({ roles, processing }: DatasetManifest): SampleColumn[] {
  const patients = 'the column of patients or samples of this dataset';
  return [
    { column: roles.patient, reason: patients },
    { column: processing?.quality?.sampleColumn, reason: 'the samples that quality control was done by' },
    { column: processing?.mixing?.column, reason: 'the samples whose mixing was measured' },
  ].flatMap(({ column, reason }) => (column === undefined ? [] : [{ column, reason }]));
}

/** 0 for a column that no longer exists or has no categories. */
async function valuesIn(dataset: Columns, name: string): Promise<number> {
  const column = dataset.obsColumnNames.includes(name) ? await dataset.obs(name) : undefined;
  return column && isCategorical(column) ? valueCount(column) : 0;
}

async function nestingIn(
  dataset: Columns,
  samples: string,
  columns: readonly string[],
  signal?: AbortSignal,
): Promise<Nesting | undefined> {
  const read = dataset.obsColumnNames.includes(samples) && (await dataset.obs(samples, signal));
  const labels = read ? categoriesOf(read) : undefined;
  if (!labels) return undefined;
  const units: SampleUnits[] = [];
  for (const name of columns) {
    if (name === samples) continue;
    const column = await dataset.obs(name, signal);
    const unit = isCategorical(column) && unitsOfSamples(labels, name, column);
    if (unit) units.push(unit);
  }
  if (units.length === 0) return undefined;
  units.sort((one, other) => one.values - other.values);
  return { samples: { column: samples, values: valueCount(labels) }, units };
}

function unitsTaken(nesting: Nesting, { column, values }: SampleUnits): SampleColumn {
  const { samples } = nesting;
  const { one } = sampleNoun(column);
  const reason = `${countText(values)} values, chosen because each of ${countText(samples.values)} values of ${columnTitle(samples.column)} lies in one ${one === 'sample' ? 'of them' : one}`;
  return { column, reason, nesting };
}

export interface SidesSamples extends SideCells {
  samples: SampleColumn;
  /** Names of the column's values, by code. */
  names: readonly string[];
}

/** Maximum number of columns that are read to find units that contain the samples. */
const maxColumnsRead = 20;

/**
 * The outermost units with replicates on both sides, else the samples in them. Values that may repeat across units
 * count as units when each is on one side only. `slots` holds 0 for A and 1 for B per cell; `others` are columns that
 * cannot be units, such as those that define the sides. Undefined when the column has no categories.
 */
export async function samplesOfSides(
  dataset: Columns,
  samples: SampleColumn,
  { slots, others }: { slots: Uint16Array; others: readonly string[] },
  signal: AbortSignal,
): Promise<SidesSamples | undefined> {
  const { nesting, isFixed } = samples;
  const sidesOf = (column: string) => sideCells(dataset, column, slots, signal);
  const replicated = async ({ column, name }: SampleUnits) => {
    const cells = await sidesOf(column);
    const isReplicated =
      cells && replicatesOnSides(cells) && (name === 'individual' || !isOnBothSides(cells));
    return isReplicated ? cells : undefined;
  };
  const named = nesting?.units ?? [];
  const inner = nesting?.samples.column ?? samples.column;
  if (!isFixed) {
    for (const one of named) {
      const cells = await replicated(one);
      if (cells) return { samples: unitsTaken(nesting!, one), ...cells };
    }
  }
  const column = isFixed ? samples.column : inner;
  const cells = await sidesOf(column);
  if (!cells) return undefined;
  if (column !== inner) return { samples, ...cells };
  const units = named.filter(({ name }) => name === 'individual');
  for (const one of await unnamedUnits(dataset, column, others, signal)) {
    if (one.values > 2 && (await replicated(one))) units.push(one);
  }
  const { reason } = column === samples.column ? samples : { reason: tooFewUnits(nesting!) };
  const values = nesting?.samples.values ?? valueCount(categoriesOf(await dataset.obs(column, signal))!);
  return {
    samples: {
      column,
      reason,
      ...(isFixed && { isFixed }),
      ...(units.length > 0 && {
        nesting: {
          samples: { column, values },
          units,
          onSides: onSides(cells, (await sidesOf(units[0]!.column))!),
        },
      }),
    },
    ...cells,
  };
}

function onSides(samples: SideCells, units: SideCells): UnitsOnSides {
  const present = ({ a, b }: SideCells) =>
    a.reduce((count, cells, at) => count + Number(cells + b[at]! > 0), 0);
  const sums = ({ a, b }: SideCells) => [...a, ...b].reduce((count, cells) => count + Number(cells > 0), 0);
  return {
    samples: present(samples),
    units: present(units),
    perSide: sums(samples) / sums(units),
    areReplicated: replicatesOnSides(units),
  };
}

function tooFewUnits({ samples, units: [outermost] }: Nesting): string {
  const { column, values } = outermost!;
  return `its ${countText(samples.values)} values lie in ${samplesText(values, column)}, too few on a side to be replicates`;
}

/** Columns with uninformative names whose values contain whole samples. */
async function unnamedUnits(
  dataset: Columns,
  samples: string,
  others: readonly string[],
  signal: AbortSignal,
): Promise<SampleUnits[]> {
  const { cellType, cluster, metadata } = dataset.manifest.roles;
  const left = new Set([samples, cellType, cluster, ...others]);
  const names = Object.values(metadata).filter((name) => !left.has(name) && unitName(name) === undefined);
  const nesting = await nestingIn(dataset, samples, names.slice(0, maxColumnsRead), signal);
  return nesting ? [...nesting.units] : [];
}

/** Cells of each value of a column on both sides; undefined when it has no categories. */
async function sideCells(
  dataset: Columns,
  column: string,
  slots: Uint16Array,
  signal: AbortSignal,
): Promise<Omit<SidesSamples, 'samples'> | undefined> {
  const labels = categoriesOf(await dataset.obs(column, signal));
  if (!labels) return undefined;
  const { codes, categories: names } = labels;
  const [a, b] = [new Float64Array(names.length), new Float64Array(names.length)];
  for (let cell = 0; cell < slots.length; cell++) {
    const [value, slot] = [codes[cell]!, slots[cell]!];
    if (value < 0 || slot > 1) continue;
    if (slot === 0) a[value]!++;
    else b[value]!++;
  }
  return { names, a, b };
}

export function samplesAnswer({ column, reason, nesting }: SampleColumn) {
  if (!nesting) return { column, reason };
  const units = nesting.units.map((one) => ({ column: one.column, values: one.values }));
  return { column, reason, nesting: { samples: nesting.samples, units } };
}

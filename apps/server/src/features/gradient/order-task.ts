import {
  type AxisOrder,
  axisOrder,
  correlationOfRanks,
  explainedShare,
  maxAxisSamples,
  type SampleRanks,
  sampleRanks,
  type SplineBasis,
  splineBasis,
} from '@cellfolio/analysis';
import { countText, quotedHead, sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';
import { type CellTask, taskKind } from '../../runtime/compute/task.ts';
import { numbersOf, readValues } from '../../runtime/compute/value-source.ts';
import type { AxisSource } from './axis-source.ts';
import { quotedColumn } from '../../runtime/column-names.ts';

export interface AxisOrderTask extends CellTask<OrderedAxis | { refusal: AxisRefusal }> {
  kind: 'gradient-order';
  isLong: true;
  source: AxisSource;
  name: string;
  degrees: number;
  /** Columns of obs with samples, and with the cells' total counts; undefined when unknown. */
  samples: string | undefined;
  counts: string | undefined;
  withinSamples: boolean;
}

interface AxisRefusal {
  code: 'too_few_cells' | 'constant_axis' | 'unknown_group' | 'no_line';
  message: string;
}

/** The arrays of cells are in shared memory. */
export interface OrderedAxis {
  /** Per cell; NaN when not tested. */
  values: Float64Array;
  order: AxisOrder;
  basis: SplineBasis;
  within: (SampleRanks & { names: readonly string[] }) | undefined;
  cells: {
    /** Chosen cells, those with a position on the axis, and those that are tested. */
    analysed: number;
    placed: number;
    tested: number;
  };
  samples: SamplesOnAxis | undefined;
  /** Minimum and maximum position, and the share of the cells at the most common position, `commonest`. */
  range: readonly [number, number];
  commonest: { place: number; share: number };
  /** Spearman correlation of the axis with the total counts; NaN when these are unknown. */
  countsRho: number;
  /** For a line: its ends, and the share of the cells before the first or beyond the second. */
  line: { ends: Line; beyond: number } | undefined;
}

export interface TestedAxis extends Omit<OrderedAxis, 'basis' | 'within'> {
  curve: Pick<SplineBasis, 'degrees' | 'knots'> & { replicates: 'samples' | 'cells' };
  /** Samples that were tested separately; undefined when all cells were tested together. */
  within: readonly { name: string; cells: number }[] | undefined;
}

interface SamplesOnAxis {
  /** Samples with a cell on the axis, and those that have enough cells and in which it varies. */
  present: number;
  usable: number;
  constant: number;
  /** Share of the axis' variance explained by samples (eta squared). */
  share: number;
}

type Line = readonly [readonly [number, number], readonly [number, number]];

/** Fewer cells follow an axis by chance. */
export const minCells = 20;
const binCount = 30;

async function orderAxis(
  task: AxisOrderTask,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<OrderedAxis | { refusal: AxisRefusal }> {
  const placed = await placesOf(task.source, dataset, signal);
  if ('refusal' in placed) return placed;
  const values = Float64Array.from(placed.values, (value, cell) =>
    task.mask && task.mask.bits[cell] !== 1 ? NaN : value,
  );
  const analysed = task.mask?.count ?? values.length;
  const count = countPlaced(values);
  const few = refusalOf(values, count, task.name);
  if (few) return few;
  const column =
    task.samples === undefined ? undefined : await categoricalColumn(dataset, task.samples, signal);
  const sampleLabels = column && column.categories.length <= maxAxisSamples ? column : undefined;
  const ranks =
    sampleLabels &&
    sampleRanks(values, sampleLabels.codes, { sampleCount: sampleLabels.categories.length, minCells });
  const samples =
    sampleLabels && ranks && samplesOnAxis(values, sampleLabels.codes, sampleLabels.categories.length, ranks);
  // With one sample there is nothing to combine.
  const within = task.withinSamples && ranks && ranks.sizes.length >= 2 ? ranks : undefined;
  const tested = within ? values.map((value, cell) => (within.samples[cell]! < 0 ? NaN : value)) : values;
  const order = axisOrder(tested, binCount, 'together');
  const basis = splineBasis(tested, task.degrees, within?.samples);
  const line = placed.line && { ends: placed.line, beyond: beyondLine(tested) };
  return {
    values: sharedCopy(tested),
    order: { ...order, ranks: sharedCopy(order.ranks), bins: sharedCopy(order.bins) },
    basis: { ...basis, values: sharedCopy(basis.values), strata: sharedCopy(basis.strata) },
    within: within && {
      ...within,
      samples: sharedCopy(within.samples),
      ranks: sharedCopy(within.ranks),
      names: Array.from(within.codes, (code) => sampleLabels!.categories[code]!),
    },
    cells: { analysed, placed: count, tested: order.cellCount },
    samples,
    ...spreadOf(tested),
    countsRho: await countsRho(task, dataset, { tested, ranks: order.ranks, signal }),
    line,
  };
}

interface Places {
  values: Float64Array;
  line?: Line;
}

async function placesOf(
  source: AxisSource,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Places | { refusal: AxisRefusal }> {
  switch (source.from) {
    case 'line': {
      const embedding = await dataset.embedding(source.embedding, signal);
      return { values: projected(embedding, source.ends), line: source.ends };
    }
    case 'groups':
      return placesBetween(source, dataset, signal);
    default:
      return { values: await readValues(source, dataset, signal) };
  }
}

async function placesBetween(
  { embedding: name, column, groups }: Extract<AxisSource, { from: 'groups' }>,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Places | { refusal: AxisRefusal }> {
  const embedding = await dataset.embedding(name, signal);
  const { codes, categories } = await categoricalColumn(dataset, column, signal);
  const ends: (readonly [number, number])[] = [];
  for (const group of groups) {
    const code = categories.indexOf(group);
    const centre = code < 0 ? undefined : centreOf(embedding, codes, code);
    if (centre === undefined) {
      const message = `The column ${quotedColumn(column)} has no group ${quotedHead(group, 80)} with coordinates. Choose two of its groups.`;
      return { refusal: { code: 'unknown_group', message } };
    }
    ends.push(centre);
  }
  const line = ends as [readonly [number, number], readonly [number, number]];
  if (line[0][0] === line[1][0] && line[0][1] === line[1][1]) {
    const message = `The groups ${groups.map((group) => quotedHead(group, 80)).join(' and ')} have the same centre: choose others.`;
    return { refusal: { code: 'no_line', message } };
  }
  return { values: projected(embedding, line), line };
}

interface Coordinates {
  dimensions: number;
  values: ArrayLike<number>;
}

/** The mean position of a group over all its cells, so that a subset does not move it. */
function centreOf(
  { dimensions, values }: Coordinates,
  codes: ArrayLike<number>,
  code: number,
): readonly [number, number] | undefined {
  let [x, y, count] = [0, 0, 0];
  for (let cell = 0; cell < codes.length; cell++) {
    const [own, other] = [values[cell * dimensions]!, values[cell * dimensions + 1]!];
    if (codes[cell] !== code || !Number.isFinite(own + other)) continue;
    x += own;
    y += other;
    count++;
  }
  return count === 0 ? undefined : [x / count, y / count];
}

/** Projection of each cell onto a line: 0 at its first end, 1 at the second; NaN without coordinates. */
function projected({ dimensions, values }: Coordinates, [from, to]: Line): Float64Array {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  const places = new Float64Array(values.length / dimensions);
  for (let cell = 0; cell < places.length; cell++) {
    const at = cell * dimensions;
    places[cell] = ((values[at]! - from[0]) * dx + (values[at + 1]! - from[1]) * dy) / square;
  }
  return places;
}

function countPlaced(values: Float64Array): number {
  return values.reduce((count, value) => count + (Number.isFinite(value) ? 1 : 0), 0);
}

function refusalOf(values: Float64Array, count: number, name: string): { refusal: AxisRefusal } | undefined {
  if (count < minCells) {
    const message = `A gradient needs at least ${minCells} cells, and ${countText(count)} active cells have a place on ${name}. Choose a larger subset, or another axis.`;
    return { refusal: { code: 'too_few_cells', message } };
  }
  const first = values.find(Number.isFinite);
  if (values.some((value) => Number.isFinite(value) && value !== first)) return undefined;
  const message = `All ${countText(count)} cells have the same place on ${name}, ${first}: no gene can rise or fall along it. Choose another axis.`;
  return { refusal: { code: 'constant_axis', message } };
}

function samplesOnAxis(
  values: Float64Array,
  codes: ArrayLike<number>,
  sampleCount: number,
  ranks: SampleRanks,
): SamplesOnAxis {
  const minima = new Float64Array(sampleCount).fill(Infinity);
  const maxima = new Float64Array(sampleCount).fill(-Infinity);
  for (let cell = 0; cell < values.length; cell++) {
    const [code, value] = [codes[cell]!, values[cell]!];
    if (code < 0 || !Number.isFinite(value)) continue;
    minima[code] = Math.min(minima[code]!, value);
    maxima[code] = Math.max(maxima[code]!, value);
  }
  return {
    present: minima.filter((value) => value < Infinity).length,
    usable: ranks.sizes.length,
    constant: minima.filter((value, sample) => value === maxima[sample]).length,
    share: explainedShare(values, codes, sampleCount),
  };
}

function spreadOf(values: Float64Array): Pick<OrderedAxis, 'range' | 'commonest'> {
  const rising = values.filter(Number.isFinite).sort();
  let [place, count] = [rising[0]!, 0];
  for (let start = 0; start < rising.length;) {
    let end = start + 1;
    while (end < rising.length && rising[end] === rising[start]) end++;
    if (end - start > count) [place, count] = [rising[start]!, end - start];
    start = end;
  }
  return { range: [rising[0]!, rising.at(-1)!], commonest: { place, share: count / rising.length } };
}

async function countsRho(
  { counts, source }: AxisOrderTask,
  dataset: Dataset,
  input: { tested: Float64Array; ranks: Float64Array; signal: AbortSignal },
): Promise<number> {
  if (counts === undefined || (source.from === 'column' && source.column === counts)) return NaN;
  const totals = numbersOf(await dataset.obs(counts, input.signal));
  const among = totals.map((total, cell) => (Number.isFinite(input.tested[cell]) ? total : NaN));
  return correlationOfRanks(axisOrder(among, 1).ranks, input.ranks);
}

function beyondLine(values: Float64Array): number {
  const outside = values.reduce((count, value) => count + (value < 0 || value > 1 ? 1 : 0), 0);
  return outside / countPlaced(values);
}

export const orderTasks = [
  taskKind<AxisOrderTask>('gradient-order', (task, { dataset, signal }) => orderAxis(task, dataset, signal)),
];

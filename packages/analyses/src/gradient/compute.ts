import {
  adjustedPresent,
  type AxisOrder,
  axisOrder,
  centreOfGroup,
  correlationOfRanks,
  correlationP,
  type CorrelationsWithin,
  correlationsWithin,
  curveTests,
  explainedShare,
  type GenesAlong,
  genesAlongAxis,
  type Line,
  maxAxisSamples,
  placesOnLine,
  type SampleRanks,
  sampleRanks,
  type SplineBasis,
  splineBasis,
  type SplineTests,
  splineTests,
  spreadOfPlaces,
} from '@cellfolio/analysis';
import { type CellMask, countText, quotedHead, sharedCopy } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { countedP } from '../axis/fields.ts';
import { meanSteps, sharedOrder } from '../axis/gene-means.ts';
import { pseudotimeSteps } from '../axis/pseudotime-steps.ts';
import type { GeneRange, ThreadDataset, ValueSource } from '../context.ts';
import { minCells } from './declare.ts';

export type AxisSource =
  | ValueSource
  | { readonly from: 'line'; readonly embedding: string; readonly ends: Line }
  | {
      readonly from: 'groups';
      readonly embedding: string;
      readonly column: string;
      readonly groups: readonly [string, string];
    };

interface PlaceInput {
  /** The active cells; undefined for all. */
  readonly mask: CellMask | undefined;
  readonly source: AxisSource;
  readonly name: string;
  readonly degrees: number;
  /** Columns of obs with samples, and with the cells' total counts; undefined when unknown. */
  readonly samples: string | undefined;
  readonly counts: string | undefined;
  readonly withinSamples: boolean;
}

interface Refused {
  readonly refusal: {
    readonly code: 'too_few_cells' | 'constant_axis' | 'unknown_group' | 'no_line';
    readonly message: string;
  };
}

/** The arrays of cells are in shared memory. */
export interface PlacedCells {
  /** Per cell; NaN when not tested. */
  readonly values: Float64Array;
  readonly order: AxisOrder;
  readonly basis: SplineBasis;
  readonly within: (SampleRanks & { readonly names: readonly string[] }) | undefined;
  readonly cells: {
    /** Chosen cells, those with a position on the axis, and those that are tested. */
    readonly analysed: number;
    readonly placed: number;
    readonly tested: number;
  };
  readonly samples: SamplesOnAxis | undefined;
  readonly range: readonly [number, number];
  readonly commonest: { readonly place: number; readonly share: number };
  /** Spearman correlation of the axis with the total counts; NaN when these are unknown. */
  readonly countsRho: number;
  /** For a line: its ends, and the share of the cells before the first or beyond the second. */
  readonly line: { readonly ends: Line; readonly beyond: number } | undefined;
}

interface SamplesOnAxis {
  /** Samples with a cell on the axis, and those that have enough cells and in which it varies. */
  readonly present: number;
  readonly usable: number;
  readonly constant: number;
  /** Share of the axis' variance explained by samples (eta squared). */
  readonly share: number;
}

const binCount = 30;

/** Places the cells on the axis, and prepares the tests of genes along it. */
async function place(input: PlaceInput, dataset: ThreadDataset): Promise<PlacedCells | Refused> {
  const { mask, degrees, withinSamples } = input;
  const placed = await placesOf(input.source, dataset);
  if ('refusal' in placed) return placed;
  const values = Float64Array.from(placed.values, (value, cell) =>
    mask && mask.bits[cell] !== 1 ? NaN : value,
  );
  const count = countPlaced(values);
  const few = refusalOf(values, count, input.name);
  if (few) return few;
  const column = input.samples === undefined ? undefined : await dataset.categories(input.samples);
  const labels = column && column.categories.length <= maxAxisSamples ? column : undefined;
  const sampleCount = labels?.categories.length ?? 0;
  const ranks = labels && sampleRanks(values, labels.codes, { sampleCount, minCells });
  const samples = labels && ranks && samplesOnAxis(values, labels.codes, sampleCount, ranks);
  // With one sample there is nothing to combine.
  const within = withinSamples && ranks && ranks.sizes.length >= 2 ? ranks : undefined;
  const tested = within ? values.map((value, cell) => (within.samples[cell]! < 0 ? NaN : value)) : values;
  const order = axisOrder(tested, binCount, 'together');
  const basis = splineBasis(tested, degrees, within?.samples);
  return {
    values: sharedCopy(tested),
    order: sharedOrder(order),
    basis: { ...basis, values: sharedCopy(basis.values), strata: sharedCopy(basis.strata) },
    within: within && {
      ...within,
      samples: sharedCopy(within.samples),
      ranks: sharedCopy(within.ranks),
      names: Array.from(within.codes, (code) => labels!.categories[code]!),
    },
    cells: { analysed: mask?.count ?? values.length, placed: count, tested: order.cellCount },
    samples,
    ...spreadOfPlaces(tested),
    countsRho: await countsRho(input, dataset, { tested, ranks: order.ranks }),
    line: placed.line && { ends: placed.line, beyond: beyondLine(tested) },
  };
}

interface Places {
  readonly values: Float64Array;
  readonly line?: Line;
}

async function placesOf(source: AxisSource, dataset: ThreadDataset): Promise<Places | Refused> {
  switch (source.from) {
    case 'line': {
      const embedding = await dataset.embedding(source.embedding);
      return { values: placesOnLine(embedding, source.ends), line: source.ends };
    }
    case 'groups':
      return placesBetween(source, dataset);
    default:
      return { values: await dataset.values(source) };
  }
}

async function placesBetween(
  { embedding: name, column, groups }: Extract<AxisSource, { from: 'groups' }>,
  dataset: ThreadDataset,
): Promise<Places | Refused> {
  const embedding = await dataset.embedding(name);
  const { codes, categories } = await dataset.categories(column);
  const ends: (readonly [number, number])[] = [];
  for (const group of groups) {
    const code = categories.indexOf(group);
    // All cells of the group count, so that a subset does not move it.
    const centre = code < 0 ? undefined : centreOfGroup(embedding, codes, code);
    if (centre === undefined) {
      const message = `The column ${quotedHead(columnTitle(column), 80)} has no group ${quotedHead(group, 80)} with coordinates. Choose two of its groups.`;
      return { refusal: { code: 'unknown_group', message } };
    }
    ends.push(centre);
  }
  const line: Line = [ends[0]!, ends[1]!];
  if (line[0][0] === line[1][0] && line[0][1] === line[1][1]) {
    const message = `The groups ${groups.map((group) => quotedHead(group, 80)).join(' and ')} have the same center: choose others.`;
    return { refusal: { code: 'no_line', message } };
  }
  return { values: placesOnLine(embedding, line), line };
}

function countPlaced(values: Float64Array): number {
  return values.reduce((count, value) => count + (Number.isFinite(value) ? 1 : 0), 0);
}

function refusalOf(values: Float64Array, count: number, name: string): Refused | undefined {
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

async function countsRho(
  { counts, source }: PlaceInput,
  dataset: ThreadDataset,
  { tested, ranks }: { readonly tested: Float64Array; readonly ranks: Float64Array },
): Promise<number> {
  if (counts === undefined || (source.from === 'column' && source.column === counts)) return NaN;
  const totals = await dataset.numbers(counts);
  const among = totals.map((total, cell) => (Number.isFinite(tested[cell]) ? total : NaN));
  return correlationOfRanks(axisOrder(among, 1).ranks, ranks);
}

function beyondLine(values: Float64Array): number {
  const outside = values.reduce((count, value) => count + (value < 0 || value > 1 ? 1 : 0), 0);
  return outside / countPlaced(values);
}

type TestInput = GeneRange & Pick<PlacedCells, 'order' | 'basis' | 'within'>;

interface TestedGenes {
  readonly along: GenesAlong;
  readonly curves: SplineTests;
  readonly within: CorrelationsWithin | undefined;
}

function test({ order, basis, within, ...genes }: TestInput, dataset: ThreadDataset): Promise<TestedGenes> {
  return dataset.useExpression(genes, (block) => ({
    along: genesAlongAxis(block, order),
    curves: splineTests(block, basis),
    within: within && correlationsWithin(block, within),
  }));
}

interface RankInput {
  readonly blocks: readonly TestedGenes[];
  readonly order: Pick<AxisOrder, 'cellCount' | 'places'>;
  readonly curve: Pick<SplineBasis, 'degrees' | 'left' | 'replicates'>;
  /** Rows in var of the genes that define the axis. */
  readonly ownRows: readonly number[];
}

/** A curve counts as turning when it explains this many times what a correlation does, with two degrees or more. */
const turningRatio = 2;
const maxOfKind = 12;

/** Tests all genes, and makes their table, the most significant first. */
function rank(input: RankInput, { symbols }: ThreadDataset) {
  const all = columnsOf(input, symbols.length);
  const { rho, p, adjusted, fAdjusted, explained } = all;
  const ranked = surestFirst(p, rho);
  const column = (values: Float64Array) => Float64Array.from(ranked, (row) => values[row]!);
  const bySamples = input.blocks.some(({ within }) => within !== undefined);
  const following = (direction: number) =>
    [...ranked].filter((row) => adjusted[row]! < countedP && rho[row]! * direction > 0);
  const [rising, falling] = [following(1), following(-1)];
  const turning = [...surestFirst(all.fP, explained)].filter(
    (row) =>
      input.curve.degrees > 1 &&
      fAdjusted[row]! < countedP &&
      explained[row]! > turningRatio * rho[row]! ** 2,
  );
  const turns = new Set(turning.slice(0, maxOfKind));
  const straight = (rows: readonly number[]) => rows.filter((row) => !turns.has(row)).slice(0, maxOfKind);
  const zerosIn = (values: Float64Array) => values.filter((value) => value === 0).length;
  return {
    table: {
      names: Array.from(ranked, (row) => symbols[row] ?? String(row)),
      rho: column(rho),
      pvals: column(p),
      pvals_adj: column(adjusted),
      ...(bySamples && {
        samples: column(all.samples),
        agreeing: column(all.agreeing),
        rho_all_cells: column(all.rhoAll),
      }),
      f: column(all.f),
      f_pvals: column(all.fP),
      f_pvals_adj: column(fAdjusted),
      explained: column(explained),
      range: column(all.range),
      peak: column(all.peak),
      pct_nz: column(all.share),
      mean: column(all.mean),
    },
    /** Genes that vary and do not define the axis. */
    tested: p.filter((value) => !Number.isNaN(value)).length,
    /** Genes with an adjusted p below 0.05: rising, falling, and with a turning curve. */
    rising: rising.length,
    falling: falling.length,
    turning: turning.length,
    /** P-values of correlations and of curves that underflow to 0. */
    zeroPs: zerosIn(p) + zerosIn(all.fP),
    /** Rows in var of the first that rise, fall and turn, most significant first; the lists are disjoint. */
    most: [straight(rising), straight(falling), [...turns]],
    /** Per gene; NaN when not tested. */
    rho,
    /** Degrees of freedom of the F test of curves below the line. */
    below: all.below,
  };
}

/** Combines the blocks into columns of all genes; tests of the axis' own genes become NaN. */
function columnsOf({ blocks, order, ownRows, curve }: RankInput, geneCount: number) {
  const column = () => new Float64Array(geneCount).fill(NaN);
  const tests = {
    rho: column(),
    p: column(),
    rhoAll: column(),
    samples: column(),
    agreeing: column(),
    f: column(),
    explained: column(),
    variation: column(),
  };
  const others = {
    normality: column(),
    range: column(),
    peak: column(),
    share: column(),
    mean: column(),
  };
  const shape = new Float64Array(curve.degrees ** 2);
  for (const { along, curves, within } of blocks) {
    curves.shape.forEach((value, at) => (shape[at]! += value));
    const { firstGene: first } = along;
    const p = within?.p ?? along.rho.map((rho) => correlationP(rho, order.cellCount));
    tests.rho.set(within?.rho ?? along.rho, first);
    tests.p.set(p, first);
    tests.rhoAll.set(along.rho, first);
    if (within) {
      tests.samples.set(within.tested, first);
      tests.agreeing.set(within.agreeing, first);
    }
    tests.f.set(curves.f, first);
    tests.explained.set(curves.explained, first);
    tests.variation.set(curves.variation, first);
    others.normality.set(curves.normality, first);
    others.range.set(along.ranges, first);
    others.mean.set(along.means, first);
    along.peaks.forEach((bin, at) => (others.peak[first + at] = order.places[bin]!));
    along.expressing.forEach((cells, at) => (others.share[first + at] = cells / order.cellCount));
  }
  for (const row of ownRows) for (const values of Object.values(tests)) values[row] = NaN;
  const { f, p: fP, below } = curveTests({ ...tests, ...others, shape }, curve);
  return {
    ...tests,
    ...others,
    adjusted: adjustedPresent(tests.p),
    f,
    fP,
    fAdjusted: adjustedPresent(fP),
    below,
  };
}

/** Rows in var by ascending p, ties by descending size; those without a p last. */
function surestFirst(p: Float64Array, size: Float64Array): Int32Array {
  const at = (row: number) => (Number.isNaN(p[row]) ? 2 : p[row]!);
  const sizeOf = (row: number) => (Number.isNaN(size[row]) ? 0 : Math.abs(size[row]!));
  return Int32Array.from(p.keys()).sort(
    (one, other) => at(one) - at(other) || sizeOf(other) - sizeOf(one) || one - other,
  );
}

export const steps = { ...pseudotimeSteps, ...meanSteps, place, test, rank };

import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { intraclassCorrelation } from '../statistics/intraclass-correlation.ts';
import { pairedTest, welchTest, type MeanDifference } from '../statistics/t-tests.ts';
import type { CellGroups } from './cell-groups.ts';
import type { CategoricalColumn } from '@cellfolio/model';

export interface SampleChecks {
  readonly sampleCount: number;
  /** Number of counted cells with a sample. */
  readonly cellCount: number;
  readonly groups: readonly GroupSamples[];
  readonly markerCount: number;
  /** Number of markers whose group and reference have enough samples. */
  readonly testable: number;
  /** Number of these with p < 0.05 and the same direction. */
  readonly confirmed: number;
  /** The same with p-values adjusted over all tested genes. */
  readonly confirmedAdjusted: number;
  /** Median over the markers; NaN if no group has two samples. */
  readonly intraclassCorrelation: number;
  /** Cells of all groups divided by the design effect of their samples; NaN if the correlation is. */
  readonly effectiveCells: number;
  /** Whether sums of raw counts were tested, or else means of values. */
  readonly ofCounts: boolean;
}

interface GroupSamples {
  /** Number of samples with at least `minInSample` cells in the group. */
  sampleCount: number;
  /** Sample with the most cells, and its share of the group (0 to 1). */
  largest: { sample: number; share: number };
  isTestable: boolean;
}

/** A mean of fewer cells does not represent its sample. */
const minInSample = 3;
/** Minimum pairs of a paired test: with two it would have one degree of freedom. */
const minPairs = 3;
const level = 0.05;
/** Added to counts before their logarithm is taken: edgeR's `prior.count`. */
const priorCount = 2;

interface CheckedGroups {
  groups: CellGroups;
  /** Group that the others were compared with; all other cells if absent. */
  reference?: number | undefined;
  sums: SampleSums;
  markers: readonly ListedMarker[];
  rising: readonly boolean[];
  /** Where there are raw counts. */
  counted?: CountedSamples | undefined;
}

/** The raw counts of samples. */
export interface CountedSamples {
  sums: SampleSums;
  /** Library sizes over all genes, in the order of `SampleSums.counts`. */
  sizes: Float64Array;
}

/** The raw counts of all genes in each sample, group by group, in the order of `SampleSums.counts`. @param totals of each cell */
export function sampleSizes(
  { codes, names }: Pick<CellGroups, 'codes' | 'names'>,
  samples: Pick<CategoricalColumn, 'codes' | 'categories'>,
  totals: Float64Array,
): Float64Array {
  const sampleCount = samples.categories.length;
  const sizes = new Float64Array((names.length + 1) * sampleCount);
  for (let cell = 0; cell < codes.length; cell++) {
    const [slot, sample] = [codes[cell]!, samples.codes[cell]!];
    if (slot <= names.length && sample >= 0) sizes[slot * sampleCount + sample]! += totals[cell]!;
  }
  return sizes;
}

/**
 * Tests samples by their counts per million where there are raw counts, which how many counts cells have does not shift;
 * else by the means of their values, which it does. The test is paired where at least three samples have cells on both sides, by Welch's test where each
 * side has two samples, not made at all otherwise. The adjustment takes all `geneCount` genes of a group into account,
 * though only those listed were looked at: with the others, adjusted p-values could be smaller, never larger. The
 * effective number of cells is that of Kish's design effect, 1 + (m - 1) ICC, m the mean size of a cell's sample.
 * @param parts one, or several of other cells each, whose groups then follow one another
 */
export function sampleChecks(parts: readonly CheckedPart[], geneCount: number): SampleChecks {
  const all = parts[0]!.all.map((_, sample) => parts.reduce((sum, part) => sum + part.all[sample]!, 0));
  const correlation = median(parts.flatMap(({ correlations }) => correlations));
  const total = (count: (part: CheckedPart) => number) => parts.reduce((sum, part) => sum + count(part), 0);
  return {
    sampleCount: all.reduce((count, cells) => count + (cells > 0 ? 1 : 0), 0),
    cellCount: all.reduce((sum, cells) => sum + cells, 0),
    groups: parts.flatMap(({ insides, rests }) =>
      insides.map((inside, group) => groupSamples(inside, rests[group]!)),
    ),
    markerCount: total(({ markers }) => markers.length),
    testable: total(({ tests }) => tests.filter((test) => test !== undefined).length),
    confirmed: total(({ sure }) => sure.filter((p) => p < level).length),
    confirmedAdjusted: total(({ sure, markers }) => keptAdjusted(sure, markers, geneCount)),
    intraclassCorrelation: correlation,
    effectiveCells: total(({ insides }) =>
      insides.reduce((sum, inside) => sum + effective(inside, correlation), 0),
    ),
    ofCounts: parts.every(({ ofCounts }) => ofCounts),
  };
}

export type CheckedPart = ReturnType<typeof checkedPart>;

/**
 * Tests the markers of groups that were compared with each other. Memory depends on the number of samples, not of
 * cells.
 */
export function checkedPart({ groups, reference, sums, markers, rising, counted }: CheckedGroups) {
  const { counts, sampleCount } = sums;
  const slotOf = (values: Float64Array, slot: number) =>
    values.subarray(slot * sampleCount, (slot + 1) * sampleCount);
  const all = overSlots(counts, sampleCount);
  const markerSamples = sums.markers();
  const tested = counted?.sums.markers() ?? markerSamples;
  const allSizes = counted && overSlots(counted.sizes, sampleCount);
  const sidesOf = (values: Float64Array, total: Float64Array, group: number): SampleParts => {
    const inside = slotOf(values, group);
    const rest =
      reference === undefined
        ? total.map((value, sample) => value - inside[sample]!)
        : slotOf(values, reference);
    return { inside, rest };
  };
  const sides = groups.names.map((_, group) => sidesOf(counts, all, group));
  const tests = tested.map((samples, i) => {
    const { group } = markers[i]!;
    const sizes = allSizes && sidesOf(counted!.sizes, allSizes, group);
    return testOf(samples, sides[group]!, sizes);
  });
  return {
    markers,
    all,
    insides: sides.map(({ inside }) => inside),
    rests: sides.map(({ rest }) => rest),
    tests,
    sure: tests.map((test, i) => (test && test.difference > 0 === rising[i] ? test.p : 1)),
    correlations: markerSamples
      .map(({ sums: own, squares }, i) =>
        intraclassCorrelation({ counts: slotOf(counts, markers[i]!.group), sums: own, squares }),
      )
      .filter((value) => !Number.isNaN(value)),
    ofCounts: counted !== undefined,
  };
}

function overSlots(values: Float64Array, sampleCount: number): Float64Array {
  const all = new Float64Array(sampleCount);
  values.forEach((value, at) => (all[at % sampleCount]! += value));
  return all;
}

/** For each sample its part in the group, and in the cells that the group is compared with. */
interface SampleParts {
  inside: Float64Array;
  rest: Float64Array;
}

function testOf(
  { sums, restSums }: MarkerSamples,
  cells: SampleParts,
  sizes: SampleParts | undefined,
): MeanDifference | undefined {
  const of = sizes ?? cells;
  const sampleCount = cells.inside.length;
  const sides = [
    { sums, cells: cells.inside, sizes: of.inside },
    { sums: restSums, cells: cells.rest, sizes: of.rest },
  ] as const;
  const isIn = ({ cells: own, sizes: size }: (typeof sides)[number], sample: number) =>
    own[sample]! >= minInSample && size[sample]! > 0;
  const samples = [...Array(sampleCount).keys()];
  const [inside, rest] = sides.map((side) => samples.filter((sample) => isIn(side, sample)));
  // The share of a count in the average sample of the side with fewer: one for both sides, so that it moves neither.
  const meanSize = (side: 0 | 1, own: readonly number[]) =>
    own.reduce((sum, sample) => sum + sides[side].sizes[sample]!, 0) / own.length;
  const prior = sizes && priorCount / Math.min(meanSize(0, inside!), meanSize(1, rest!));
  const valueOf = (side: 0 | 1, sample: number) => {
    const share = sides[side].sums[sample]! / sides[side].sizes[sample]!;
    return prior === undefined ? share : Math.log2(share + prior);
  };
  const pairs = inside!.filter((sample) => isIn(sides[1], sample));
  const valuesOf = (side: 0 | 1, own: readonly number[]) => own.map((sample) => valueOf(side, sample));
  if (pairs.length >= minPairs) return pairedTest(valuesOf(0, pairs), valuesOf(1, pairs));
  if (inside!.length < 2 || rest!.length < 2) return undefined;
  return welchTest(valuesOf(0, inside!), valuesOf(1, rest!));
}

function groupSamples(counts: Float64Array, rest: Float64Array): GroupSamples {
  let [cells, sampleCount, restCount, largest] = [0, 0, 0, 0];
  for (let sample = 0; sample < rest.length; sample++) {
    const count = counts[sample]!;
    cells += count;
    if (count >= minInSample) sampleCount++;
    if (rest[sample]! >= minInSample) restCount++;
    if (count > counts[largest]!) largest = sample;
  }
  return {
    sampleCount,
    largest: { sample: largest, share: cells === 0 ? 0 : counts[largest]! / cells },
    isTestable: sampleCount >= 2 && restCount >= 2,
  };
}

/** Adjusts within each group, like the p-values of the cells. */
function keptAdjusted(sure: readonly number[], markers: readonly ListedMarker[], geneCount: number): number {
  const ofGroup = new Map<number, number[]>();
  markers.forEach(({ group }, i) => {
    const existing = ofGroup.get(group);
    if (existing) existing.push(sure[i]!);
    else ofGroup.set(group, [sure[i]!]);
  });
  let keptCount = 0;
  for (const listed of ofGroup.values()) {
    const pValues = new Float64Array(geneCount).fill(1);
    pValues.set(listed);
    keptCount += benjaminiHochberg(pValues).filter((p) => p < level).length;
  }
  return keptCount;
}

function effective(counts: Float64Array, correlation: number): number {
  const cells = counts.reduce((sum, count) => sum + count, 0);
  if (cells === 0) return 0;
  const size = counts.reduce((sum, count) => sum + count ** 2, 0) / cells;
  return cells / (1 + (size - 1) * Math.max(0, correlation));
}

function median(values: readonly number[]): number {
  const rising = Float64Array.from(values).sort();
  const middle = rising.length / 2;
  return rising.length === 0 ? NaN : (rising[Math.ceil(middle) - 1]! + rising[Math.floor(middle)]!) / 2;
}

export interface ListedMarker {
  /** Row in var. */
  readonly row: number;
  readonly group: number;
}

interface MarkerSamples {
  sums: Float64Array;
  squares: Float64Array;
  restSums: Float64Array;
}

/**
 * Sums of listed markers per sample, inside the group that each marks, and outside it or in the group `reference`. Cells
 * without a sample are ignored. Genes are passed in pieces, as `Dataset.useGenes` reads them.
 */
export class SampleSums {
  /** Rows in var, ascending; `add` takes an index into these. */
  readonly rows: Int32Array;
  /** Cells per sample, group by group; the last slot is for cells in no group. */
  readonly counts: Float64Array;
  readonly sampleCount: number;
  readonly #markers: readonly ListedMarker[];
  readonly #groups: CellGroups;
  readonly #reference: number | undefined;
  readonly #samples: CategoricalColumn['codes'];
  readonly #markersOf: number[][];
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  readonly #totals: Float64Array;
  /** By group, marker index of the current gene; -1 for none. */
  readonly #markerOf: Int32Array;

  constructor(
    groups: CellGroups,
    { codes, categories }: Pick<CategoricalColumn, 'codes' | 'categories'>,
    markers: readonly ListedMarker[],
    reference?: number,
  ) {
    const slots = groups.names.length + 1;
    this.#groups = groups;
    this.#reference = reference;
    this.#samples = codes;
    this.#markers = markers;
    this.sampleCount = categories.length;
    this.rows = Int32Array.from(new Set(markers.map(({ row }) => row))).sort();
    const placeOf = new Map(Array.from(this.rows, (row, place) => [row, place]));
    this.#markersOf = Array.from(this.rows, () => []);
    markers.forEach(({ row }, marker) => this.#markersOf[placeOf.get(row)!]!.push(marker));
    this.#sums = new Float64Array(markers.length * this.sampleCount);
    this.#squares = new Float64Array(markers.length * this.sampleCount);
    this.#totals = new Float64Array(this.rows.length * this.sampleCount);
    this.#markerOf = new Int32Array(slots).fill(-1);
    this.counts = new Float64Array(slots * this.sampleCount);
    for (let cell = 0; cell < codes.length; cell++) {
      const [slot, sample] = [groups.codes[cell]!, codes[cell]!];
      if (slot < slots && sample >= 0) this.counts[slot * this.sampleCount + sample]!++;
    }
  }

  add(place: number, cells: Int32Array, values: Float32Array): void {
    const { sampleCount } = this;
    const slots = this.#markerOf.length;
    const markers = this.#markersOf[place]!;
    for (const marker of markers) this.#markerOf[this.#markers[marker]!.group] = marker;
    for (let i = 0; i < cells.length; i++) {
      const slot = this.#groups.codes[cells[i]!]!;
      const sample = this.#samples[cells[i]!]!;
      if (slot >= slots || sample < 0) continue;
      const value = values[i]!;
      if (this.#reference === undefined || this.#reference === slot)
        this.#totals[place * sampleCount + sample]! += value;
      const marker = this.#markerOf[slot]!;
      if (marker < 0) continue;
      this.#sums[marker * sampleCount + sample]! += value;
      this.#squares[marker * sampleCount + sample]! += value * value;
    }
    for (const marker of markers) this.#markerOf[this.#markers[marker]!.group] = -1;
  }

  markers(): MarkerSamples[] {
    const markerSamples = new Array<MarkerSamples>(this.#markers.length);
    const part = (values: Float64Array, at: number) =>
      values.slice(at * this.sampleCount, (at + 1) * this.sampleCount);
    this.#markersOf.forEach((markers, place) => {
      const totals = part(this.#totals, place);
      for (const marker of markers) {
        const sums = part(this.#sums, marker);
        const restSums =
          this.#reference === undefined ? totals.map((total, sample) => total - sums[sample]!) : totals;
        markerSamples[marker] = { sums, squares: part(this.#squares, marker), restSums };
      }
    });
    return markerSamples;
  }
}

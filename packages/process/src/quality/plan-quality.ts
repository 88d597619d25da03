import {
  type QualitySettings,
  type QualityThresholds,
  qualityThresholds,
  type RemovedCells,
  type Spread,
  type Spreads,
} from '@cellfolio/model';
import type { Samples } from '../process-input.ts';
import type { CellMeasures } from './cell-measures.ts';

export interface QualityGroup {
  /** Name of the sample; absent for cells without one, and for all cells together. */
  readonly sample?: string;
  readonly cells: number;
  readonly thresholds: QualityThresholds;
  readonly spreads: Spreads;
  /** The group is too small for its own thresholds and uses those of all cells together. */
  readonly pooled: boolean;
  readonly removed: RemovedCells;
}

export interface QualityPlan {
  /** In sample order, without empty samples. */
  readonly groups: readonly QualityGroup[];
  readonly removed: RemovedCells;
  /** Per cell 1 if it is kept. */
  readonly keep: Uint8Array;
  /** Per cell the index of its group. */
  readonly groupOf: Int16Array;
}

/**
 * With fewer cells the median absolute deviation is itself uncertain, by 12 % for 100 (its standard error is 1.17/√n).
 */
const minSampleCells = 100;

const empty: RemovedCells = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };

/**
 * Selects the cells to keep, each by the thresholds of its sample, which come from the cells of that sample alone, so
 * that a sample with less RNA is not measured by the others (as with `batch` of scuttle's `isOutlier`, and as
 * https://www.sc-best-practices.org/preprocessing_visualization/quality_control.html advises). Without samples all
 * cells are one group. A cell without counts is never kept.
 */
export function planQuality(
  measures: CellMeasures,
  settings: QualitySettings,
  samples?: Samples,
): QualityPlan {
  const members = membersOf(measures.counts.length, samples);
  const everyCell = Int32Array.from(measures.counts, (_, cell) => cell);
  const keep = new Uint8Array(measures.counts.length);
  const groupOf = new Int16Array(measures.counts.length);
  let pool: Spreads | undefined;
  const groups: QualityGroup[] = [];
  for (const { sample, cells } of members) {
    const pooled = members.length > 1 && cells.length < minSampleCells;
    const spreads = pooled ? (pool ??= spreadsOf(measures, everyCell)) : spreadsOf(measures, cells);
    const thresholds = qualityThresholds(spreads, settings);
    for (const cell of cells) groupOf[cell] = groups.length;
    const removed = removedBy(thresholds, { measures, cells, keep });
    groups.push({
      ...(sample !== undefined && { sample }),
      cells: cells.length,
      thresholds,
      spreads,
      pooled,
      removed,
    });
  }
  return { groups, removed: groups.reduce((sum, { removed }) => added(sum, removed), empty), keep, groupOf };
}

/** Cells of each non-empty sample, and those without a sample at the end. */
export function membersOf(
  cellCount: number,
  samples: Samples | undefined,
): { sample: string | undefined; cells: Int32Array }[] {
  const codes = samples?.codes ?? new Int8Array(cellCount);
  const names = samples?.names ?? [undefined];
  const sizes = new Int32Array(names.length + 1);
  const placeOf = (cell: number) => (codes[cell]! < 0 ? names.length : codes[cell]!);
  for (let cell = 0; cell < cellCount; cell++) sizes[placeOf(cell)]! += 1;
  const members = Array.from(sizes, (size, at) => ({ sample: names[at], cells: new Int32Array(size) }));
  sizes.fill(0);
  for (let cell = 0; cell < cellCount; cell++) {
    const place = placeOf(cell);
    members[place]!.cells[sizes[place]!++] = cell;
  }
  return members.filter(({ cells }) => cells.length > 0);
}

function removedBy(
  { minimumCounts, minimumGenes, maximumMitochondrial = 1 }: QualityThresholds,
  { measures, cells, keep }: { measures: CellMeasures; cells: Int32Array; keep: Uint8Array },
): RemovedCells {
  const removed = { ...empty };
  for (const cell of cells) {
    if (!(measures.counts[cell]! > 0)) {
      removed.noCounts++;
      removed.all++;
      continue;
    }
    const few = Number(measures.counts[cell]! < minimumCounts);
    const poor = Number(measures.genes[cell]! < minimumGenes);
    const dying = Number(measures.mitochondrial[cell]! > maximumMitochondrial);
    removed.counts += few;
    removed.genes += poor;
    removed.mitochondrial += dying;
    const broken = few + poor + dying;
    if (broken > 1) removed.several++;
    if (broken > 0) removed.all++;
    else keep[cell] = 1;
  }
  return removed;
}

function added(a: RemovedCells, b: RemovedCells): RemovedCells {
  return {
    all: a.all + b.all,
    noCounts: a.noCounts + b.noCounts,
    counts: a.counts + b.counts,
    genes: a.genes + b.genes,
    mitochondrial: a.mitochondrial + b.mitochondrial,
    several: a.several + b.several,
  };
}

/** Spreads over these cells; cells without counts are ignored. */
export function spreadsOf(measures: CellMeasures, cells: ArrayLike<number>): Spreads {
  const filled = Array.from(cells).filter((cell) => measures.counts[cell]! > 0);
  const logs = (values: ArrayLike<number>) => Float64Array.from(filled, (cell) => Math.log(values[cell]!));
  return {
    counts: spreadOf(logs(measures.counts)),
    genes: spreadOf(logs(measures.genes)),
    ...(measures.geneCounts.mitochondrial > 0 && {
      mitochondrial: spreadOf(Float64Array.from(filled, (cell) => measures.mitochondrial[cell]!)),
    }),
  };
}

/** 0 and 0 for an empty array. */
function spreadOf(values: Float64Array): Spread {
  const median = medianOf(values);
  return { median, deviation: medianOf(values.map((value) => Math.abs(value - median))) };
}

/** 0 for an empty array. */
export function medianOf(values: Float64Array): number {
  const sorted = values.toSorted();
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
}

import type { NumericArray } from '@cellfolio/model';
import type { CellGroups } from './cell-groups.ts';

/** Separation of the groups: 0 if cells are as near to another group as to their own, 1 if far from all others. */
export interface GroupSeparation {
  readonly mean: number;
  /** One per group of `CellGroups`; NaN for a group with fewer than two positioned cells. */
  readonly groups: Float64Array;
  readonly cellCount: number;
}

/** Maximum sampled cells: enough for two digits in a dataset of any size. */
const maxCells = 20_000;

/**
 * The simplified silhouette (Hruschka, Campello and de Castro 2006): (b - a) / max(a, b) per cell, a being its distance
 * from the centroid of the other cells of its group, b from the nearest other centroid. Samples at most 20,000 cells,
 * evenly spaced; centroids use all cells. Undefined if fewer than two groups have two positioned cells.
 */
export function groupSeparation(
  values: NumericArray,
  dimensions: number,
  groups: CellGroups,
): GroupSeparation | undefined {
  const { codes, names } = groups;
  const { centroids, sizes } = centroidsOf(values, dimensions, groups);
  const usable = [...names.keys()].filter((group) => sizes[group]! >= 2);
  if (usable.length < 2) return undefined;
  const placed = usable.reduce((sum, group) => sum + sizes[group]!, 0);
  const step = Math.max(1, Math.ceil(placed / maxCells));
  const sums = new Float64Array(names.length);
  const counts = new Float64Array(names.length);
  let counter = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    const group = codes[cell]!;
    if (group >= names.length || sizes[group]! < 2 || !isPlaced(values, dimensions, cell)) continue;
    if (counter++ % step !== 0) continue;
    const size = sizes[group]!;
    let own = 0;
    let other = Infinity;
    for (const candidate of usable) {
      const distance = distanceTo(values, centroids, { dimensions, cell, group: candidate });
      // Without the cell itself, the centroid of its group is this much farther away.
      if (candidate === group) own = (distance * size) / (size - 1);
      else other = Math.min(other, distance);
    }
    const larger = Math.max(own, other);
    sums[group]! += larger === 0 ? 0 : (other - own) / larger;
    counts[group]!++;
  }
  const cellCount = counts.reduce((sum, count) => sum + count, 0);
  return {
    mean: sums.reduce((sum, value) => sum + value, 0) / cellCount,
    groups: sums.map((sum, group) => sum / counts[group]!),
    cellCount,
  };
}

function centroidsOf(values: NumericArray, dimensions: number, { codes, names }: CellGroups) {
  const centroids = new Float64Array(names.length * dimensions);
  const sizes = new Float64Array(names.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const group = codes[cell]!;
    if (group >= names.length || !isPlaced(values, dimensions, cell)) continue;
    sizes[group]!++;
    for (let i = 0; i < dimensions; i++) {
      centroids[group * dimensions + i]! += values[cell * dimensions + i]!;
    }
  }
  for (let at = 0; at < centroids.length; at++) centroids[at]! /= sizes[Math.floor(at / dimensions)]!;
  return { centroids, sizes };
}

function isPlaced(values: NumericArray, dimensions: number, cell: number): boolean {
  for (let i = 0; i < dimensions; i++) if (!Number.isFinite(values[cell * dimensions + i]!)) return false;
  return true;
}

function distanceTo(
  values: NumericArray,
  centroids: Float64Array,
  { dimensions, cell, group }: { dimensions: number; cell: number; group: number },
): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) {
    sum += (values[cell * dimensions + i]! - centroids[group * dimensions + i]!) ** 2;
  }
  return Math.sqrt(sum);
}

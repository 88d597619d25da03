import type { SimulatedCells } from './simulate-cells.ts';

/**
 * Cluster of every cell, numbered as by Leiden: 0 is the largest. Clusters follow the cell states; a cell joins the
 * majority of its neighbours, so borders are as clustering of a neighbour graph would draw them. States too small for a
 * cluster join another of their lineage.
 */
export function simulateClusters(cells: SimulatedCells, neighbours: Neighbours): Int32Array {
  const groups = groupNames(cells);
  const names = [...new Set(groups)].sort();
  let label: Int32Array = Int32Array.from(groups, (name) => names.indexOf(name));
  for (let round = 0; round < 2; round++) label = smoothed(label, neighbours, names.length);
  mergeSmall(label, names, cells.count * minShare);
  const sizes = names.map((_, group) => label.reduce((sum, other) => sum + (other === group ? 1 : 0), 0));
  const rank = names.map((_, group) => group).sort((x, y) => sizes[y]! - sizes[x]! || x - y);
  const number = new Int32Array(names.length);
  rank.forEach((group, position) => (number[group] = position));
  return label.map((group) => number[group]!);
}

const maxClusters = 16;
/** Share of all cells; a smaller state joins its lineage. */
const minShare = 0.015;

/** Lineage and state; tumours of neighbouring patients share a cluster, three in all. */
function groupNames(cells: SimulatedCells): string[] {
  const tumours = cells.populations.filter(({ patient }) => patient !== undefined).length;
  const perCluster = Math.max(1, Math.ceil(tumours / 3));
  return Array.from({ length: cells.count }, (_, cell) => {
    const { lineage, patient } = cells.populations[cells.population[cell]!]!;
    const state = lineage.states[cells.state[cell]!]!.name;
    const island = patient === undefined ? '' : ` ${Math.floor(patient / perCluster)}`;
    const family = patient === undefined ? lineage.name : 'Tumour';
    return `${family}|${state}${island}`;
  });
}

function smoothed(label: Int32Array, { k, ids }: Neighbours, groups: number): Int32Array {
  const votes = new Int32Array(groups);
  return label.map((own, cell) => {
    votes.fill(0);
    votes[own] = 2;
    for (let n = 0; n < k; n++) {
      const other = ids[cell * k + n]!;
      if (other >= 0) votes[label[other]!] = votes[label[other]!]! + 1;
    }
    let best = own;
    for (let group = 0; group < groups; group++) if (votes[group]! > votes[best]!) best = group;
    return best;
  });
}

/**
 * Merges states into others of their lineage: first those that are too small, then the smallest until there are few
 * enough.
 */
function mergeSmall(label: Int32Array, names: readonly string[], minSize: number): void {
  const lineageOf = (group: number): string => names[group]!.split('|')[0]!;
  for (;;) {
    const sizes = names.map((_, group) => label.reduce((sum, other) => sum + (other === group ? 1 : 0), 0));
    const present = sizes.flatMap((size, group) => (size > 0 ? [group] : []));
    const siblingOf = (group: number): number | undefined =>
      present.find((other) => other !== group && lineageOf(other) === lineageOf(group));
    const smallest = present
      .filter((group) => siblingOf(group) !== undefined)
      .sort((x, y) => sizes[x]! - sizes[y]! || x - y)[0];
    if (smallest === undefined || (sizes[smallest]! >= minSize && present.length <= maxClusters)) return;
    const into = siblingOf(smallest)!;
    for (let cell = 0; cell < label.length; cell++) if (label[cell] === smallest) label[cell] = into;
  }
}

/** The k nearest neighbours of every point, nearest first: point i has ids[i * k .. (i + 1) * k). */
export interface Neighbours {
  k: number;
  ids: Int32Array;
  distances: Float64Array;
}

/**
 * Exact nearest neighbours, found by comparing outwards along the first coordinate until no closer point is possible.
 * `points` has `dimensions` values per point; the first should have the greatest spread.
 */
export function nearestNeighbours(points: Float64Array, dimensions: number, k: number): Neighbours {
  const count = points.length / dimensions;
  const order = Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => points[a * dimensions]! - points[b * dimensions]! || a - b,
  );
  const sorted = new Float64Array(points.length);
  for (let i = 0; i < count; i++)
    for (let d = 0; d < dimensions; d++) sorted[i * dimensions + d] = points[order[i]! * dimensions + d]!;
  const ids = new Int32Array(count * k).fill(-1);
  const distances = new Float64Array(count * k).fill(Infinity);
  const bestIds = new Int32Array(k);
  const best = new Float64Array(k);
  for (let i = 0; i < count; i++) {
    best.fill(Infinity);
    const at = i * dimensions;
    const consider = (j: number): boolean => {
      const other = j * dimensions;
      const first = sorted[at]! - sorted[other]!;
      let distance = first * first;
      if (distance > best[k - 1]!) return false;
      for (let d = 1; d < dimensions; d++) {
        const step = sorted[at + d]! - sorted[other + d]!;
        distance += step * step;
      }
      if (distance < best[k - 1]!) {
        let slot = k - 1;
        for (; slot > 0 && best[slot - 1]! > distance; slot--) {
          best[slot] = best[slot - 1]!;
          bestIds[slot] = bestIds[slot - 1]!;
        }
        best[slot] = distance;
        bestIds[slot] = j;
      }
      return true;
    };
    for (let j = i + 1; j < count && consider(j); j++);
    for (let j = i - 1; j >= 0 && consider(j); j--);
    const row = order[i]! * k;
    for (let n = 0; n < k && best[n]! < Infinity; n++) {
      ids[row + n] = order[bestIds[n]!]!;
      distances[row + n] = Math.sqrt(best[n]!);
    }
  }
  return { k, ids, distances };
}

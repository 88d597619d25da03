/** The k nearest neighbours of every point, nearest first: point i has ids[i * k .. (i + 1) * k). */
export interface Neighbours {
  readonly k: number;
  readonly ids: Int32Array;
  readonly distances: Float64Array;
}

/**
 * Exact nearest neighbours by comparing along the first coordinate outwards until no closer point can come.
 * `points` has `dimensions` values a point; the first should be the one that spreads them most.
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

/**
 * How alike two clusterings of the same cells are: 1 where they are the same, about 0 where they have nothing to do with
 * each other (Hubert and Arabie 1985, doi:10.1007/BF01908075). Cluster numbers count from 0.
 */
export function adjustedRandIndex(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const clusters = 1 + greatest(b);
  const both = new Map<number, number>();
  const ofA = new Map<number, number>();
  const ofB = new Map<number, number>();
  for (let cell = 0; cell < a.length; cell++) {
    add(both, a[cell]! * clusters + b[cell]!);
    add(ofA, a[cell]!);
    add(ofB, b[cell]!);
  }
  const [shared, pairsOfA, pairsOfB] = [pairs(both), pairs(ofA), pairs(ofB)];
  const expected = (pairsOfA * pairsOfB) / ((a.length * (a.length - 1)) / 2);
  const most = (pairsOfA + pairsOfB) / 2;
  // Both one cluster, or both all single cells.
  return most === expected ? 1 : (shared - expected) / (most - expected);
}

function greatest(values: ArrayLike<number>): number {
  let found = 0;
  for (let at = 0; at < values.length; at++) found = Math.max(found, values[at]!);
  return found;
}

function add(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function pairs(counts: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += (count * (count - 1)) / 2;
  return sum;
}

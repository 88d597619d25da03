/**
 * Two nodes merged at a distance: leaves are 0 to n − 1, the i-th merge creates node n + i; the lower node is first.
 */
export type Merge = readonly [one: number, other: number, height: number];

/**
 * Hierarchical clustering with complete or average linkage, as `scipy.cluster.hierarchy.linkage`, including ties:
 * nearest-neighbour chains (Murtagh 1983; Müllner 2011), each from the first remaining cluster, with merges then sorted
 * by height. `distances`: symmetric, `count` × `count`, no NaN. Returns `count` − 1 merges, lowest first.
 */
export function linkage(distances: Float64Array, count: number, method: 'complete' | 'average'): Merge[] {
  const between = distances.slice();
  const sizes = new Int32Array(count).fill(1);
  const isLeft = new Uint8Array(count).fill(1);
  const merges: Merge[] = [];
  const chain: number[] = [];
  while (merges.length < count - 1) {
    if (chain.length === 0) chain.push(isLeft.indexOf(1));
    const [one, other, height] = endOfChain(chain, between, isLeft);
    merges.push([one, other, height]);
    // The cluster of both has the place of the later one.
    isLeft[one] = 0;
    const [ofOne, ofOther] = [sizes[one]!, sizes[other]!];
    for (let i = 0; i < count; i++) {
      if (isLeft[i] === 0 || i === other) continue;
      const [a, b] = [between[one * count + i]!, between[other * count + i]!];
      const joined = method === 'complete' ? Math.max(a, b) : (ofOne * a + ofOther * b) / (ofOne + ofOther);
      between[i * count + other] = between[other * count + i] = joined;
    }
    sizes[other] = ofOne + ofOther;
  }
  return asNodes(merges, count);
}

/** Extends the chain to nearest neighbours until two are mutual nearest neighbours, which are removed from it. */
function endOfChain(chain: number[], between: Float64Array, isLeft: Uint8Array): Merge {
  const count = isLeft.length;
  for (;;) {
    const last = chain.at(-1)!;
    const before = chain.at(-2);
    // Among equals the one that the chain came from is taken, or it would never end; else the first.
    let nearest = before ?? -1;
    let minDistance = before === undefined ? Infinity : between[last * count + before]!;
    for (let i = 0; i < count; i++) {
      if (isLeft[i] === 0 || i === last || between[last * count + i]! >= minDistance) continue;
      nearest = i;
      minDistance = between[last * count + i]!;
    }
    if (nearest === before) {
      chain.length -= 2;
      return [Math.min(last, nearest), Math.max(last, nearest), minDistance];
    }
    chain.push(nearest);
  }
}

/** Sorts merges by height and names them by merged nodes instead of by a leaf of each. */
function asNodes(merges: readonly Merge[], count: number): Merge[] {
  const above = Int32Array.from({ length: 2 * count - 1 }, () => -1);
  const nodeOf = (leaf: number): number => {
    let node = leaf;
    while (above[node]! >= 0) node = above[node]!;
    return node;
  };
  return merges
    .toSorted((a, b) => a[2] - b[2])
    .map(([a, b, height], i) => {
      const [one, other] = [nodeOf(a), nodeOf(b)];
      above[one] = above[other] = count + i;
      return [Math.min(one, other), Math.max(one, other), height];
    });
}

/** Leaves in dendrogram order (`scipy.cluster.hierarchy.dendrogram`): those of a merge's first node come first. */
export function leafOrder(merges: readonly Merge[], count: number): number[] {
  const order: number[] = [];
  const stack = count === 0 ? [] : [2 * count - 2];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < count) order.push(node);
    else stack.push(merges[node - count]![1], merges[node - count]![0]);
  }
  return order;
}

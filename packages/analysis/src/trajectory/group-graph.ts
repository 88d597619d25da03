import type { Neighbours } from '@cellfolio/kernels';

export interface GroupGraph {
  readonly sizes: Int32Array;
  /** groups × groups, symmetric: 0 without edges, capped at 1 for the number expected by chance or more. */
  readonly connectivities: Float64Array;
  /** Maximum spanning tree (or forest) of the connectivities, as pairs of groups. */
  readonly tree: readonly (readonly [number, number])[];
}

/**
 * Abstracted graph of scanpy's `tl.paga`, model v1.2 (Wolf et al. 2019, doi:10.1186/s13059-019-1663-x): directed
 * nearest-cell edges between two groups, divided by those expected by chance. `codes`: group of each cell or -1; cells
 * without a group are ignored with their edges.
 */
export function groupGraph(
  { starts, indices }: Pick<Neighbours, 'starts' | 'indices'>,
  codes: ArrayLike<number>,
  groupCount: number,
): GroupGraph {
  const between = new Float64Array(groupCount * groupCount);
  const sizes = new Int32Array(groupCount);
  const edges = new Float64Array(groupCount);
  let cells = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    const own = codes[cell]!;
    if (own < 0) continue;
    cells++;
    sizes[own]!++;
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
      const other = codes[indices[at]!]!;
      if (other < 0) continue;
      edges[own]!++;
      between[own * groupCount + other]!++;
    }
  }
  const connectivities = new Float64Array(groupCount * groupCount);
  for (let i = 0; i < groupCount; i++) {
    for (let j = 0; j < groupCount; j++) {
      const observed = between[i * groupCount + j]! + between[j * groupCount + i]!;
      if (i === j || observed === 0) continue;
      const expected = (edges[i]! * sizes[j]! + edges[j]! * sizes[i]!) / (cells - 1);
      connectivities[i * groupCount + j] = expected === 0 ? 1 : Math.min(1, observed / expected);
    }
  }
  return { sizes, connectivities, tree: strongestTree(connectivities, groupCount) };
}

/** Kruskal's algorithm; ties favour the first groups. */
function strongestTree(connectivities: Float64Array, groupCount: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < groupCount; i++) {
    for (let j = i + 1; j < groupCount; j++) if (connectivities[i * groupCount + j]! > 0) pairs.push([i, j]);
  }
  const strength = ([i, j]: readonly [number, number]) => connectivities[i * groupCount + j]!;
  const joined = Int32Array.from({ length: groupCount }, (_, group) => group);
  return pairs
    .toSorted((one, other) => strength(other) - strength(one))
    .filter(([i, j]) => {
      const [one, other] = [joined[i]!, joined[j]!];
      if (one === other) return false;
      joined.forEach((label, group) => {
        if (label === other) joined[group] = one;
      });
      return true;
    });
}

import { leafOrder, linkage, type Merge, rowCorrelations, standardisedRow } from '@cellfolio/analysis';

/** Means of the groups in a number of dimensions, `means[group * dimensions + dimension]`. */
export interface GroupMeans {
  means: Float64Array;
  dimensions: number;
}

interface GroupTree {
  order: readonly number[];
  merges: readonly Merge[];
}

/**
 * Dendrogram of at least two groups as in `sc.tl.dendrogram`: complete linkage of 1 − Pearson's correlation of their
 * means. Returns `undefinedAt`, the index of a group whose correlation is undefined, if its means are all equal or not
 * numbers.
 */
export function groupTree(
  groups: readonly number[],
  groupMeans: GroupMeans,
): GroupTree | { undefinedAt: number } {
  const { dimensions } = groupMeans;
  const count = groups.length;
  const rows = groups.map((group) =>
    standardisedRow(groupMeans.means.subarray(group * dimensions, (group + 1) * dimensions)),
  );
  const undefinedAt = rows.indexOf(undefined);
  if (undefinedAt >= 0) return { undefinedAt };
  const distances = rowCorrelations(rows).map((correlation) => 1 - correlation);
  const merges = linkage(distances, count, 'complete');
  const order = leafOrder(merges, count);
  const rowOf = new Map(order.map((place, row) => [place, row]));
  const node = (one: number): number => rowOf.get(one) ?? one;
  return { order, merges: merges.map(([a, b, height]) => [node(a), node(b), height]) };
}

/** Tree of some of its rows, in order: distances stay those of the whole. */
export function treeOfRows(merges: readonly Merge[], keptRows: readonly number[]): Merge[] {
  const count = merges.length + 1;
  const nodeOf = new Map<number, number>(keptRows.map((row, place) => [row, place]));
  const some: Merge[] = [];
  merges.forEach(([a, b, height], i) => {
    const [one, other] = [nodeOf.get(a), nodeOf.get(b)];
    const only = one ?? other;
    if (only === undefined) return;
    if (one === undefined || other === undefined) nodeOf.set(count + i, only);
    else nodeOf.set(count + i, keptRows.length + some.push([one, other, height]) - 1);
  });
  return some;
}

/** The `limit` largest of these places by size, ties in favour of the first, in place order. */
export function largestOf(
  places: Iterable<number>,
  sizeOf: (place: number) => number,
  limit: number,
): number[] {
  return [...places]
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, limit)
    .sort((a, b) => a - b);
}

/** The largest of these places whose rows fit together, at least one, in place order. */
export function largestWithin(
  places: readonly number[],
  { sizeOf, rowsOf }: { sizeOf: (place: number) => number; rowsOf: (place: number) => number },
  room: number,
): number[] {
  const bySize = places.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a - b);
  let rows = 0;
  const first = bySize.findIndex((place) => (rows += rowsOf(place)) > room);
  return largestOf(places, sizeOf, first < 0 ? places.length : Math.max(1, first));
}

export function largestFilled(sizes: Uint32Array, limit: number): number[] {
  const filled = Array.from(sizes.keys()).filter((place) => sizes[place]! > 0);
  return largestOf(filled, (place) => sizes[place]!, limit);
}

/** Groups named by `order` first, in its order, then the others unchanged. Unchanged without `order`. */
export function inRequestedOrder<Group>(
  groups: readonly Group[],
  labelOf: (group: Group, place: number) => string,
  order: readonly string[] | undefined,
): Group[] {
  if (order === undefined) return [...groups];
  const rankOf = new Map(order.toReversed().map((label, i) => [label, order.length - 1 - i]));
  const ranked = groups.map((group, place) => ({
    group,
    rank: rankOf.get(labelOf(group, place)) ?? order.length + place,
  }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ group }) => group);
}

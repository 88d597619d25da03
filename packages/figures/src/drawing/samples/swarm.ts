/**
 * Offsets of points in one row, for `places` in any order: each is the smallest that avoids the previous points,
 * alternating sides, up to `reach`, beyond which they overlap.
 */
export function swarm(places: readonly number[], radius: number, reach: number): number[] {
  const offsets = new Array<number>(places.length).fill(0);
  const order = [...places.keys()].sort((a, b) => places[a]! - places[b]!);
  const placed: { place: number; offset: number }[] = [];
  const apart = 2 * radius;
  for (const point of order) {
    const place = places[point]!;
    const near = placed.filter((other) => place - other.place < apart);
    // Beside each neighbour there are two places at which the points just touch.
    const free = [0, ...near.flatMap((other) => touching(other, place, apart))]
      .filter((offset) => Math.abs(offset) <= reach)
      .sort((a, b) => Math.abs(a) - Math.abs(b))
      .find((offset) =>
        near.every((other) => (place - other.place) ** 2 + (offset - other.offset) ** 2 > apart ** 2 - 1e-6),
      );
    offsets[point] = free ?? ((placed.length % 7) / 3 - 1) * reach;
    placed.push({ place, offset: offsets[point] });
  }
  return offsets;
}

function touching(other: { place: number; offset: number }, place: number, apart: number): [number, number] {
  const step = Math.sqrt(Math.max(0, apart ** 2 - (place - other.place) ** 2));
  return [other.offset + step, other.offset - step];
}

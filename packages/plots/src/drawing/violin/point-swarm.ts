/**
 * Offsets that keep the points of one row apart, for `places` in rising order. Points that would touch form a
 * bunch, in which each has a height of its own: the first the middle, the next just below, above and so on, closer
 * together where they would leave `reach`.
 */
export function swarmOffsets(places: readonly number[], radius: number, reach: number): number[] {
  const offsets: number[] = [];
  for (let start = 0; start < places.length;) {
    let end = start + 1;
    while (end < places.length && places[end]! - places[end - 1]! < 2 * radius) end++;
    const size = end - start;
    const spacing = size > 1 ? Math.min(2 * radius, (2 * reach) / (size - 1)) : 0;
    // An even number of points has no middle one, and hangs lower by half a step.
    const shift = size % 2 === 0 ? spacing / 2 : 0;
    for (let k = 0; k < size; k++) {
      const step = (k % 2 === 0 ? -1 : 1) * Math.ceil(k / 2);
      offsets.push(step * spacing - shift);
    }
    start = end;
  }
  return offsets;
}

/** A line on a plane, from the place 0 to the place 1. */
export type Line = readonly [readonly [number, number], readonly [number, number]];

/** Coordinates of cells, of which the first two are taken. */
interface Coordinates {
  readonly dimensions: number;
  readonly values: ArrayLike<number>;
}

/** Projection of each cell onto a line: 0 at its first end, 1 at the second; NaN without coordinates. */
export function placesOnLine({ dimensions, values }: Coordinates, [from, to]: Line): Float64Array {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  const places = new Float64Array(values.length / dimensions);
  for (let cell = 0; cell < places.length; cell++) {
    const at = cell * dimensions;
    places[cell] = ((values[at]! - from[0]) * dx + (values[at + 1]! - from[1]) * dy) / square;
  }
  return places;
}

/** The mean position of a group over all its cells; undefined where none has coordinates. */
export function centreOfGroup(
  { dimensions, values }: Coordinates,
  codes: ArrayLike<number>,
  code: number,
): readonly [number, number] | undefined {
  let [x, y, count] = [0, 0, 0];
  for (let cell = 0; cell < codes.length; cell++) {
    const [own, other] = [values[cell * dimensions]!, values[cell * dimensions + 1]!];
    if (codes[cell] !== code || !Number.isFinite(own + other)) continue;
    x += own;
    y += other;
    count++;
  }
  return count === 0 ? undefined : [x / count, y / count];
}

/** Minimum and maximum of the finite values, and the most common one with its share. */
export function spreadOfPlaces(values: Float64Array): {
  readonly range: readonly [number, number];
  readonly commonest: { readonly place: number; readonly share: number };
} {
  const rising = values.filter(Number.isFinite).sort();
  let [place, count] = [rising[0]!, 0];
  for (let start = 0; start < rising.length;) {
    let end = start + 1;
    while (end < rising.length && rising[end] === rising[start]) end++;
    if (end - start > count) [place, count] = [rising[start]!, end - start];
    start = end;
  }
  return { range: [rising[0]!, rising.at(-1)!], commonest: { place, share: count / rising.length } };
}

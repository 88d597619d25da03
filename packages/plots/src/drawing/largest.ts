/** The `most` largest of these places by their size, of equals the first, in the order of the places. */
export function largestOf(
  places: Iterable<number>,
  sizeOf: (place: number) => number,
  most: number,
): number[] {
  return [...places]
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
}

/** The same of sizes, without those of 0. */
export function largestFilled(sizes: Uint32Array, most: number): number[] {
  const filled = Array.from(sizes.keys()).filter((place) => sizes[place]! > 0);
  return largestOf(filled, (place) => sizes[place]!, most);
}

import { expect, test } from 'vitest';
import { addShared, productsWith, takeOffShared } from './shared-sums.ts';

const numbers = (count: number, seed: number) =>
  Float64Array.from({ length: count }, (_, at) => Math.sin(seed + at * at));

// The kernel takes four rows and two numbers at a time.
test.each([
  { cells: 9, width: 5, count: 7 },
  { cells: 8, width: 6, count: 4 },
  { cells: 1, width: 1, count: 1 },
])('products and sums are those of plain loops: %o', ({ cells, width, count }) => {
  const vectors = numbers(cells * width, 1);
  const shares = numbers(cells * count, 2);
  const others = numbers(count * width, 3);
  const some = Int32Array.from({ length: cells }, (_, cell) => cells - 1 - cell).filter((cell) => cell !== 2);
  const productsOf = productsWith(others, width);
  for (let cell = 0; cell < cells; cell++) {
    const products = Array.from(productsOf(vectors, cell * width));
    for (let other = 0; other < count; other++) {
      let expected = 0;
      for (let i = 0; i < width; i++) expected += vectors[cell * width + i]! * others[other * width + i]!;
      expect(products[other]).toBeCloseTo(expected, 12);
    }
  }

  // Behind others, which stay as they are.
  const sums = new Float64Array(2 * count * width).fill(0.5);
  addShared(sums, { vectors, width, shares, count }, some, count);
  expect(sums.subarray(0, count * width).every((value) => value === 0.5)).toBe(true);
  for (let at = 0; at < count * width; at++) {
    let expected = 0.5;
    for (const cell of some)
      expected += shares[cell * count + Math.floor(at / width)]! * vectors[cell * width + (at % width)]!;
    expect(sums[count * width + at]).toBeCloseTo(expected, 12);
  }

  const groups = Int32Array.from({ length: cells }, (_, cell) => cell % 2);
  const ofGroups = numbers(2 * count * width, 4);
  const rest = vectors.slice();
  takeOffShared({ vectors: rest, width, shares, count }, groups, ofGroups);
  for (let at = 0; at < rest.length; at++) {
    const cell = Math.floor(at / width);
    let expected = vectors[at]!;
    for (let other = 0; other < count; other++)
      expected -=
        shares[cell * count + other]! * ofGroups[(groups[cell]! * count + other) * width + (at % width)]!;
    expect(rest[at]).toBeCloseTo(expected, 12);
  }
});

import { expect, test } from 'vitest';
import { smoothedDerivatives } from './barcode-ranks.ts';

const x = Float64Array.from({ length: 41 }, (_, at) => at / 20 + 0.01 * (at % 3));

test('a straight line has its slope everywhere, and no curvature', () => {
  const { first, second } = smoothedDerivatives(
    x,
    x.map((value) => 3 - 2 * value),
    8,
  );
  for (const slope of first) expect(slope).toBeCloseTo(-2, 8);
  for (const curvature of second) expect(curvature).toBeCloseTo(0, 6);
});

test('the derivatives of a smooth curve are found', () => {
  const { first, second } = smoothedDerivatives(x, x.map(Math.sin), 20);
  for (let at = 8; at < 33; at++) {
    expect(first[at]).toBeCloseTo(Math.cos(x[at]!), 3);
    expect(second[at]).toBeCloseTo(-Math.sin(x[at]!), 1);
  }
});

import { expect, test } from 'vitest';
import { denseValues } from './expression.ts';

test('cells without an entry are zero in the dense form', () => {
  const gene = { cellCount: 4, cells: Int32Array.of(1, 3), values: Float32Array.of(0.5, 2) };
  expect([...denseValues(gene)]).toEqual([0, 0.5, 0, 2]);
});

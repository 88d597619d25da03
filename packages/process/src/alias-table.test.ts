import { expect, test } from 'vitest';
import { aliasTable } from './alias-table.ts';

test('each place is drawn by its weight', () => {
  const weights = Float64Array.of(3, 0, 0.5, 10, 1, 0.25);
  const { keep, other } = aliasTable(weights);
  const chances = new Float64Array(weights.length);
  for (const [place, part] of keep.entries()) {
    chances[place]! += part / keep.length;
    chances[other[place]!]! += (1 - part) / keep.length;
  }
  chances.forEach((chance, place) => expect(chance).toBeCloseTo(weights[place]! / 14.75, 12));
});

import { expect, test } from 'vitest';
import { nameList, shortName } from './format.ts';

test('a list of names shows the first three, then how many more', () => {
  expect(nameList(['A', 'B', 'C'])).toBe('A, B, C');
  expect(nameList(Array.from({ length: 40 }, (_, n) => `G${n}`))).toBe('G0, G1, G2 and 37 more');
  expect(nameList([])).toBe('');
});

test('a name of more than forty characters is cut to forty', () => {
  expect(shortName('x'.repeat(40))).toBe('x'.repeat(40));
  expect(shortName('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
  expect(nameList(['y'.repeat(500)])).toHaveLength(40);
});

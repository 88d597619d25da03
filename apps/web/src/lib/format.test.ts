import { expect, test } from 'vitest';
import { formatCount, longDate, nameList, shortName } from './format.ts';

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

test('numbers and dates are written as Intl writes them', () => {
  const numbers = [
    0, 7, 999, 1000, 12_345, 100_000, 1_234_567, 123_456_789_012, 0.05, 1234.5678, 2.9996, -1234,
  ];
  const grouped = new Intl.NumberFormat('en-US');
  for (const number of numbers) expect(formatCount(number)).toBe(grouped.format(number));
  const long = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
  for (const iso of ['2027-01-31T12:00:00Z', '2026-12-01T23:59:59+09:00', '2024-02-29T00:00:00.000Z'])
    expect(longDate(iso)).toBe(long.format(new Date(iso)));
});

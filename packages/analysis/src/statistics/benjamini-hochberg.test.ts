import { noteDifferences } from '@cellfolio/model/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benjaminiHochberg } from './benjamini-hochberg.ts';

/** Written by fixtures/analysis/enrichment_reference.py: by gseapy, and by scipy. */
const { adjustments } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../enrichment/enrichment-reference.json'), 'utf8'),
) as { adjustments: { p: number[]; adjusted: number[]; scipy: number[] }[] };

test.each(adjustments)(
  '$p.length adjusted p-values are those of gseapy and of scipy',
  ({ p, adjusted, scipy }) => {
    const input = Float64Array.from(p);
    const ours = benjaminiHochberg(input);
    for (const theirs of [adjusted, scipy]) {
      noteDifferences('adjusted', ours, theirs, 1e-300);
      theirs.forEach((value, i) => {
        // 1e-12 of the value itself; the least difference of two numbers where it is below the normal ones.
        expect(Math.abs(ours[i]! - value)).toBeLessThanOrEqual(Math.max(1e-12 * value, 1e-323));
      });
    }
    expect([...input]).toEqual(p);
  },
);

test('a p-value that is missing counts as 1', () => {
  expect(benjaminiHochberg(Float64Array.of(NaN, 0.01, NaN, 0.02))).toEqual(Float64Array.of(1, 0.04, 1, 0.04));
});

test('no p-values give none', () => {
  expect(benjaminiHochberg(new Float64Array())).toEqual(new Float64Array());
});

/** By sorting all of them. */
function bySorting(pValues: readonly number[]): number[] {
  const count = pValues.length;
  const sorted = pValues.toSorted((a, b) => a - b);
  const running: number[] = [];
  for (let i = count - 1, min = 1; i >= 0; i--) {
    min = Math.min(min, sorted[i]! / ((i + 1) / count));
    running[i] = min;
  }
  return pValues.map((p) => running[sorted.lastIndexOf(p)]!);
}

test.each<[string, (share: number, i: number) => number]>([
  ['spread over 0 to 1', (share) => share],
  ['crowded at 0', (share) => share ** 40],
  ['0 and 1', (share) => Math.round(share)],
  ['few values', (share) => Math.ceil(share * 7) / 7],
  ['all equal', () => 0.3],
  ['falling', (_, i) => 1 / (i + 1)],
  ['below what a double can tell from 0', (share) => share * 1e-320],
])('p-values that are %s are adjusted as by sorting all of them, to the last bit', (_, of) => {
  for (const count of [1, 2, 30, 1000]) {
    const pValues = Array.from({ length: count }, (__, i) => of(((i * 7919) % 1009) / 1009, i));
    expect([...benjaminiHochberg(Float64Array.from(pValues))]).toEqual(bySorting(pValues));
  }
});

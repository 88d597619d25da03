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

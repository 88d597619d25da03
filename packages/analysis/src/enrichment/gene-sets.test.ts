import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logFactorials } from './gene-sets.ts';

/** Written by fixtures/analysis/enrichment_reference.py in exact integer arithmetic. */
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'enrichment-reference.json'), 'utf8'),
) as {
  logFactorials: [number, number][];
};

test('the logarithm of a factorial is right to its last bits, also after 100,000 terms', () => {
  const table = logFactorials(100_000);
  expect(table.length).toBe(100_001);
  for (const [n, expected] of reference.logFactorials) {
    expect(Math.abs(table[n]! - expected)).toBeLessThanOrEqual(2 * Number.EPSILON * expected);
  }
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realData } from '@cellfolio/model/testing/real-data';
import { expect, test } from 'vitest';
import { compiled, expectRow, named, reference, rowsOf } from './over-representation.test-data.ts';
import { parseGmt } from './parse-gmt.ts';

test.each(reference.published)('the numbers for the library $file are those of gseapy', (expected) => {
  const path = realData(join('gene_sets', expected.file));
  const { sets, warnings } = parseGmt(readFileSync(path, 'utf8'), expected.file);
  expect(warnings).toEqual([]);
  const setGenes = [...new Set(sets.flatMap(({ genes }) => genes))].sort();
  const background = setGenes
    .slice(0, Math.floor((setGenes.length * 9) / 10))
    .concat(named(0, 20_000, 'OTHER'))
    .slice(0, 20_000);
  const byName = [...sets].sort((a, b) => (a.name < b.name ? -1 : 1));
  const largest = byName.reduce((best, set) => (set.genes.length > best.genes.length ? set : best));
  const query = setGenes
    .filter((_, i) => i % expected.stride === 0)
    .concat(largest.genes.slice(0, expected.largest));
  expect(new Set(query).size).toBe(expected.querySize);

  const rows = rowsOf(compiled(sets, background).test(query));
  expect(rows.length).toBe(expected.p.length);
  expect(rows.length).toBeGreaterThan(45);
  rows.forEach((row, i) => {
    expectRow(row, {
      overlap: expected.overlap[i]!,
      p: expected.p[i]!,
      adjusted: expected.adjusted[i]!,
      odds: expected.odds[i]!,
      combined: expected.combined[i]!,
    });
  });
});

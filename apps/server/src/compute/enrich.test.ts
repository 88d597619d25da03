import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from '@cellfolio/store';
import { packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import type { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { geneSetColumns } from '@cellfolio/analysis';
import { compile, enrich } from './enrich.ts';
import type { BackgroundChoice, CompileTask } from './task.ts';

interface Row {
  readonly term: string;
  readonly overlap: string;
  readonly p: number;
  readonly adjusted: number;
  readonly odds: number;
  readonly combined: number;
}
/** Written by fixtures/analysis/enrichment_background_reference.py. */
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/background-reference.json'), 'utf8'),
) as {
  dataset: string[];
  expressed: string[];
  sets: Record<string, string[]>;
  query: string[];
  own: string[];
  rows: Record<BackgroundChoice['kind'], Row[]>;
};

const byName = new Map(reference.dataset.map((gene, row) => [gene, row]));
const dataset = {
  genes: {
    symbols: reference.dataset,
    ids: [packStrings(reference.dataset)],
    find: (name: string) => byName.get(name.toUpperCase()),
  },
} as unknown as Dataset;
const sets = geneSetColumns(Object.entries(reference.sets).map(([name, genes]) => ({ name, genes })));
const libraries = {
  read: async () => ({ sets, version: '1', warnings: [] }),
} as unknown as GeneSetLibraries;

const choices: readonly BackgroundChoice[] = [
  { kind: 'dataset' },
  { kind: 'expressed', rows: Int32Array.from(reference.expressed, (gene) => byName.get(gene)!).sort() },
  { kind: 'library' },
  { kind: 'own', genes: reference.own },
];

test.each(choices)('the numbers are those of gseapy with this background: $kind', async (background) => {
  const task: CompileTask = {
    kind: 'compile',
    dataset: { id: 'd', version: '1' },
    library: 'Reference',
    libraryVersion: '1',
    background,
    species: { species: 'human', by: 'symbols', matching: 60, looked: 60 },
    orthologues: [],
  };
  const library = await compile(task, dataset, libraries);
  const found = enrich(
    {
      kind: 'enrich',
      dataset: task.dataset,
      compiled: library.compiled,
      background: library.background,
      backgroundKey: background.kind,
      genes: reference.query,
    },
    dataset,
  );
  const expected = reference.rows[background.kind];
  expect(expected.length).toBeGreaterThan(2);
  expect(found.terms).toEqual(expected.map(({ term }) => term));
  expected.forEach((row, i) => {
    const overlap = found.overlapStarts[i + 1]! - found.overlapStarts[i]!;
    expect(`${overlap}/${found.setSizes[i]!}`).toBe(row.overlap);
    for (const [ours, theirs] of [
      [found.pValues[i]!, row.p],
      [found.adjustedPValues[i]!, row.adjusted],
      [found.oddsRatios[i]!, row.odds],
      [found.combinedScores[i]!, row.combined],
    ] as const) {
      expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-6 * Math.abs(theirs));
    }
  });
});

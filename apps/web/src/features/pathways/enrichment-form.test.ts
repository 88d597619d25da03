import { expect, test } from 'vitest';
import {
  enrichmentDefaults,
  isValid,
  ownBackgroundProblem,
  pathwayRequest,
  readGeneList,
} from './enrichment-form.ts';

test('genes are separated, trimmed, upper-cased and counted once', () => {
  expect(readGeneList(' cd3d, CD3D ,cd3e,,\nLck\tcd2;HLA-A ')).toEqual([
    'CD3D',
    'CD3E',
    'LCK',
    'CD2',
    'HLA-A',
  ]);
  expect(readGeneList(' , \n')).toEqual([]);
});

test('an enrichment names what differs from the defaults, and nothing else', () => {
  const form = { ...enrichmentDefaults, genes: 'cd3d' };
  const expected = { pathway_genes: ['CD3D'], library_name: 'KEGG_2021_Human' };
  expect(pathwayRequest(form)).toEqual(expected);
  expect(pathwayRequest({ ...form, minimumShare: '5', minimumOverlap: '1', species: 'mouse' })).toEqual({
    ...expected,
    background: { kind: 'expressed', minimum_share: 0.05, minimum_cells: 3 },
    minimum_overlap: 1,
    species: 'mouse',
  });
  expect(pathwayRequest({ ...form, background: 'dataset', species: '__proto__' })).toEqual({
    ...expected,
    background: { kind: 'dataset' },
  });
  expect(pathwayRequest({ ...form, background: 'own', ownBackground: 'a b\na' }).background).toEqual({
    kind: 'own',
    genes: ['A', 'B'],
  });
});

test('what the server would refuse keeps an enrichment from running', () => {
  const form = { ...enrichmentDefaults, genes: 'cd3d' };
  expect(isValid(form)).toBe(true);
  expect(isValid({ ...form, minimumOverlap: '0' })).toBe(false);
  expect(isValid({ ...form, minimumOverlap: '1001' })).toBe(false);
  expect(isValid({ ...form, minimumShare: '101' })).toBe(false);
  expect(isValid({ ...form, minimumCells: '0' })).toBe(false);
  // Genes of another background are ignored.
  expect(isValid({ ...form, background: 'library', minimumShare: '101' })).toBe(true);
  const own = { ...form, background: 'own' };
  const list = (count: number) => Array.from({ length: count }, (_, n) => `G${n}`).join(' ');
  expect(ownBackgroundProblem(own)).toBe('Name at least one gene of the background.');
  expect(isValid({ ...own, ownBackground: list(60_000) })).toBe(true);
  expect(ownBackgroundProblem({ ...own, ownBackground: list(60_001) })).toContain('at most 60,000 genes');
});

import type { CatalogueDataset } from '@cellfolio/contract';
import { describe, expect, test } from 'vitest';
import { catalogueDataset } from '@/testing/fakes.ts';
import { countDatasets } from './catalogue-entries.ts';
import type { ChosenFacets } from './facets.ts';
import { countFacets, inOrder, narrowCatalogue } from './facets.ts';
import { searchCatalogue } from './search.ts';

const dataset = (dataset_filename: string, overrides: Partial<CatalogueDataset>) =>
  catalogueDataset({ dataset_filename, simulated: false, cell_count: 3_000, ...overrides });

const catalogue = {
  Breast: {
    HER2: [dataset('a', { stage: 'II', cell_types: ['B cell', 'T cell'] })],
    TNBC: [dataset('b', { stage: 'III', cell_types: ['T cell'], cell_count: 999 })],
  },
  Lung: {
    IPF: [
      dataset('c', { stage: 'II', cell_types: ['B cell'], simulated: true, cell_count: 1_000 }),
      dataset('d', { cell_types: ['Club cell'], cell_count: 600_000 }),
    ],
  },
};

const chosen = (values: Record<string, string[]>): ChosenFacets => new Map(Object.entries(values));

const names = (values: Record<string, string[]>, search = '') =>
  Object.values(narrowCatalogue(searchCatalogue(catalogue, search), chosen(values)))
    .flatMap((branch) => Object.values(branch))
    .flat()
    .map(({ dataset_filename }) => dataset_filename)
    .join('');

const counts = (values: Record<string, string[]>, search = '') =>
  Object.fromEntries(
    countFacets(catalogue, searchCatalogue(catalogue, search), chosen(values)).map((counted) => [
      counted.facet.key,
      Object.fromEntries(inOrder(counted).map(({ value, count }) => [value, count])),
    ]),
  );

describe('the facets of the catalogue', () => {
  test('a dataset of two diseases is found under each, and counts once elsewhere', () => {
    const both = dataset('e', {
      stage: 'II',
      ontology_terms: [{ id: 'CL:0000084', label: 'T cell', column: 'cell_type' }],
    });
    const shared = { Asthma: { Severe: [both] }, Eczema: { Severe: [both] } };
    expect(countDatasets(shared)).toBe(1);
    const counted = countFacets(shared, shared, chosen({ stage: ['II'] }));
    const valuesOf = (key: string) => counted.find(({ facet }) => facet.key === key)?.values;
    expect(valuesOf('disease')).toEqual([
      { value: 'Asthma', count: 1, chosen: false },
      { value: 'Eczema', count: 1, chosen: false },
    ]);
    expect(valuesOf('stage')).toEqual([{ value: 'II', count: 1, chosen: true }]);
    expect(countDatasets(searchCatalogue(shared, 'cl:0000084'))).toBe(1);
    expect(countDatasets(searchCatalogue(shared, 'CL:0000236'))).toBe(0);
  });

  test('a dataset needs one of the values of every facet that is chosen', () => {
    expect(names({})).toBe('abcd');
    expect(names({ stage: ['II', 'III'] })).toBe('abc');
    expect(names({ stage: ['II'], 'cell-type': ['B cell', 'Club cell'] })).toBe('ac');
    expect(names({ stage: ['II'], disease: ['Lung'] })).toBe('c');
    expect(names({ stage: ['IV'] })).toBe('');
    expect(names({ stage: [''] })).toBe('d');
    expect(names({ data: ['Simulated'] }, 'lung')).toBe('c');
  });

  test('empty branches are left out, so that none is opened in vain', () => {
    expect(Object.keys(narrowCatalogue(catalogue, chosen({ subdisease: ['HER2'] })))).toEqual(['Breast']);
    expect(Object.keys(narrowCatalogue(catalogue, chosen({ subdisease: ['HER2'] }))['Breast']!)).toEqual([
      'HER2',
    ]);
  });

  test('each value counts what it would leave beside the other facets and the search', () => {
    expect(counts({})['stage']).toEqual({ II: 2, III: 1, '': 1 });
    // Its own values do not count each other out: more of them can be chosen.
    expect(counts({ stage: ['III'] })['stage']).toEqual({ II: 2, III: 1, '': 1 });
    expect(counts({ stage: ['III'] })['disease']).toEqual({ Breast: 1, Lung: 0 });
    expect(counts({ stage: ['II'], disease: ['Lung'] })['cell-type']).toEqual({
      'B cell': 1,
      'Club cell': 0,
      'T cell': 0,
    });
    expect(counts({}, 'lung')['stage']).toEqual({ II: 1, III: 0, '': 1 });
  });

  test('ranges of cells are in the order of size, and what is not given is last', () => {
    expect(Object.keys(counts({})['cells']!)).toEqual(['Below 1,000', '1,000 to 4,999', '500,000 and more']);
    expect(counts({})['cells']).toEqual({ 'Below 1,000': 1, '1,000 to 4,999': 2, '500,000 and more': 1 });
    expect(Object.keys(counts({})['stage']!)).toEqual(['II', 'III', '']);
  });

  test('a facet that distinguishes no datasets is not offered, unless the address has chosen of it', () => {
    expect(Object.keys(counts({}))).not.toContain('treatment');
    expect(counts({ treatment: ['Surgery'] })['treatment']).toMatchObject({ Surgery: 0 });
  });

  test('values are names only, even those of every object', () => {
    const odd = { Odd: { Odd: [dataset('x', { stage: '__proto__' }), dataset('y', { stage: 'toString' })] } };
    const stage = countFacets(odd, odd, new Map()).find(({ facet }) => facet.key === 'stage');
    expect(stage?.values.map(({ value, count }) => [value, count])).toEqual([
      ['__proto__', 1],
      ['toString', 1],
    ]);
    expect(narrowCatalogue(odd, chosen({ stage: ['__proto__'] }))['Odd']?.['Odd']).toHaveLength(1);
  });
});

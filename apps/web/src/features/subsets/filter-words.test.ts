import { expect, test } from 'vitest';
import { emptyConfig } from './filter-config.ts';
import { filterWords } from './filter-words.ts';

test('a filter is described by its parts that are switched on, and no other', () => {
  const config = {
    ...emptyConfig(),
    cellTypeFilter: { cellTypes: ['T cell', 'NK'] },
    geneFilter: { ...emptyConfig().geneFilter, genes: ['CD3D'] },
    metadataFilter: { selectedFields: ['Treatment', 'Stage'], patientMetadata: { Treatment: ['treated'] } },
  };
  expect(filterWords(config)).toBe('all cells');
  expect(filterWords({ ...config, activeFilterTypes: ['celltype', 'gene', 'metadata'] })).toBe(
    'Cell type is one of T cell, NK; Treatment is treated; CD3D above 0',
  );
});

test('percentiles are described with the cells they refer to', () => {
  const geneFilter = { ...emptyConfig().geneFilter, genes: ['CD3D'], filterType: '' as const };
  const config = { ...emptyConfig(), activeFilterTypes: ['gene' as const], geneFilter };
  expect(filterWords(config)).toBe('CD3D between percentiles 1 and 50');
  expect(filterWords({ ...config, geneFilter: { ...geneFilter, among: 'expressing' } })).toBe(
    'CD3D between percentiles 1 and 50 of the expressing cells',
  );
});

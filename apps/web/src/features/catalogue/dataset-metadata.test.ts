import { columnTitle } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { catalogueDataset } from '@/testing/fakes.ts';
import { assetUrl, explorerPath, findDataset, formatMetadataValue, gsePage } from './dataset-metadata.tsx';

test('keys of patient metadata become title-cased words, arrays are joined by commas', () => {
  expect(columnTitle('age_group_at_diagnosis')).toBe('Age Group At Diagnosis');
  expect(columnTitle('HER2_status')).toBe('HER2 Status');
  expect(formatMetadataValue(['40-49', '50-59'])).toBe('40-49, 50-59');
  expect(formatMetadataValue('Female')).toBe('Female');
});

test('only a GEO series number becomes a link', () => {
  expect(gsePage('GSE93421')).toBe('https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE93421');
  expect(gsePage('javascript:alert(1)')).toBeUndefined();
});

test('the way to the explorer names disease and dataset, escaped', () => {
  expect(explorerPath('Crohn & colitis', 'a/b')).toBe('/explorer?disease=Crohn+%26+colitis&dataset=a%2Fb');
});

test('pictures are found under the analysis server, whatever its path', () => {
  expect(assetUrl('http://h.test', '/api/umap.png')).toBe('http://h.test/api/umap.png');
  expect(assetUrl('http://h.test', 'http://cdn.test/umap.png')).toBe('http://cdn.test/umap.png');
});

test('a dataset is found under its disease first, and elsewhere if it is not there', () => {
  const one = catalogueDataset({ name: 'one' });
  const two = catalogueDataset({ name: 'two' });
  const catalogue = { Blood: { PBMC: [one] }, Lung: { IPF: [two] } };
  expect(findDataset(catalogue, 'tumour_one', 'Lung')?.dataset.name).toBe('two');
  expect(findDataset(catalogue, 'tumour_one', 'Bone')?.dataset.name).toBe('one');
  expect(findDataset(catalogue, 'other', 'Lung')).toBeUndefined();
});

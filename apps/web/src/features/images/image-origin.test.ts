import type { FilterRequest } from '@cellfolio/contract';
import { filterRequest } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import type { CurrentSubset } from './image-origin.tsx';
import { imageOrigin } from './image-origin.tsx';
import { libraryImage } from './library-image.fixture.ts';

const content = { kind: 'gene-umap', gene: 'CD68' } as const;
const byTypes = (name: string, ...cellTypes: string[]): FilterRequest => ({
  subset_group_name: name,
  cell_type_filter: true,
  cell_type: cellTypes,
});
const subset = (name: string, filter = byTypes(name, 't-cell', 'b-cell')): CurrentSubset => ({
  name,
  filter,
});
const subsetImage = libraryImage('i', {
  subsetGroupName: 'FOXP3 pos',
  cellCount: 5525,
  source: {
    dataset_filename: 'd',
    content,
    subset: filterRequest.parse(byTypes('FOXP3 pos', 'b-cell', 't-cell')),
  },
});
const changeOf = (subsets: readonly CurrentSubset[] | undefined, image = subsetImage) =>
  imageOrigin(image, { datasetName: 'D', foreign: false, subsets, version: undefined, lost: null })
    .subsetChange;

test('an image says how many cells it shows, and that they are all where it is of no subset', () => {
  const cells = (overrides: Parameters<typeof libraryImage>[1]) =>
    imageOrigin(libraryImage('i', overrides), {
      datasetName: 'D',
      foreign: false,
      subsets: [],
      version: undefined,
      lost: null,
    }).cells;
  expect(cells({ subsetGroupName: 'T cells', cellCount: 5525 })).toBe('5,525 cells');
  expect(cells({ subsetGroupName: 'T cells', cellCount: 1 })).toBe('1 cell');
  expect(cells({ cellCount: 12_400 })).toBe('all 12,400 cells');
});

test('an older image says what is known: that it is of all cells, or nothing of how many', () => {
  const cells = (subsetGroupName: string) =>
    imageOrigin(libraryImage('i', { subsetGroupName, cellCount: null }), {
      datasetName: undefined,
      foreign: true,
      subsets: [],
      version: undefined,
      lost: null,
    });
  expect(cells('Global')).toMatchObject({ dataset: 'd', cells: 'all cells' });
  expect(cells('T cells')).toMatchObject({ dataset: 'd', cells: '' });
});

test('a subset that has another filter than when the image was drawn has changed since', () => {
  expect(changeOf([subset('FOXP3 pos')])).toBeNull();
  expect(changeOf([subset('FOXP3 pos', byTypes('FOXP3 pos', 't-cell'))])).toEqual({
    kind: 'changed',
    text: 'The subset “FOXP3 pos” has a new filter: this figure shows the cells of the previous one.',
  });
});

test('another name of a signature is no other filter, another percentile is', () => {
  const scored = (score_name: string, max_percentile = 90): FilterRequest => ({
    subset_group_name: 'FOXP3 pos',
    signature_filter: true,
    signature: { genes: ['CD3D'], score_name, min_percentile: 50, max_percentile },
  });
  const image = {
    ...subsetImage,
    source: { dataset_filename: 'd', content, subset: filterRequest.parse(scored('a')) },
  };
  expect(changeOf([subset('FOXP3 pos', scored('b'))], image)).toBeNull();
  expect(changeOf([subset('FOXP3 pos', scored('a', 80))], image)?.kind).toBe('changed');
});

test('a subset that is gone is deleted; where another has its filter, it was renamed', () => {
  expect(changeOf([subset('Other', byTypes('Other', 't-cell'))])?.kind).toBe('deleted');
  expect(changeOf([subset('Regulatory')])).toEqual({
    kind: 'renamed',
    text: 'The subset of these cells is now called “Regulatory”.',
  });
});

test('an image has no note of a changed subset while the subsets or its source are unknown', () => {
  expect(changeOf(undefined)).toBeNull();
  expect(changeOf([subset('FOXP3 pos')], { ...subsetImage, source: null })).toBeNull();
  expect(changeOf([], { ...subsetImage, source: null })?.kind).toBe('deleted');
  expect(changeOf([], { ...subsetImage, subsetGroupName: 'Global' })).toBeNull();
});

test('cells that were selected on the map and are not saved are not called a deleted subset', () => {
  const cells = { places: 'AAAA', count: 3, version: '1' };
  const filter = filterRequest.parse({ subset_group_name: 'FOXP3 pos', cells_filter: true, cells });
  const image = { ...subsetImage, source: { dataset_filename: 'd', content, subset: filter } };
  expect(changeOf([], image)).toEqual({
    kind: 'unsaved',
    text: 'The cells “FOXP3 pos” were selected on the map and are not saved as a subset.',
  });
});

test('a figure of another version than the one there is says of which; without one it says nothing', () => {
  const createdAt = new Date(2019, 10, 12).getTime();
  const source = { dataset_filename: 'd', version: '1', content };
  const earlier = (version: string | null | undefined, own: object = source) => {
    const image = libraryImage('i', { createdAt, source: own as typeof source });
    return imageOrigin(image, { datasetName: 'D', foreign: false, subsets: [], version, lost: null }).earlier;
  };
  const expected = {
    text: 'data of 12 Nov 2019',
    sentence: 'Drawn from the data of 12 Nov 2019; the dataset has been replaced since.',
  };
  expect(earlier('2')).toEqual(expected);
  expect(earlier(null)).toEqual(expected);
  expect(earlier('1')).toBeNull();
  expect(earlier(undefined)).toBeNull();
  expect(earlier('2', { dataset_filename: 'd', content })).toBeNull();
});

test('a figure of labels that are not kept says so, unless its dataset was replaced, which says more', () => {
  const source = { dataset_filename: 'd', version: '1', content };
  const sentence = (version: string, lost: 'changed' | 'deleted' | null) =>
    imageOrigin(libraryImage('i', { source }), {
      datasetName: 'D',
      foreign: false,
      subsets: [],
      version,
      lost,
    }).earlier?.sentence;
  expect(sentence('1', null)).toBeUndefined();
  expect(sentence('1', 'changed')).toBe('Drawn from labels that have changed since.');
  expect(sentence('1', 'deleted')).toBe('Drawn from a column that has been deleted since.');
  expect(sentence('2', 'changed')).toMatch(/the dataset has been replaced since/);
});

import { expect, test } from 'vitest';
import { catalogueDataset } from '@/testing/fakes.ts';
import { resolveSelection, stepOf } from './selection.ts';

const dataset = (dataset_filename: string) => catalogueDataset({ dataset_filename });
const catalogue = {
  Blood: { PBMC: [] },
  Breast: { Ductal: [dataset('one'), dataset('two')], Lobular: [dataset('three')] },
  Lung: { IPF: [dataset('four')] },
};
const asked = (
  disease: string | null = null,
  subDisease: string | null = null,
  name: string | null = null,
) => ({
  disease,
  subDisease,
  dataset: name,
});
const resolve = (selection: ReturnType<typeof asked>, recent: string[] = []) =>
  resolveSelection(
    catalogue,
    selection,
    recent.map((name) => ({ dataset: name })),
  );

test('something is always shown: the dataset last opened, of those that are there, else the first', () => {
  expect(resolve(asked()).shown).toEqual(asked('Breast', 'Ductal', 'one'));
  expect(resolve(asked(), ['gone', 'four', 'two']).shown).toEqual(asked('Lung', 'IPF', 'four'));
  expect(resolve(asked('Breast'), ['four', 'two']).shown).toEqual(asked('Breast', 'Ductal', 'two'));
  expect(resolve(asked('Breast', 'Lobular'), ['one']).shown).toEqual(asked('Breast', 'Lobular', 'three'));
  expect(resolve(asked('Blood', 'PBMC')).shown).toEqual(asked('Blood', 'PBMC'));
  expect(resolveSelection({}, asked(), []).shown).toEqual(asked());
});

test('the one dataset of a disease or sub-disease is chosen, and its step stays one to be seen', () => {
  expect(resolve(asked('Breast', 'Lobular')).completed).toEqual(asked('Breast', 'Lobular', 'three'));
  expect(resolve(asked('Lung')).completed).toEqual(asked('Lung', 'IPF', 'four'));
  expect(resolve(asked('Breast', 'Ductal')).completed).toEqual(asked('Breast', 'Ductal'));
  const { known, completed } = resolve(asked('Breast', 'Lobular'));
  expect([stepOf(null, known, completed), stepOf('3', known, completed)]).toEqual([2, 3]);
});

test('a dataset is found by its name wherever the address says that it is', () => {
  expect(resolve(asked(null, null, 'three')).known).toEqual(asked('Breast', 'Lobular', 'three'));
  expect(resolve(asked('Lung', 'made up', 'two'))).toMatchObject({
    known: asked('Breast', 'Ductal', 'two'),
    unknown: null,
  });
});

test('what the catalogue does not have is named, and what it has of the address is kept', () => {
  expect(resolve(asked('Breast', 'Lobular', 'nine'))).toMatchObject({
    known: asked('Breast', 'Lobular'),
    shown: asked('Breast', 'Lobular', 'three'),
    unknown: { what: 'dataset', name: 'nine' },
  });
  expect(resolve(asked('Breast', 'nine')).unknown).toEqual({ what: 'sub-disease', name: 'nine' });
  expect(resolve(asked('constructor', 'name')).unknown).toEqual({ what: 'disease', name: 'constructor' });
  expect(resolve(asked('Breast', 'toString')).unknown).toEqual({ what: 'sub-disease', name: 'toString' });
  expect(resolve(asked('Blood', 'PBMC')).unknown).toBeNull();
});

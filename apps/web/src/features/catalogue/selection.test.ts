import { expect, test } from 'vitest';
import { catalogueDataset } from '@/testing/fakes.ts';
import { resolveSelection, stepOf } from './selection.ts';

const dataset = (dataset_filename: string) => catalogueDataset({ dataset_filename });
const catalogue = {
  Blood: { PBMC: [] },
  Breast: { Ductal: [dataset('one'), dataset('two')], Lobular: [dataset('three')] },
  Lung: { IPF: [dataset('four')] },
};
const makeSelection = (
  disease: string | null = null,
  subDisease: string | null = null,
  name: string | null = null,
) => ({
  disease,
  subDisease,
  dataset: name,
});
const resolve = (selection: ReturnType<typeof makeSelection>, recent: string[] = []) =>
  resolveSelection(
    catalogue,
    selection,
    recent.map((name) => ({ dataset: name })),
  );

test('something is always shown: the dataset last opened, of those that are there, else the first', () => {
  expect(resolve(makeSelection()).shown).toEqual(makeSelection('Breast', 'Ductal', 'one'));
  expect(resolve(makeSelection(), ['gone', 'four', 'two']).shown).toEqual(
    makeSelection('Lung', 'IPF', 'four'),
  );
  expect(resolve(makeSelection('Breast'), ['four', 'two']).shown).toEqual(
    makeSelection('Breast', 'Ductal', 'two'),
  );
  expect(resolve(makeSelection('Breast', 'Lobular'), ['one']).shown).toEqual(
    makeSelection('Breast', 'Lobular', 'three'),
  );
  expect(resolve(makeSelection('Blood', 'PBMC')).shown).toEqual(makeSelection('Blood', 'PBMC'));
  expect(resolveSelection({}, makeSelection(), []).shown).toEqual(makeSelection());
});

test('the one dataset of a disease or sub-disease is chosen, and its step stays one to be seen', () => {
  expect(resolve(makeSelection('Breast', 'Lobular')).completed).toEqual(
    makeSelection('Breast', 'Lobular', 'three'),
  );
  expect(resolve(makeSelection('Lung')).completed).toEqual(makeSelection('Lung', 'IPF', 'four'));
  expect(resolve(makeSelection('Breast', 'Ductal')).completed).toEqual(makeSelection('Breast', 'Ductal'));
  const { selection, completed } = resolve(makeSelection('Breast', 'Lobular'));
  expect([stepOf(null, selection, completed), stepOf('3', selection, completed)]).toEqual([2, 3]);
});

test('a dataset is found by its name wherever the address says that it is', () => {
  expect(resolve(makeSelection(null, null, 'three')).selection).toEqual(
    makeSelection('Breast', 'Lobular', 'three'),
  );
  expect(resolve(makeSelection('Lung', 'made up', 'two'))).toMatchObject({
    selection: makeSelection('Breast', 'Ductal', 'two'),
    unknown: null,
  });
});

test('what the catalogue does not have is named, and what it has of the address is kept', () => {
  expect(resolve(makeSelection('Breast', 'Lobular', 'nine'))).toMatchObject({
    selection: makeSelection('Breast', 'Lobular'),
    shown: makeSelection('Breast', 'Lobular', 'three'),
    unknown: { what: 'dataset', name: 'nine' },
  });
  expect(resolve(makeSelection('Breast', 'nine')).unknown).toEqual({ what: 'sub-disease', name: 'nine' });
  expect(resolve(makeSelection('constructor', 'name')).unknown).toEqual({
    what: 'disease',
    name: 'constructor',
  });
  expect(resolve(makeSelection('Breast', 'toString')).unknown).toEqual({
    what: 'sub-disease',
    name: 'toString',
  });
  expect(resolve(makeSelection('Blood', 'PBMC')).unknown).toBeNull();
});

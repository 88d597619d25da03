import { expect, test } from 'vitest';
import { unitName } from './unit-name.ts';

test.each([
  ['mouse', 'individual'],
  ['mouseID', 'individual'],
  ['Mice', 'individual'],
  ['DONOR_ID', 'individual'],
  ['Patient.Number', 'individual'],
  ['embryo_2', 'individual'],
  ['specimen id', 'individual'],
  ['biological_replicate', 'label'],
  ['rep', 'label'],
  ['HTO_maxID', 'label'],
  ['technical_replicate', undefined],
  ['mouse_strain', 'attribute'],
  ['patient_sex', 'attribute'],
  ['treatment', 'attribute'],
  ['Batches', 'attribute'],
  ['rate', undefined],
  ['sample', undefined],
] as const)('the name %s says %s', (column, name) => {
  expect(unitName(column)).toBe(name);
});

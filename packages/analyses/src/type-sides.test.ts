import { expect, test } from 'vitest';
import { areSidesOfTypes } from './type-sides.ts';

const isOfTypes = (field: string) => field === 'leiden';
const of = (metadata: Record<string, string[]>, types?: string[]) => ({
  patient_metadata_filter: true,
  patient_metadata: metadata,
  ...(types && { cell_type_filter: true, cell_type: types }),
});

test('sides are of types where these distinguish them', () => {
  const treated = of({ condition: ['treated'] });
  expect(areSidesOfTypes(treated, of({ condition: ['control'] }), isOfTypes)).toBe(false);
  expect(areSidesOfTypes(treated, undefined, isOfTypes)).toBe(false);
  expect(areSidesOfTypes(of({}, ['T']), undefined, isOfTypes)).toBe(true);
  expect(areSidesOfTypes(of({ leiden: ['0'] }), of({ leiden: ['1'] }), isOfTypes)).toBe(true);
  expect(areSidesOfTypes(treated, of({ condition: ['control'] }, ['T']), isOfTypes)).toBe(true);
  const both = (condition: string, types: string[]) => of({ condition: [condition] }, types);
  expect(areSidesOfTypes(both('treated', ['T', 'B']), both('control', ['B', 'T']), isOfTypes)).toBe(false);
});

test('a part of a filter that is off chooses nothing, and a selection on a map does', () => {
  expect(areSidesOfTypes({ cell_type: ['T'] }, undefined, isOfTypes)).toBe(false);
  expect(areSidesOfTypes({ cells_filter: true }, undefined, isOfTypes)).toBe(true);
  expect(areSidesOfTypes(of({ condition: ['treated'] }), { cells_filter: true }, isOfTypes)).toBe(true);
});

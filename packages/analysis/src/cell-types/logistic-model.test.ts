import { expect, test } from 'vitest';
import { LogisticModelError, logisticModelFormat, readLogisticModel } from './logistic-model.ts';

const file = {
  format: logisticModelFormat,
  version: 1,
  name: 'Two',
  licence: 'CC0',
  types: ['B', 'T'],
  genes: ['CD19', 'CD3E', 'ACTB'],
  means: [0.5, 1, 3],
  scales: [1, 2, 0.5],
  intercepts: [0.1, -0.1],
  coefficients: [
    [1, -1, 0],
    [-1, 1, 0],
  ],
};
const read = (change: object) => readLogisticModel(JSON.stringify({ ...file, ...change }));

test('a model is read with the coefficients of a gene beside each other', () => {
  const model = read({});
  expect(model).toMatchObject({ name: 'Two', licence: 'CC0', source: '', types: ['B', 'T'] });
  expect([...model.coefficients]).toEqual([1, -1, -1, 1, 0, 0]);
});

test.each([
  ['another format', { format: 'pickle' }, /^format and version/],
  ['a version to come', { version: 2 }, /^format and version/],
  ['one type', { types: ['B'], coefficients: [[1, 1, 1]] }, /^types: .* at least two/],
  ['a type twice', { types: ['B', 'B'] }, /^types: a name stands twice/],
  ['a gene that is a number', { genes: ['A', 1, 'C'] }, /^genes: has to be a list of names/],
  ['a scale of 0', { scales: [1, 0, 1] }, /^scales: that of CD3E is not above 0/],
  ['too few coefficients', { coefficients: [[1, 2, 3]] }, /^coefficients: has to be 2 lists/],
  [
    'a short list',
    {
      coefficients: [
        [1, 2],
        [1, 2, 3],
      ],
    },
    /^coefficients of B: has to be 3 finite numbers/,
  ],
  ['a number that is none', { means: [0, null, 1] }, /^means: has to be 3 finite numbers/],
])('a file with %s is refused with its field', (_, change, message) => {
  expect(() => read(change)).toThrow(LogisticModelError);
  expect(() => read(change)).toThrow(message);
});

test('what is no JSON is refused', () => {
  expect(() => readLogisticModel('\u0080\u0003')).toThrow(/^It is not JSON/);
  expect(() => readLogisticModel('[]')).toThrow(/^format and version/);
});

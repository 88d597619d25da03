import { expect, test } from 'vitest';
import { numberProblem } from './number-field.tsx';

test('a value outside the limits of its parameter is reported with them, and the limits themselves are accepted', () => {
  const parameter = { label: '', defaultValue: '0.25', min: -100, max: 10_000 };
  expect(numberProblem(parameter, '-101')).toBe('From −100 to 10,000.');
  expect(numberProblem(parameter, '10001')).toBe('From −100 to 10,000.');
  expect(numberProblem(parameter, '-100')).toBeUndefined();
  expect(numberProblem(parameter, '0,5')).toBeUndefined();
});

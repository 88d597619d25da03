import { expect, test } from 'vitest';
import { parseRange } from './byte-range.ts';

test.each([
  ['bytes=0-4', 10, { offset: 0, length: 5 }],
  ['bytes=3-', 10, { offset: 3, length: 7 }],
  ['bytes=-3', 10, { offset: 7, length: 3 }],
  ['bytes=-30', 10, { offset: 0, length: 10 }],
  ['bytes=9-99', 10, { offset: 9, length: 1 }],
  ['Bytes=0-0', 10, { offset: 0, length: 1 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=99999999999999999999-', 10, 'unsatisfiable'],
  ['bytes=5-2', 10, undefined],
  ['bytes=0-1,4-5', 10, undefined],
  ['bytes=-', 10, undefined],
  ['items=0-1', 10, undefined],
  ['bytes=a-b', 10, undefined],
  [undefined, 10, undefined],
] as const)('%s of %i bytes asks for %o', (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});

import { expect, test } from 'vitest';
import { numberBytes, numbersFromBytes } from './number-bytes.ts';

test('64-bit integers keep sign and value to 2^53', () => {
  const values = Float64Array.of(0, 1, -1, 2 ** 53, -(2 ** 53), 2 ** 32, -(2 ** 32) - 1);
  const bytes = numberBytes('int64', values, 0, values.length, values.length);
  expect([...new BigInt64Array(bytes.buffer as ArrayBuffer)]).toEqual(Array.from(values, BigInt));
  expect(numbersFromBytes('int64', bytes)).toEqual(values);
});

test('unsigned 64-bit integers above 2^63 keep their magnitude', () => {
  const values = Float64Array.of(2 ** 63, 2 ** 53);
  const bytes = numberBytes('uint64', values, 0, 2, 2);
  expect([...new BigUint64Array(bytes.buffer as ArrayBuffer)]).toEqual([2n ** 63n, 2n ** 53n]);
  expect(numbersFromBytes('uint64', bytes)).toEqual(values);
});

test('NaN and both infinities survive as floats', () => {
  const values = Float32Array.of(NaN, Infinity, -Infinity, -0);
  const read = numbersFromBytes('float32', numberBytes('float32', values, 0, 4, 4));
  expect([...read].map((value) => Object.is(value, NaN) || value)).toEqual([true, Infinity, -Infinity, -0]);
});

test('a part is padded with zeros to the length of a chunk', () => {
  expect([...numberBytes('uint8', Uint8Array.of(1, 2, 3, 4), 1, 3, 4)]).toEqual([2, 3, 0, 0]);
});

test('bytes at an odd address are read all the same', () => {
  const bytes = new Uint8Array(9);
  bytes.set(numberBytes('float64', Float64Array.of(Math.PI), 0, 1, 1), 1);
  expect([...numbersFromBytes('float64', bytes.subarray(1))]).toEqual([Math.PI]);
});

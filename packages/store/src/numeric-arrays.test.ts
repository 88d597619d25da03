import { expect, test } from 'vitest';
import { asType, bytesPerValue, numbersFromBytes } from './numeric-arrays.ts';

const bytesOf = ({ buffer }: { buffer: ArrayBufferLike }) => new Uint8Array(buffer);

test('64-bit integers keep sign and value to 2^53', () => {
  const values = Float64Array.of(0, 1, -1, 2 ** 53, -(2 ** 53), 2 ** 32, -(2 ** 32) - 1);
  const wide = asType('int64', values);
  expect(wide).toEqual(BigInt64Array.from(values, BigInt));
  expect(numbersFromBytes('int64', bytesOf(wide))).toEqual(values);
});

test('unsigned 64-bit integers above 2^63 keep their magnitude', () => {
  const values = Float64Array.of(2 ** 63, 2 ** 53);
  const wide = asType('uint64', values);
  expect(wide).toEqual(BigUint64Array.of(2n ** 63n, 2n ** 53n));
  expect(numbersFromBytes('uint64', bytesOf(wide))).toEqual(values);
});

test('NaN and both infinities survive as floats', () => {
  const values = Float64Array.of(NaN, Infinity, -Infinity, -0);
  const read = numbersFromBytes('float32', bytesOf(asType('float32', values)));
  expect([...read].map((value) => Object.is(value, NaN) || value)).toEqual([true, Infinity, -Infinity, -0]);
});

test('values of the type that is wanted are not copied', () => {
  const values = Uint16Array.of(1, 2);
  expect(asType('uint16', values)).toBe(values);
  expect(bytesPerValue('uint16')).toBe(2);
});

test('bytes at an odd address are read all the same', () => {
  const bytes = new Uint8Array(9);
  bytes.set(bytesOf(Float64Array.of(Math.PI)), 1);
  expect([...numbersFromBytes('float64', bytes.subarray(1))]).toEqual([Math.PI]);
});

import { endianness } from 'node:os';
import type { NumericArray, NumericType, WideIntegers } from '@cellfolio/model';

type FixedType = NumericType | 'bool';

const sizes: Readonly<Record<FixedType, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
};

// Typed arrays are viewed as they lie in memory; every platform that Node supports today but s390x is little-endian.
if (endianness() !== 'LE') throw new Error('the store needs a little-endian machine');

export function bytesPerValue(type: FixedType): number {
  return sizes[type];
}

/**
 * Values `from` to `to` as little-endian bytes of `type`, followed by zeros up to `padTo` values: the
 * last chunk of an array is stored whole. 64-bit integers given as floats are exact below 2^53, as BigInts always;
 * NaN becomes 0 in integers.
 */
export function numberBytes(
  type: FixedType,
  values: NumericArray | WideIntegers,
  from: number,
  to: number,
  padTo: number,
): Uint8Array {
  const out = new Uint8Array(padTo * sizes[type]);
  const part = values.subarray(from, to);
  if (part instanceof BigInt64Array || part instanceof BigUint64Array) {
    out.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    return out;
  }
  if (type === 'int64' || type === 'uint64') {
    const words = new Uint32Array(out.buffer);
    for (let i = 0; i < part.length; i++) {
      const value = part[i]!;
      // Two's complement by halves: many times faster than going through BigInt.
      words[2 * i] = value >>> 0;
      words[2 * i + 1] = Math.floor(value / 4_294_967_296) >>> 0;
    }
  } else {
    const target = viewOf(type, out);
    target.set(part);
  }
  return out;
}

/** Values of little-endian bytes, without a copy where alignment allows; 64-bit integers as Float64Array. */
export function numbersFromBytes(type: FixedType, bytes: Uint8Array): NumericArray {
  const aligned = bytes.byteOffset % sizes[type] === 0 ? bytes : bytes.slice();
  if (type !== 'int64' && type !== 'uint64') return viewOf(type, aligned);
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  const out = new Float64Array(aligned.length >> 3);
  for (let i = 0; i < out.length; i++) {
    const high = type === 'int64' ? words[2 * i + 1]! | 0 : words[2 * i + 1]!;
    out[i] = high * 4_294_967_296 + words[2 * i]!;
  }
  return out;
}

/** 64-bit integers of little-endian bytes, every one exact. */
export function wideFromBytes(type: 'int64' | 'uint64', bytes: Uint8Array): WideIntegers {
  const { buffer, byteOffset, length } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return type === 'int64'
    ? new BigInt64Array(buffer, byteOffset, length >> 3)
    : new BigUint64Array(buffer, byteOffset, length >> 3);
}

/** An empty array to collect `length` decoded values in. */
export function numberArray(type: FixedType, length: number): NumericArray {
  if (type === 'int64' || type === 'uint64') return new Float64Array(length);
  return viewOf(type, new Uint8Array(length * sizes[type]));
}

function viewOf(type: Exclude<FixedType, 'int64' | 'uint64'>, bytes: Uint8Array): NumericArray {
  const { buffer, byteOffset } = bytes;
  const length = bytes.length / sizes[type];
  switch (type) {
    case 'bool':
    case 'uint8':
      return new Uint8Array(buffer, byteOffset, length);
    case 'int8':
      return new Int8Array(buffer, byteOffset, length);
    case 'int16':
      return new Int16Array(buffer, byteOffset, length);
    case 'uint16':
      return new Uint16Array(buffer, byteOffset, length);
    case 'int32':
      return new Int32Array(buffer, byteOffset, length);
    case 'uint32':
      return new Uint32Array(buffer, byteOffset, length);
    case 'float32':
      return new Float32Array(buffer, byteOffset, length);
    case 'float64':
      return new Float64Array(buffer, byteOffset, length);
  }
}

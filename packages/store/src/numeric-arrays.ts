import { endianness } from 'node:os';
import type { NumericArray, NumericType, WideIntegers } from '@cellfolio/model';

export type FixedType = NumericType | 'bool';

// Typed arrays are viewed as they lie in memory; every platform that Node supports today but s390x is little-endian.
if (endianness() !== 'LE') throw new Error('the store needs a little-endian machine');

const kinds = {
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export function bytesPerValue(type: FixedType): number {
  return kinds[type].BYTES_PER_ELEMENT;
}

/** Values of little-endian bytes, without a copy if alignment allows; 64-bit integers as Float64Array. */
export function numbersFromBytes(type: FixedType, bytes: Uint8Array): NumericArray {
  const { buffer, byteOffset, length } = bytes.byteOffset % bytesPerValue(type) === 0 ? bytes : bytes.slice();
  const values = new kinds[type](buffer as ArrayBuffer, byteOffset, length / bytesPerValue(type));
  return isWideArray(values) ? narrowed(values) : values;
}

/** Values as an array of `type`; unchanged if it already is one. NaN becomes 0 in integers. */
export function asType(type: FixedType, values: NumericArray | WideIntegers): NumericArray | WideIntegers {
  if (values instanceof kinds[type] || isWideArray(values)) return values;
  const out = new kinds[type](values.length);
  if (isWideArray(out)) widen(values, out);
  else out.set(values);
  return out;
}

export function isWideArray(values: NumericArray | WideIntegers): values is WideIntegers {
  return values instanceof BigInt64Array || values instanceof BigUint64Array;
}

/** 64-bit integers as floats, exact below 2^53: by halves, which is many times faster than BigInt. */
export function narrowed(values: WideIntegers): Float64Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const isSigned = values instanceof BigInt64Array;
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) {
    const high = isSigned ? words[2 * i + 1]! | 0 : words[2 * i + 1]!;
    out[i] = high * 4_294_967_296 + words[2 * i]!;
  }
  return out;
}

/** Two's complement by halves. */
function widen(values: NumericArray, out: WideIntegers): void {
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    words[2 * i] = value >>> 0;
    words[2 * i + 1] = Math.floor(value / 4_294_967_296) >>> 0;
  }
}

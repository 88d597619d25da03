import type { NumericArray, NumericType, PackedStrings, WideIntegers } from '@cellfolio/model';
import type { ElementType } from './element-type.ts';

/** Elements in memory: element i of `count` starts at byte `offset + i * stride`. */
export interface Elements {
  bytes: Uint8Array<ArrayBuffer>;
  offset: number;
  stride: number;
  count: number;
}

const constructors = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
  // Carried in float64, exact below 2^53 (wide integers are read by themselves); float16 widened.
  int64: Float64Array,
  uint64: Float64Array,
  float16: Float32Array,
} as const;

export function numericArray(dtype: NumericType | 'float16', count: number): NumericArray {
  return new constructors[dtype](count);
}

/** Decodes numbers or booleans into `out` from `start` on, for any alignment and byte order. */
export function decodeNumbers(elements: Elements, type: ElementType, out: NumericArray, start: number): void {
  const { bytes, offset, stride, count } = elements;
  if (type.kind === 'boolean') {
    for (let i = 0; i < count; i++) out[start + i] = bytes[offset + i * stride] === 0 ? 0 : 1;
    return;
  }
  if (type.kind !== 'number') throw new TypeError(`no numbers in elements of type ${type.kind}`);
  const { dtype, size, littleEndian } = type;
  const at = bytes.byteOffset + offset;
  if (littleEndian && stride === size && at % size === 0 && dtype !== 'float16') {
    copyAligned(bytes.buffer, at, count, dtype, out, start);
    return;
  }
  const view = new DataView(bytes.buffer, at);
  for (let i = 0; i < count; i++) out[start + i] = numberAt(view, i * stride, dtype, littleEndian);
}

/** Decodes 64-bit integers exactly into `out` from `start` on. */
export function decodeWideIntegers(
  { bytes, offset, stride, count }: Elements,
  littleEndian: boolean,
  out: WideIntegers,
  start: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  const signed = out instanceof BigInt64Array;
  for (let i = 0; i < count; i++) {
    const at = i * stride;
    out[start + i] = signed ? view.getBigInt64(at, littleEndian) : view.getBigUint64(at, littleEndian);
  }
}

export function wideArray(dtype: 'int64' | 'uint64', count: number): WideIntegers {
  return dtype === 'int64' ? new BigInt64Array(count) : new BigUint64Array(count);
}

function copyAligned(
  buffer: ArrayBuffer,
  at: number,
  count: number,
  dtype: NumericType,
  out: NumericArray,
  start: number,
): void {
  if (dtype !== 'int64' && dtype !== 'uint64') {
    out.set(new constructors[dtype](buffer, at, count), start);
    return;
  }
  // Two 32-bit words are far cheaper than one BigInt.
  const low = new Uint32Array(buffer, at, count * 2);
  const high = dtype === 'int64' ? new Int32Array(buffer, at, count * 2) : low;
  for (let i = 0; i < count; i++) out[start + i] = high[2 * i + 1]! * 0x1_0000_0000 + low[2 * i]!;
}

function numberAt(view: DataView, at: number, dtype: NumericType | 'float16', littleEndian: boolean): number {
  switch (dtype) {
    case 'int8':
      return view.getInt8(at);
    case 'uint8':
      return view.getUint8(at);
    case 'int16':
      return view.getInt16(at, littleEndian);
    case 'uint16':
      return view.getUint16(at, littleEndian);
    case 'int32':
      return view.getInt32(at, littleEndian);
    case 'uint32':
      return view.getUint32(at, littleEndian);
    case 'int64':
      return Number(view.getBigInt64(at, littleEndian));
    case 'uint64':
      return Number(view.getBigUint64(at, littleEndian));
    case 'float16':
      return halfFloat(view.getUint16(at, littleEndian));
    case 'float32':
      return view.getFloat32(at, littleEndian);
    case 'float64':
      return view.getFloat64(at, littleEndian);
  }
}

/** IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Collects strings slice by slice into one packed column, without creating JavaScript strings. */
export class StringPacker {
  readonly #offsets: Uint32Array;
  #bytes = new Uint8Array(1024);
  #row = 0;
  #end = 0;

  constructor(rowCount: number) {
    this.#offsets = new Uint32Array(rowCount + 1);
  }

  get bytes(): number {
    return this.#end;
  }

  /** `memory` holds the variable-length strings that elements point to. */
  add(elements: Elements, type: { size: number; variable: boolean }, memory: Uint8Array): void {
    const { bytes, offset, stride, count } = elements;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let i = 0; i < count; i++) {
      const at = offset + i * stride;
      if (type.variable) {
        const pointer = view.getUint32(at, true);
        // A string that was never written is a null pointer.
        if (pointer === 0) this.#push(memory, 0, 0);
        else this.#push(memory, pointer, memory.indexOf(0, pointer));
      } else {
        let end = at;
        const limit = at + type.size;
        while (end < limit && bytes[end] !== 0) end++;
        this.#push(bytes, at, end);
      }
    }
  }

  strings(): PackedStrings {
    return { bytes: this.#bytes.slice(0, this.#end), offsets: this.#offsets };
  }

  #push(source: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.#end + length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    // Barcodes are short: a loop beats a native copy and its view.
    const target = this.#bytes;
    let end = this.#end;
    for (let i = from; i < to; i++) target[end++] = source[i]!;
    this.#end = end;
    this.#offsets[++this.#row] = end;
  }
}

import type { NumericArray, WideIntegers } from '@cellfolio/model';
import type { H5Output, StoredType } from './h5-output.ts';

const arrayTypes = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** 32,768 values, 128 KiB of float32: about what h5py chooses for large arrays. */
const chunkValues = 1 << 15;
const stagedValues = 1 << 20;

interface SinkOptions {
  type: StoredType;
  /** Number of rows, if fixed. Absent: the array is chunked and grows. */
  rows?: number | undefined;
  /** Values per row. Absent: the array has one dimension. */
  width?: number;
  gzip?: number | undefined;
  /** Throw RoundedCount if rounding to float32 turns a float64 into a different integer. */
  refuseRoundedCounts?: boolean | undefined;
}

/** Rounding to float32 turned a number into a different integer. */
export class RoundedCount extends Error {
  constructor(value: number) {
    super(`float32 does not hold ${value}`);
    this.name = 'RoundedCount';
  }
}

/**
 * One array of the file, filled from front to back in pieces of any size. Values are buffered so that every write but
 * the last ends at a chunk boundary and no compressed chunk is written twice.
 */
export class ArraySink {
  readonly #output: H5Output;
  readonly #name: string;
  readonly #rows: number | undefined;
  readonly #width: number;
  readonly #twoDimensional: boolean;
  readonly #stage: NumericArray | WideIntegers;
  readonly #refuseRounded: boolean;
  #staged = 0;
  #writtenRows = 0;

  constructor(output: H5Output, name: string, { type, rows, width, gzip, refuseRoundedCounts }: SinkOptions) {
    const rowValues = width ?? 1;
    const chunkRows = Math.max(
      1,
      Math.min(Math.floor(chunkValues / Math.max(1, rowValues)), rows ?? Infinity),
    );
    const stagedRows =
      chunkRows * Math.max(1, Math.floor(stagedValues / (chunkRows * Math.max(1, rowValues))));
    // A chunk length of 0 is not allowed, so an array without values is always contiguous.
    const chunked = rows !== 0 && rowValues !== 0 && (gzip !== undefined || rows === undefined);
    this.#refuseRounded = refuseRoundedCounts === true;
    this.#output = output;
    this.#name = name;
    this.#rows = rows;
    this.#width = rowValues;
    this.#twoDimensional = width !== undefined;
    this.#stage = new arrayTypes[type](Math.min(rows ?? stagedRows, stagedRows) * rowValues);
    output.createArray(name, {
      type,
      shape: this.#shape(rows ?? 0),
      ...(chunked ? { chunks: this.#shape(chunkRows) } : {}),
      ...(chunked && gzip !== undefined ? { gzip } : {}),
    });
  }

  append(values: NumericArray | WideIntegers): void {
    for (let from = 0; from < values.length;) {
      const take = Math.min(values.length - from, this.#stage.length - this.#staged);
      if (take === 0) throw new RangeError(`${this.#name} holds ${this.#rows} rows and more came`);
      this.#copy(values, from, take);
      this.#staged += take;
      from += take;
      if (this.#staged === this.#stage.length) this.#flush();
    }
  }

  /** Throws RangeError if fewer values arrived than declared. */
  close(): void {
    this.#flush();
    if (this.#rows !== undefined && this.#writtenRows !== this.#rows && this.#width > 0)
      throw new RangeError(`${this.#name} holds ${this.#rows} rows and ${this.#writtenRows} came`);
  }

  #shape(rows: number): number[] {
    return this.#twoDimensional ? [rows, this.#width] : [rows];
  }

  #copy(values: NumericArray | WideIntegers, from: number, take: number): void {
    const stage = this.#stage;
    const at = this.#staged;
    if (stage instanceof BigInt64Array || stage instanceof BigUint64Array)
      for (let i = 0; i < take; i++) stage[at + i] = BigInt(values[from + i]!);
    else if (values instanceof BigInt64Array || values instanceof BigUint64Array)
      throw new TypeError(`${this.#name} is no array of 64-bit integers`);
    else {
      const piece = from === 0 && take === values.length ? values : values.subarray(from, from + take);
      stage.set(piece, at);
      if (this.#refuseRounded && stage instanceof Float32Array && piece instanceof Float64Array)
        assertNoRoundedCount(stage.subarray(at, at + take), piece);
    }
  }

  #flush(): void {
    if (this.#staged === 0) return;
    const rows = this.#staged / this.#width;
    if (!Number.isInteger(rows)) throw new RangeError(`${this.#name} ended in the middle of a row`);
    const end = this.#writtenRows + rows;
    if (this.#rows === undefined) this.#output.growArray(this.#name, this.#shape(end));
    else if (end > this.#rows) throw new RangeError(`${this.#name} holds ${this.#rows} rows and more came`);
    const { buffer, BYTES_PER_ELEMENT } = this.#stage;
    const bytes = new Uint8Array(buffer, 0, this.#staged * BYTES_PER_ELEMENT);
    const offset = this.#twoDimensional ? [this.#writtenRows, 0] : [this.#writtenRows];
    this.#output.writeArray(this.#name, { offset, count: this.#shape(rows) }, bytes);
    this.#writtenRows = end;
    this.#staged = 0;
  }
}

/** Throws RoundedCount. Other fractions are rounded to float32, as all stored expression is. */
function assertNoRoundedCount(copies: Float32Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const copy = copies[i]!;
    if (copy !== values[i] && Math.floor(copy) === copy) throw new RoundedCount(values[i]!);
  }
}

export function writeVector(
  output: H5Output,
  name: string,
  values: NumericArray | WideIntegers,
  { type, gzip }: { type: StoredType; gzip?: number | undefined },
): void {
  const sink = new ArraySink(output, name, { type, rows: values.length, gzip });
  sink.append(values);
  sink.close();
}

import type { NumericArray } from './column.ts';
import type { CellMask } from './expression.ts';

/** A copy in shared memory: handing it from thread to thread copies nothing. */
export function sharedCopy<T extends NumericArray>(values: T): T {
  const kind = values.constructor as new (memory: SharedArrayBuffer) => T;
  const shared = new kind(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}

/** A copy in shared memory. */
export function sharedMask({ bits, count }: CellMask): CellMask {
  return { bits: sharedCopy(bits), count };
}

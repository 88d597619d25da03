import type { CellMask } from '@cellfolio/model';

/** A copy in shared memory: handing it from thread to thread copies nothing. */
export function sharedScores(values: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}

/** A copy in shared memory. */
export function sharedMask({ bits, count }: CellMask): CellMask {
  const shared = new Uint8Array(new SharedArrayBuffer(bits.byteLength));
  shared.set(bits);
  return { bits: shared, count };
}

/** A copy in shared memory. */
export function sharedCodes(codes: Uint16Array): Uint16Array {
  const shared = new Uint16Array(new SharedArrayBuffer(codes.byteLength));
  shared.set(codes);
  return shared;
}

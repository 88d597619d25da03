import { cellsInPolygon } from './lasso.ts';

/** What a worker is sent first, once. */
export interface LassoPositions {
  readonly positions: Uint16Array;
  readonly placed: number;
}

/** What it is sent then, and answers with `{ id, bits }`. */
export interface LassoQuestion {
  readonly id: number;
  readonly polygon: Float32Array;
}

let held: LassoPositions | undefined;

self.addEventListener('message', ({ data }: MessageEvent<LassoPositions | LassoQuestion>) => {
  if ('positions' in data) {
    held = data;
    return;
  }
  const bits = cellsInPolygon(held!.positions, held!.placed, data.polygon);
  self.postMessage({ id: data.id, bits }, { transfer: [bits.buffer] });
});

import { cellsInPolygon } from './lasso.ts';
import type { MapView } from './map-view.ts';
import { paintPixels } from './paint-pixels.ts';
import type { PlacedCells } from './points.ts';

/** What a worker is sent first, once. */
export interface ThreadCells {
  readonly cells: PlacedCells;
}

/** What it is sent then: a polygon is answered with one bit a cell, a view with its pixels. */
export type ThreadQuestion = { readonly id: number } & (
  { readonly polygon: Float32Array } | { readonly view: MapView }
);

export interface ThreadAnswer {
  readonly id: number;
  readonly answer: Uint8Array | Uint32Array;
}

let held: PlacedCells | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ThreadCells | ThreadQuestion>) => {
  if ('cells' in data) held = data.cells;
  else reply(data.id, 'view' in data ? paint(held!, data.view) : select(held!, data.polygon));
});

function select({ positions, placed }: PlacedCells, polygon: Float32Array): Uint8Array {
  return cellsInPolygon(positions, placed, polygon);
}

function paint(cells: PlacedCells, view: MapView): Uint32Array {
  const pixels = new Uint32Array(view.width * view.height);
  paintPixels(cells, view, pixels);
  return pixels;
}

function reply(id: number, answer: ThreadAnswer['answer']): void {
  self.postMessage({ id, answer } satisfies ThreadAnswer, { transfer: [answer.buffer] });
}

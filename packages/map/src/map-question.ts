import { cellsInPolygon } from './lasso.ts';
import type { MapView } from './map-view.ts';
import { paintPixels } from './paint-pixels.ts';
import type { PlacedCells } from './points.ts';

/** A polygon is answered with one bit a cell, those without a position in the middle included; a view with its pixels. */
export type MapQuestion = { readonly polygon: Float32Array } | { readonly view: MapView };

export type MapAnswer = Uint8Array | Uint32Array;

/** The same in the worker and, where none can run, on the page. */
export function answerOf(cells: PlacedCells, question: MapQuestion): MapAnswer {
  if ('polygon' in question) return cellsInPolygon(cells.positions, cells.placed, question.polygon);
  const { view } = question;
  const pixels = new Uint32Array(view.width * view.height);
  paintPixels(cells, view, pixels);
  return pixels;
}

import { cellsInPolygon } from './lasso.ts';
import type { MapView } from './map-view.ts';
import { paintPixels } from './paint-pixels.ts';
import type { PlacedCells } from './points.ts';

/**
 * A polygon is answered with one bit per cell, including cells without a position in the middle; a view with its
 * pixels.
 */
export type MapQuestion = { polygon: Float32Array } | { view: MapView };

export type MapAnswer = Uint8Array | Uint32Array;

/** Runs in the worker or, if none can run, on the page. */
export function answerOf(cells: PlacedCells, question: MapQuestion): MapAnswer {
  if ('polygon' in question) return cellsInPolygon(cells.positions, cells.placed, question.polygon);
  const { view } = question;
  const pixels = new Uint32Array(view.width * view.height);
  paintPixels(cells, view, pixels);
  return pixels;
}

import type { MapView } from './map-view.ts';
import { paintPixels } from './paint-pixels.ts';
import type { Points } from './points.ts';

/**
 * Draws all maps of an embedding, each into the 2D canvas of its card. The card's canvas is given the size of the view.
 */
export class MapRenderer {
  readonly #points: Points;
  readonly #shown = new Map<CanvasRenderingContext2D, Uint8Array>();
  /** Called when the graphics processor draws again: paint each map once more. */
  onRestored?: () => void;

  constructor(points: Points, _options: { engine?: 'webgl' | 'cpu' } = {}) {
    this.#points = points;
  }

  /** What draws now. */
  get engine(): 'webgl' | 'cpu' {
    return 'cpu';
  }

  /** @throws RangeError for a layer of another number of cells */
  paint(view: MapView, target: CanvasRenderingContext2D): void {
    const { width, height } = view;
    if (width < 1 || height < 1) return;
    const image = new ImageData(width, height);
    paintPixels(this.#points, view, new Uint32Array(image.data.buffer));
    target.putImageData(image, 0, 0);
    this.#shown.set(target, view.layer.slots);
  }

  /** Forgets what was kept for a card that is gone. */
  release(target: CanvasRenderingContext2D): void {
    this.#shown.delete(target);
  }

  /** Of positions, index and layers that are shown; the pixels of canvases are not counted. */
  bytes(): { gpu: number; heap: number } {
    const layers = new Set(this.#shown.values());
    return { gpu: 0, heap: this.#points.bytes + layers.size * this.#points.cells };
  }

  close(): void {
    this.#shown.clear();
  }
}

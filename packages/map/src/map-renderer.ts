import type { MapView } from './map-view.ts';
import { checkLayer, paintPixels } from './paint-pixels.ts';
import type { Points } from './points.ts';
import { WebglPainter } from './webgl-painter.ts';

/**
 * Draws all maps of an embedding, each into the 2D canvas of its card: by one WebGL2 context, or on the processor where
 * there is none, where it is done in software, where it is lost, and for density, whose sums are then exact. Both draw the
 * same picture, at the upper left corner of the card's canvas, which is to have the size of the view.
 */
export class MapRenderer {
  readonly #points: Points;
  readonly #webgl: WebglPainter | undefined;
  #lost = false;
  /** Cards and the layers that they show. */
  readonly #shown = new Map<CanvasRenderingContext2D, Uint8Array>();
  /** Kept for the next picture of its size. */
  #image: ImageData | undefined;
  /** Called when the graphics processor draws again after its context was lost: paint each map once more. */
  onRestored?: () => void;

  /** @param options.engine insists on one; `webgl` then draws in software as well, where there is WebGL2 at all */
  constructor(points: Points, { engine }: { engine?: 'webgl' | 'cpu' } = {}) {
    this.#points = points;
    if (engine !== 'cpu')
      this.#webgl = WebglPainter.open(points, {
        software: engine === 'webgl',
        onChanged: (drawing) => {
          this.#lost = !drawing;
          if (drawing) this.onRestored?.();
        },
      });
  }

  /** What draws now. */
  get engine(): 'webgl' | 'cpu' {
    return this.#webgl === undefined || this.#lost ? 'cpu' : 'webgl';
  }

  /**
   * Cells to draw of each map while all of them move, so that a frame is ready in time; the view's `sample`.
   * @param maps that are drawn in one frame
   */
  sampleWhileMoving(maps: number): number {
    return Math.floor((this.engine === 'webgl' ? 1_000_000 : 200_000) / Math.max(1, maps));
  }

  /** @throws RangeError for a layer of another number of cells */
  paint(view: MapView, target: CanvasRenderingContext2D): void {
    if (view.width < 1 || view.height < 1) return;
    checkLayer(this.#points, view.layer);
    this.#shown.set(target, view.layer.slots);
    if (!view.density && this.#webgl?.paint(view, target)) return;
    const image = this.#imageOf(view);
    paintPixels(this.#points, view, new Uint32Array(image.data.buffer));
    target.putImageData(image, 0, 0);
  }

  /** Forgets what is kept for a card that is gone. */
  release(target: CanvasRenderingContext2D): void {
    this.#shown.delete(target);
    this.#webgl?.release(target);
  }

  /** Of positions, their index, and the layers that cards show; pixels of canvases are not counted. */
  bytes(): { gpu: number; heap: number } {
    const layers = new Set(this.#shown.values());
    return { gpu: this.#webgl?.bytes ?? 0, heap: this.#points.bytes + layers.size * this.#points.cells };
  }

  /** Nothing is painted afterwards. */
  close(): void {
    this.#shown.clear();
    this.#image = undefined;
    this.#webgl?.close();
  }

  #imageOf({ width, height }: MapView): ImageData {
    if (this.#image?.width !== width || this.#image.height !== height)
      this.#image = new ImageData(width, height);
    return this.#image;
  }
}

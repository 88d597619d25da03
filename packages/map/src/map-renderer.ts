import type { MapArea } from './map-area.ts';
import type { MapView } from './map-view.ts';
import { checkLayer, paintInSteps, paintPixels } from './paint-pixels.ts';
import type { Points } from './points.ts';
import { SliceQueue } from './slice-queue.ts';
import { WebglPainter } from './webgl-painter.ts';

/** Cells that the processor draws in one frame, of all maps together; the graphics processor. */
const cellsOfFrame = { cpu: 200_000, webgl: 1_000_000 };

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
  /** Kept for the next picture of its size: that of a sample, and that which comes slice by slice. */
  readonly #images = new Map<'now' | 'later', ImageData>();
  readonly #later = new SliceQueue<CanvasRenderingContext2D>();
  /** Drawn in place of all cells wherever it covers the picture, on the processor: it has few cells. */
  area: MapArea | undefined;
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
    return Math.floor(cellsOfFrame[this.engine] / Math.max(1, maps));
  }

  /**
   * More cells than the processor draws in a frame: a sample is painted at once, and all of them take its place soon, so
   * that the page is never blocked; unless another picture of the card is asked for meanwhile.
   * @param maps that are painted in the same frame
   * @throws RangeError for a layer of another number of cells
   */
  paint(view: MapView, target: CanvasRenderingContext2D, maps = 1): void {
    if (view.width < 1 || view.height < 1) return;
    checkLayer(this.#points, view.layer);
    this.#shown.set(target, view.layer.slots);
    this.#later.delete(target);
    if (this.area?.covers(view.camera, view)) {
      this.#paintPixels(this.area.points, this.area.viewOf(view, this.#points.placed), target, maps);
      return;
    }
    if (!view.density && this.#webgl?.paint(view, target)) return;
    this.#paintPixels(this.#points, view, target, maps);
  }

  #paintPixels(points: Points, view: MapView, target: CanvasRenderingContext2D, maps: number): void {
    const image = this.#imageOf('now', view);
    const atOnce = Math.floor(cellsOfFrame.cpu / maps);
    const isWhole = view.sample !== undefined || points.placed <= atOnce;
    paintPixels(points, isWhole ? view : { ...view, sample: atOnce }, new Uint32Array(image.data.buffer));
    target.putImageData(image, 0, 0);
    if (!isWhole) this.#later.add(target, this.#paintLater(points, view, target));
  }

  /** Resolves when every card shows all cells of its picture. */
  settled(): Promise<void> {
    return this.#later.idle();
  }

  /** Forgets what is kept for a card that is gone. */
  release(target: CanvasRenderingContext2D): void {
    this.#shown.delete(target);
    this.#later.delete(target);
    this.#webgl?.release(target);
  }

  /** Of positions, their index, and the layers that cards show; pixels of canvases are not counted. */
  bytes(): { gpu: number; heap: number } {
    const layers = new Set(this.#shown.values());
    return {
      gpu: this.#webgl?.bytes ?? 0,
      heap: this.#points.bytes + layers.size * this.#points.cells + (this.area?.points.bytes ?? 0),
    };
  }

  /** Nothing is painted afterwards. */
  close(): void {
    this.#shown.clear();
    this.#later.clear();
    this.#images.clear();
    this.#webgl?.close();
  }

  *#paintLater(points: Points, view: MapView, target: CanvasRenderingContext2D): Generator<void, void> {
    const image = this.#imageOf('later', view);
    yield* paintInSteps(points, view, new Uint32Array(image.data.buffer));
    target.putImageData(image, 0, 0);
  }

  #imageOf(use: 'now' | 'later', { width, height }: MapView): ImageData {
    const kept = this.#images.get(use);
    if (kept?.width === width && kept.height === height) return kept;
    const image = new ImageData(width, height);
    this.#images.set(use, image);
    return image;
  }
}

import type { MapArea } from './map-area.ts';
import type { MapView } from './map-view.ts';
import type { MapWorker } from './map-worker.ts';
import { cellsAtOnce, checkLayer, paintPixels } from './paint-pixels.ts';
import type { Points } from './points.ts';
import { WebglPainter } from './webgl-painter.ts';

/** Cells that each engine draws in one frame, over all maps that move together. */
const cellsOfFrame = { cpu: 200_000, webgl: 1_000_000 };

/**
 * Draws all maps of an embedding into the 2D canvases of their cards: with one WebGL2 context, or on the CPU if WebGL2
 * is missing, runs in software or is lost, and for density, whose sums are then exact. Both engines draw the same
 * picture, at the upper left corner of the card's canvas, which must have the size of the view.
 */
export class MapRenderer {
  readonly #points: Points;
  readonly #webgl: WebglPainter | undefined;
  #lost = false;
  readonly #shown = new Map<CanvasRenderingContext2D, Uint8Array>();
  #image: ImageData | undefined;
  readonly #worker: MapWorker | undefined;
  /** Cards that show a sample until the worker has drawn all cells of their view. */
  readonly #unfinished = new Map<CanvasRenderingContext2D, MapView>();
  #finished: Promise<void> | undefined;
  /** Drawn on the CPU instead of all cells wherever it covers the picture: it has few cells. */
  area: MapArea | undefined;
  /** Called when WebGL draws again after a lost context: repaint every map. */
  onRestored?: () => void;

  /**
   * `options.engine` forces an engine; `webgl` then also accepts software rendering, if WebGL2 exists at all.
   * `options.worker`, of the same points, draws what takes longer than a frame; without it the page does.
   */
  constructor(points: Points, { engine, worker }: { engine?: 'webgl' | 'cpu'; worker?: MapWorker } = {}) {
    this.#points = points;
    this.#worker = worker;
    if (engine !== 'cpu')
      this.#webgl = WebglPainter.open(points, {
        software: engine === 'webgl',
        onChanged: (drawing) => {
          this.#lost = !drawing;
          if (drawing) this.onRestored?.();
        },
      });
  }

  get engine(): 'webgl' | 'cpu' {
    return this.#webgl === undefined || this.#lost ? 'cpu' : 'webgl';
  }

  /**
   * Number of cells to draw per map while all move, so that a frame is ready in time; for the view's `sample`. `maps`:
   * number of maps drawn in one frame.
   */
  sampleWhileMoving(maps: number): number {
    return Math.floor(cellsOfFrame[this.engine] / Math.max(1, maps));
  }

  /**
   * With more cells than the CPU draws at once, paints a sample immediately and replaces it when the worker has drawn
   * all cells, so that the page never blocks; a newer picture of the card cancels this. `maps`: number of maps painted
   * in the same frame. Throws RangeError for a layer with another number of cells.
   */
  paint(view: MapView, target: CanvasRenderingContext2D, maps = 1): void {
    if (view.width < 1 || view.height < 1) return;
    checkLayer(this.#points, view.layer);
    this.#shown.set(target, view.layer.slots);
    this.#unfinished.delete(target);
    if (this.area?.covers(view.camera, view)) {
      this.#paintPixels(this.area.points, this.area.viewOf(view, this.#points.placed), target);
      return;
    }
    if (!view.density && this.#webgl?.paint(view, target)) return;
    const isQuick = maps * this.#points.placed <= cellsAtOnce(this.#points, view);
    const isWhole = view.sample !== undefined || isQuick || this.#worker === undefined;
    const sample = Math.floor(cellsOfFrame.cpu / maps);
    this.#paintPixels(this.#points, isWhole ? view : { ...view, sample }, target);
    if (isWhole) return;
    this.#unfinished.set(target, view);
    this.#finished ??= this.#finish(this.#worker!);
  }

  #paintPixels(points: Points, view: MapView, target: CanvasRenderingContext2D): void {
    const { width, height } = view;
    if (this.#image?.width !== width || this.#image.height !== height)
      this.#image = new ImageData(width, height);
    paintPixels(points, view, new Uint32Array(this.#image.data.buffer));
    target.putImageData(this.#image, 0, 0);
  }

  /** One card after the other, so that a view replaced meanwhile is not drawn. */
  async #finish(worker: MapWorker): Promise<void> {
    try {
      for (let next = first(this.#unfinished); next !== undefined; next = first(this.#unfinished)) {
        const [target, view] = next;
        const pixels = await worker.paint(view);
        if (this.#unfinished.get(target) !== view) continue;
        this.#unfinished.delete(target);
        const image = new ImageData(new Uint8ClampedArray(pixels.buffer), view.width, view.height);
        target.putImageData(image, 0, 0);
      }
    } catch (error) {
      // The worker was closed: the map is gone.
      if (!(error instanceof DOMException)) throw error;
    } finally {
      this.#finished = undefined;
    }
  }

  async settled(): Promise<void> {
    await this.#finished;
  }

  release(target: CanvasRenderingContext2D): void {
    this.#shown.delete(target);
    this.#unfinished.delete(target);
    this.#webgl?.release(target);
  }

  /** Bytes of positions, their index, and the layers that cards show; canvas pixels are not counted. */
  bytes(): { gpu: number; heap: number } {
    const layers = new Set(this.#shown.values());
    return {
      gpu: this.#webgl?.bytes ?? 0,
      heap: this.#points.bytes + layers.size * this.#points.cells + (this.area?.points.bytes ?? 0),
    };
  }

  close(): void {
    this.#shown.clear();
    this.#unfinished.clear();
    this.#image = undefined;
    this.#webgl?.close();
  }
}

function first<Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value] | undefined {
  return map.entries().next().value;
}

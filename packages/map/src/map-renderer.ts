import type { MapArea } from './map-area.ts';
import type { MapView } from './map-view.ts';
import type { MapWorker } from './map-worker.ts';
import { cellsAtOnce, checkLayer, paintPixels } from './paint-pixels.ts';
import type { Points } from './points.ts';
import { WebglPainter } from './webgl-painter.ts';

/** Cells that the processor draws in one frame while maps move, of all of them together; the graphics processor. */
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
  /** Kept for the next picture of its size. */
  #image: ImageData | undefined;
  readonly #worker: MapWorker | undefined;
  /** Cards that show a sample until the worker has drawn all cells of their view. */
  readonly #unfinished = new Map<CanvasRenderingContext2D, MapView>();
  #finished: Promise<void> | undefined;
  /** Drawn in place of all cells wherever it covers the picture, on the processor: it has few cells. */
  area: MapArea | undefined;
  /** Called when the graphics processor draws again after its context was lost: paint each map once more. */
  onRestored?: () => void;

  /**
   * @param options.engine insists on one; `webgl` then draws in software as well, where there is WebGL2 at all
   * @param options.worker of these points, which draws what takes longer than a frame; without it the page does
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
   * More cells than the processor draws at once: a sample is painted at once, and all of them take its place when the
   * worker has drawn them, so that the page is never blocked; unless another picture of the card is asked for meanwhile.
   * @param maps that are painted in the same frame
   * @throws RangeError for a layer of another number of cells
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

  /** One card after the other, so that a view that is replaced meanwhile is not drawn. */
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

  /** Resolves when every card shows all cells of its picture. */
  async settled(): Promise<void> {
    await this.#finished;
  }

  /** Forgets what is kept for a card that is gone. */
  release(target: CanvasRenderingContext2D): void {
    this.#shown.delete(target);
    this.#unfinished.delete(target);
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
    this.#unfinished.clear();
    this.#image = undefined;
    this.#webgl?.close();
  }
}

function first<Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value] | undefined {
  return map.entries().next().value;
}

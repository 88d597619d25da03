import type { AreaColumn, GridSquare, PositionColumn } from '@cellfolio/columns';
import type { MapColumnList } from '@cellfolio/contract';
import type { Camera, Layer, Place, Size } from '@cellfolio/map';
import { gridPlace, MapArea, MapRenderer, MapWorker, Points } from '@cellfolio/map';
import type { LoadArea, ValueSource } from './map-columns.ts';
import { flippedArea, flippedPositions, flippedSquare } from './flipped-rows.ts';
import { squareOfCamera } from './map-square.ts';
import type { MapPoint, MapStore } from './map-store.ts';

/** Milliseconds after the last movement until all cells are drawn. */
const restAfter = 120;

/** `maps`: number of maps painted in the same frame. */
type Paint = (sample: number | undefined, maps: number) => void;

/** The cells of one embedding and all maps of them on the page, which are painted in one frame. */
export class MapScene {
  readonly points: Points;
  readonly renderer: MapRenderer;
  readonly #worker: MapWorker;
  readonly #paints = new Set<Paint>();
  readonly #due = new Set<Paint>();
  readonly #sources = new Set<ValueSource>();
  readonly #unsubscribe: () => void;
  /** CSS pixels of the map painted last: zooming to cells needs the shape of a map. */
  size: Size = { width: 1, height: 1 };
  #frame = 0;
  #moving = false;
  #resting: ReturnType<typeof setTimeout> | undefined;

  readonly #column: PositionColumn;
  readonly #store: MapStore;
  readonly #loadArea: LoadArea;
  #square = '';
  #loading = new AbortController();

  constructor(column: PositionColumn, store: MapStore, loadArea: LoadArea) {
    const { positions, morton, missing, unplaced } = column.yDown ? flippedPositions(column) : column;
    this.#column = column;
    this.#store = store;
    this.#loadArea = loadArea;
    this.points = new Points(positions, { morton, missing, unplaced });
    this.#worker = new MapWorker(this.points);
    this.renderer = new MapRenderer(this.points, { worker: this.#worker });
    this.renderer.onRestored = () => this.repaint();
    let before = store.state;
    this.#unsubscribe = store.subscribe(() => {
      const { camera, selection, density } = store.state;
      if (camera !== before.camera) this.#move();
      else if (selection !== before.selection || density !== before.density) this.repaint();
      before = store.state;
    });
  }

  /** Adds a map. `repaint` paints this one alone in the next frame. */
  add(paint: Paint, target: CanvasRenderingContext2D): { repaint: () => void; remove: () => void } {
    this.#paints.add(paint);
    this.#paintSoon([paint]);
    return {
      repaint: () => this.#paintSoon([paint]),
      remove: () => {
        this.#paints.delete(paint);
        this.#due.delete(paint);
        this.renderer.release(target);
      },
    };
  }

  /** Registers the values that a map shows; returns the function to call when that map is gone. */
  shows(source: ValueSource): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  /** Genes, and columns of obs with the groups, that any map shows of a cell, so that one call answers for all maps. */
  valuesOfMaps({ obs }: MapColumnList): { genes: string[]; obs: string[] } {
    const named = (from: 'gene' | 'obs') =>
      [...this.#sources].flatMap((source) => (source.from === from ? [source.name] : []));
    const groups = obs
      .filter(({ role }) => role === 'cellType' || role === 'cluster')
      .map(({ name }) => name);
    return {
      genes: [...new Set(named('gene'))].sort(),
      obs: [...new Set([...groups, ...named('obs')])].sort(),
    };
  }

  repaint(): void {
    this.#paintSoon(this.#paints);
  }

  #paintSoon(paints: Iterable<Paint>): void {
    for (const paint of paints) this.#due.add(paint);
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const sample = this.#moving ? this.renderer.sampleWhileMoving(this.#paints.size) : undefined;
      const due = [...this.#due];
      this.#due.clear();
      for (const paint of due) paint(sample, due.length);
      if (!this.#moving) void this.#showArea();
    });
  }

  /** Map-order index of the nearest cell that a layer shows within a radius in CSS pixels; -1 without one. */
  nearest(at: Place, size: Size, radius: number, layer: Layer): number {
    const { camera } = this.#store.state;
    const points = this.#areaAt(size) ?? this.points;
    return points.nearest(at, camera, size, radius, layer);
  }

  /** Selects the cells within a polygon on the map; one bit per cell. */
  async select(polygon: Float32Array, size: Size): Promise<Uint8Array> {
    return this.#areaAt(size)?.cellsIn(polygon, this.points.cells) ?? this.#worker.select(polygon);
  }

  placeOf(cell: number): Place | undefined {
    if (cell < 0 || !this.points.isPlaced(cell)) return undefined;
    const { positions } = this.points;
    const share = (at: number) => positions[at]! / 65_535;
    return this.renderer.area?.placeOf(cell) ?? { x: share(2 * cell), y: share(2 * cell + 1) };
  }

  window(camera: Camera): { x: [low: number, high: number]; y: [low: number, high: number] } {
    const at = (place: Place) => this.pointAt(gridPlace(place, camera, this.size));
    const [upperLeft, lowerRight] = [at({ x: 0, y: 0 }), at({ x: this.size.width, y: this.size.height })];
    const [bottom, top] = [lowerRight[1], upperLeft[1]];
    return { x: [upperLeft[0], lowerRight[0]], y: bottom < top ? [bottom, top] : [top, bottom] };
  }

  pointAt({ x, y }: Place): MapPoint {
    const { origin, step, yDown } = this.#column;
    return [origin[0] + 65_535 * step * x, origin[1] + 65_535 * step * (yDown ? 1 - y : y)];
  }

  placeAt([x, y]: MapPoint): Place {
    const { origin, step, yDown } = this.#column;
    const up = (y - origin[1]) / (65_535 * step);
    return { x: (x - origin[0]) / (65_535 * step), y: yDown ? 1 - up : up };
  }

  close(): void {
    this.#unsubscribe();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#resting);
    this.#loading.abort();
    this.#worker.close();
    this.renderer.close();
  }

  #move(): void {
    this.#moving = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#moving = false;
      this.repaint();
    }, restAfter);
    this.repaint();
  }

  #areaAt(size: Size): MapArea | undefined {
    const { area } = this.renderer;
    return area?.covers(this.#store.state.camera, size) ? area : undefined;
  }

  async #areaOf(square: GridSquare, signal: AbortSignal): Promise<AreaColumn> {
    if (!this.#column.yDown) return this.#loadArea(square, signal);
    return flippedArea(await this.#loadArea(flippedSquare(square), signal));
  }

  /** Draws cells by their exact coordinates if a step of the positions is wider than a pixel of the screen. */
  async #showArea(): Promise<void> {
    const square = squareOfCamera(this.#store.state.camera, this.size, devicePixelRatio);
    const text = square === undefined ? '' : JSON.stringify(square);
    if (text === this.#square) return;
    this.#square = text;
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    try {
      const column = square && (await this.#areaOf(square, signal));
      if (signal.aborted) return;
      this.renderer.area = column && new MapArea(column, column.places, column.positions);
      this.repaint();
    } catch (error) {
      if (signal.aborted) return;
      // It is asked for again when the map moves.
      this.#square = '';
      console.warn('The exact positions of these cells could not be loaded.', error);
    }
  }
}

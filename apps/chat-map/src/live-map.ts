import {
  type Camera,
  cameraOf,
  fit,
  gridPlace,
  type Layer,
  MapRenderer,
  pan,
  type Place,
  Points,
  type Size,
  zoomAt,
} from '@cellfolio/map';
import { byId, bytesOfColor } from './page.ts';

/** Radius in pixels within which a point is under the pointer. */
const reach = 8;
const zoomStep = 1.5;
/** Pixels that an arrow key moves the map. */
const keyStep = 40;

interface LiveMapEvents {
  /** The point under the pointer, -1 for none. */
  onHover: (point: number, at: Place) => void;
  /** One bit a point; undefined when nothing is encircled any longer. */
  onSelect: (bits: Uint8Array | undefined) => void;
}

/** The canvas of the map with its camera and gestures. */
export class LiveMap {
  readonly #points: Points;
  readonly #renderer: MapRenderer;
  readonly #canvas = byId<HTMLCanvasElement>('map');
  readonly #context = this.#canvas.getContext('2d')!;
  readonly #events: LiveMapEvents;
  #layer: Layer;
  #camera: Camera = fit();
  #selection: Uint8Array | undefined;
  #isLasso = false;
  #path: Place[] = [];
  #before: Place | undefined;
  #frame = 0;

  constructor(positions: Uint16Array, layer: Layer, events: LiveMapEvents) {
    this.#points = new Points(positions, { morton: false, missing: 0 });
    this.#renderer = new MapRenderer(this.#points);
    this.#renderer.onRestored = () => this.#paintSoon();
    this.#layer = layer;
    this.#events = events;
    new ResizeObserver(() => this.#paintSoon()).observe(this.#canvas);
    this.#listen();
    this.showAll();
  }

  setLayer(layer: Layer): void {
    this.#layer = layer;
    this.#paintSoon();
  }

  setLasso(isLasso: boolean): void {
    this.#isLasso = isLasso;
    this.#canvas.classList.toggle('lasso', isLasso);
  }

  showAll(): void {
    const bounds = this.#points.boundsOf();
    this.#moveTo(bounds === undefined ? fit() : cameraOf(bounds, this.#size()));
  }

  zoom(factor: number, at?: Place): void {
    const size = this.#size();
    this.#moveTo(zoomAt(this.#camera, factor, at ?? { x: size.width / 2, y: size.height / 2 }, size));
  }

  #moveTo(camera: Camera): void {
    this.#camera = camera;
    this.#paintSoon();
  }

  /** CSS pixels. */
  #size(): Size {
    return { width: this.#canvas.clientWidth || 1, height: this.#canvas.clientHeight || 1 };
  }

  #paintSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const { width, height } = this.#size();
      const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
      if (this.#canvas.width !== across || this.#canvas.height !== down)
        Object.assign(this.#canvas, { width: across, height: down });
      const view = {
        camera: this.#camera,
        layer: this.#layer,
        width: across,
        height: down,
        density: false,
        background: bytesOfColor(getComputedStyle(this.#canvas).backgroundColor),
        ...(this.#selection && { selection: this.#selection }),
      };
      this.#renderer.paint(view, this.#context);
    });
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.#before = placeOf(event);
      this.#path = [placeOf(event)];
    });
    canvas.addEventListener('pointermove', (event) => this.#onMove(placeOf(event)));
    canvas.addEventListener('pointerup', () => this.#onUp());
    canvas.addEventListener('pointercancel', () => this.#endDrag());
    canvas.addEventListener('pointerleave', () => this.#events.onHover(-1, { x: 0, y: 0 }));
    // Without a key the wheel scrolls the chat.
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(2 ** (-event.deltaY / 200), placeOf(event));
      },
      { passive: false },
    );
    canvas.addEventListener('keydown', (event) => {
      const act = this.#keys.get(event.key);
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  readonly #keys: ReadonlyMap<string, () => void> = new Map([
    ['+', () => this.zoom(zoomStep)],
    ['-', () => this.zoom(1 / zoomStep)],
    ['0', () => this.showAll()],
    ['ArrowLeft', () => this.#panBy(keyStep, 0)],
    ['ArrowRight', () => this.#panBy(-keyStep, 0)],
    ['ArrowUp', () => this.#panBy(0, keyStep)],
    ['ArrowDown', () => this.#panBy(0, -keyStep)],
    ['Escape', () => this.#select(undefined)],
  ]);

  #panBy(x: number, y: number): void {
    this.#moveTo(pan(this.#camera, { x, y }, this.#size()));
  }

  #onMove(at: Place): void {
    if (this.#before === undefined) {
      const point = this.#points.nearest(at, this.#camera, this.#size(), reach, this.#layer);
      this.#events.onHover(point, at);
      return;
    }
    if (this.#isLasso) {
      this.#path.push(at);
      this.#showPath();
      return;
    }
    this.#panBy(at.x - this.#before.x, at.y - this.#before.y);
    this.#before = at;
  }

  #onUp(): void {
    if (this.#before === undefined) return;
    const corners = this.#path.map((at) => gridPlace(at, this.#camera, this.#size()));
    const isLasso = this.#isLasso;
    this.#endDrag();
    if (!isLasso) return;
    if (corners.length < 3) return this.#select(undefined);
    this.#select(this.#points.cellsIn(Float32Array.from(corners.flatMap(({ x, y }) => [x, y]))));
  }

  #endDrag(): void {
    this.#before = undefined;
    this.#path = [];
    this.#showPath();
  }

  #showPath(): void {
    byId<SVGPolygonElement>('path').setAttribute(
      'points',
      this.#path.map(({ x, y }) => `${x},${y}`).join(' '),
    );
  }

  /** Points that the layer hides are not selected. */
  #select(bits: Uint8Array | undefined): void {
    const { slots, palette } = this.#layer;
    if (bits !== undefined)
      slots.forEach((slot, at) => {
        if (palette[4 * slot + 3] === 0) bits[at >> 3]! &= ~(1 << (at & 7));
      });
    this.#selection = bits;
    this.#paintSoon();
    this.#events.onSelect(bits);
  }
}

function placeOf({ offsetX, offsetY }: MouseEvent): Place {
  return { x: offsetX, y: offsetY };
}

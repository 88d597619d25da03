import { type Camera, gridPlace, type Place, type Size } from './camera.ts';
import { type Layer, type MapView, diameterOf } from './map-view.ts';
import { Points } from './points.ts';

const largest = 65_535;

interface Square {
  left: number;
  bottom: number;
  side: number;
}

/**
 * Cells in a square of the map, on a separate grid of 65,536 × 65,536: they are drawn, searched and selected instead of
 * all cells where a step of the map's grid is wider than a pixel.
 */
export class MapArea {
  readonly #square: Square;
  /** Places in map order, rising. */
  readonly #places: Uint32Array;
  readonly points: Points;
  /** Slots and selections of these cells, keyed by those of all cells. */
  readonly #picked = new WeakMap<Uint8Array, Uint8Array>();

  /**
   * `places` of the cells, rising. `positions`: x0, y0, x1, y1, … in steps of the map's grid from the lower left corner
   * of the square.
   */
  constructor(square: Square, places: Uint32Array, positions: Float32Array) {
    this.#square = square;
    this.#places = places;
    const fine = (steps: number) => Math.round((steps / square.side) * largest);
    // Cells on the rim may lie half a step beyond it.
    const within = (position: number) => Math.min(largest, Math.max(0, position));
    this.points = new Points(
      Uint16Array.from(positions, (steps) => within(fine(steps))),
      { morton: false, missing: 0 },
    );
  }

  /** Whether the visible part of the map is inside: then there are no other cells to see. */
  covers(camera: Camera, size: Size): boolean {
    const upperLeft = gridPlace({ x: 0, y: 0 }, camera, size);
    const lowerRight = gridPlace({ x: size.width, y: size.height }, camera, size);
    return this.#holds(upperLeft) && this.#holds(lowerRight);
  }

  /**
   * Returns the view of these cells alone that looks like `view`. `cells`: those of the map with a position, which
   * determine their size.
   */
  viewOf(view: MapView, cells: number): MapView {
    const { selection } = view;
    return {
      ...view,
      camera: this.#cameraOf(view.camera),
      layer: this.#layerOf(view.layer),
      pointSize: diameterOf(view, cells),
      ...(selection && { selection: this.#selectionOf(selection) }),
    };
  }

  nearest(at: Place, camera: Camera, size: Size, radius: number, layer: Layer): number {
    const nearestPoint = this.points.nearest(at, this.#cameraOf(camera), size, radius, this.#layerOf(layer));
    return nearestPoint < 0 ? -1 : this.#places[nearestPoint]!;
  }

  /**
   * `polygon`: in [0, 1]² of the map. Returns one bit for each of all `cells`, like `cellsIn` of `Points`; undefined if
   * the polygon reaches beyond the area.
   */
  cellsIn(polygon: Float32Array, cells: number): Uint8Array | undefined {
    const own = new Float32Array(polygon.length);
    for (let at = 0; at < polygon.length; at += 2) {
      const corner = { x: polygon[at]!, y: polygon[at + 1]! };
      if (!this.#holds(corner)) return undefined;
      const { x, y } = this.#own(corner);
      own.set([x, y], at);
    }
    const bits = new Uint8Array(Math.ceil(cells / 8));
    this.points.cellsIn(own).forEach((byte, start) => {
      for (let bit = 0; bit < 8; bit++) {
        if (!((byte >> bit) & 1)) continue;
        const cell = this.#places[8 * start + bit]!;
        bits[cell >> 3]! |= 1 << (cell & 7);
      }
    });
    return bits;
  }

  /** Place of a cell on the map, in [0, 1]²; undefined if it is not in the area. */
  placeOf(cell: number): Place | undefined {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#places[middle]! < cell) low = middle + 1;
      else high = middle;
    }
    if (this.#places[low] !== cell) return undefined;
    const { left, bottom, side } = this.#square;
    const { positions } = this.points;
    return {
      x: (left + (side * positions[2 * low]!) / largest) / largest,
      y: (bottom + (side * positions[2 * low + 1]!) / largest) / largest,
    };
  }

  #own({ x, y }: Place): Place {
    const { left, bottom, side } = this.#square;
    return { x: (x * largest - left) / side, y: (y * largest - bottom) / side };
  }

  #holds(place: Place): boolean {
    const within = (share: number) => Math.min(1, Math.max(0, share));
    const { x, y } = this.#own({ x: within(place.x), y: within(place.y) });
    return x >= 0 && y >= 0 && x <= 1 && y <= 1;
  }

  #cameraOf(camera: Camera): Camera {
    return { ...this.#own(camera), zoom: (camera.zoom * this.#square.side) / largest };
  }

  #layerOf(layer: Layer): Layer {
    const { slots } = layer;
    const own = this.#picked.get(slots) ?? Uint8Array.from(this.#places, (cell) => slots[cell]!);
    this.#picked.set(slots, own);
    return { ...layer, slots: own };
  }

  #selectionOf(bits: Uint8Array): Uint8Array {
    const cached = this.#picked.get(bits);
    if (cached !== undefined) return cached;
    const own = new Uint8Array(Math.ceil(this.#places.length / 8));
    this.#places.forEach((cell, at) => (own[at >> 3]! |= ((bits[cell >> 3]! >> (cell & 7)) & 1) << (at & 7)));
    this.#picked.set(bits, own);
    return own;
  }
}

import type { Points } from './points.ts';
import { strideOf } from './shuffled-order.ts';

/** Cells shuffled at a time: bounds the copy made for the upload. */
const chunk = 65_536;

interface Uploaded {
  readonly buffer: WebGLBuffer;
  readonly users: Set<CanvasRenderingContext2D>;
}

/**
 * GPU buffers of the cells, in shuffled order: positions (4 bytes per cell), one byte per cell for each layer that a
 * card shows, and one for the selection. A card that switches layers returns the buffer of its last one, so memory does
 * not grow with the number of layers viewed.
 */
export class CellBuffers {
  readonly #gl: WebGL2RenderingContext;
  readonly #points: Points;
  /** Cells with a position; no others are uploaded. */
  readonly cells: number;
  readonly positions: WebGLBuffer;
  readonly #layers = new Map<Uint8Array, Uploaded>();
  #selection: { bits: Uint8Array; buffer: WebGLBuffer } | undefined;

  constructor(gl: WebGL2RenderingContext, points: Points) {
    this.#gl = gl;
    this.#points = points;
    const { positions, placed } = points;
    this.cells = placedCells(points);
    // Both coordinates of a cell at once.
    const pairs =
      positions.byteOffset % 4 === 0
        ? new Uint32Array(positions.buffer, positions.byteOffset, placed)
        : new Uint32Array(positions.slice(0, 2 * placed).buffer);
    this.positions = this.#allocate(4 * this.cells);
    this.#upload(Uint32Array, (cell) => pairs[cell]!);
  }

  get bytes(): number {
    return this.cells * (4 + this.#layers.size + (this.#selection === undefined ? 0 : 1));
  }

  layer(slots: Uint8Array, target: CanvasRenderingContext2D): WebGLBuffer {
    const entry = this.#layers.get(slots);
    if (entry?.users.has(target)) return entry.buffer;
    const free = this.#leave(target, entry === undefined);
    if (entry !== undefined) {
      entry.users.add(target);
      return entry.buffer;
    }
    const buffer = free ?? this.#allocate(this.cells);
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#upload(Uint8Array, (cell) => slots[cell]!);
    this.#layers.set(slots, { buffer, users: new Set([target]) });
    return buffer;
  }

  selection(bits: Uint8Array): WebGLBuffer {
    if (this.#selection?.bits === bits) return this.#selection.buffer;
    const buffer = this.#selection?.buffer ?? this.#allocate(this.cells);
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#upload(Uint8Array, (cell) => (bits[cell >> 3]! >> (cell & 7)) & 1);
    this.#selection = { bits, buffer };
    return buffer;
  }

  release(target: CanvasRenderingContext2D): void {
    this.#leave(target, false);
  }

  /** Returns a buffer that is no longer used if one is wanted; otherwise deletes it. */
  #leave(target: CanvasRenderingContext2D, reuse: boolean): WebGLBuffer | undefined {
    for (const [slots, { buffer, users }] of this.#layers) {
      if (!users.delete(target) || users.size > 0) continue;
      this.#layers.delete(slots);
      if (reuse) return buffer;
      this.#gl.deleteBuffer(buffer);
    }
    return undefined;
  }

  #allocate(bytes: number): WebGLBuffer {
    const buffer = this.#gl.createBuffer();
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, bytes, this.#gl.DYNAMIC_DRAW);
    return buffer;
  }

  #upload(Kind: typeof Uint8Array | typeof Uint32Array, valueOf: (cell: number) => number): void {
    const { placed } = this.#points;
    const stride = strideOf(placed);
    const part = new Kind(Math.min(chunk, this.cells));
    let cell = 0;
    for (let start = 0; start < this.cells; start += part.length) {
      const length = Math.min(part.length, this.cells - start);
      for (let k = 0; k < length;) {
        if (this.#points.isPlaced(cell)) part[k++] = valueOf(cell);
        cell += stride;
        if (cell >= placed) cell -= placed;
      }
      this.#gl.bufferSubData(this.#gl.ARRAY_BUFFER, start * part.BYTES_PER_ELEMENT, part, 0, length);
    }
  }
}

function placedCells(points: Points): number {
  if (points.unplaced === undefined) return points.placed;
  let cells = 0;
  for (let cell = 0; cell < points.placed; cell++) if (points.isPlaced(cell)) cells++;
  return cells;
}

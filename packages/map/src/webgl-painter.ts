import { pixelsOfGrid } from './camera.ts';
import { type MapView, diameterOf, dimmedPalette } from './map-view.ts';
import { outsideSlot } from './slot-palettes.ts';
import type { Points } from './points.ts';
import { drawnCells, strideOf } from './shuffled-order.ts';

interface Prepared extends PointProgram {
  buffers: CellBuffers;
}

/** One WebGL2 context on a hidden canvas: each picture is copied at once into the canvas of its card. */
export class WebglPainter {
  readonly #points: Points;
  readonly #gl: WebGL2RenderingContext;
  readonly #heard = new AbortController();
  /** Absent while the context is lost. */
  #prepared: Prepared | undefined;

  /**
   * Returns undefined if WebGL2 is missing or does not work. `software`: also accept software WebGL, which takes 30
   * times as long as the CPU painter. `onChanged`: called when the context is lost, and when everything has been
   * uploaded again.
   */
  static open(
    points: Points,
    options: { software: boolean; onChanged: (drawing: boolean) => void },
  ): WebglPainter | undefined {
    const gl = document.createElement('canvas').getContext('webgl2', {
      alpha: false,
      antialias: false,
      depth: false,
      powerPreference: 'high-performance',
    });
    if (gl === null) return undefined;
    try {
      if (options.software || !isSoftware(gl)) return new WebglPainter(points, gl, options.onChanged);
    } catch {
      // A driver that does not know its own language: the processor draws.
    }
    loseContext(gl);
    return undefined;
  }

  private constructor(points: Points, gl: WebGL2RenderingContext, onChanged: (drawing: boolean) => void) {
    this.#points = points;
    this.#gl = gl;
    this.#prepared = this.#prepare();
    const canvas = gl.canvas as HTMLCanvasElement;
    const { signal } = this.#heard;
    const lost = (event: Event) => {
      // Without this it is not restored.
      event.preventDefault();
      this.#prepared = undefined;
      onChanged(false);
    };
    const restored = () => {
      this.#prepared = this.#prepare();
      onChanged(true);
    };
    canvas.addEventListener('webglcontextlost', lost, { signal });
    canvas.addEventListener('webglcontextrestored', restored, { signal });
  }

  /** Bytes of buffers and the palette; canvas pixels are not counted. */
  get bytes(): number {
    return this.#prepared === undefined ? 0 : this.#prepared.buffers.bytes + 2048;
  }

  /** Returns false, without drawing, while the context is lost. */
  paint(view: MapView, target: CanvasRenderingContext2D): boolean {
    const gl = this.#gl;
    if (this.#prepared === undefined || gl.isContextLost()) return false;
    const { width, height } = view;
    const { canvas } = gl;
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    const diameter = diameterOf(view, this.#points.placed);
    gl.viewport(-diameter, -diameter, width + 2 * diameter, height + 2 * diameter);
    gl.scissor(0, 0, width, height);
    const [red, green, blue] = view.background;
    gl.clearColor(red / 255, green / 255, blue / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.#setUniforms(view, this.#prepared, diameter);
    this.#setPalette(view);
    this.#bindCells(view, target, this.#prepared.buffers);
    const count = drawnCells(this.#prepared.buffers.cells, view.sample);
    const drawsOutside = view.layer.palette[4 * outsideSlot + 3] !== 0;
    if (drawsOutside || view.selection !== undefined) this.#drawPass(0, count);
    this.#drawPass(1, count);
    if (view.layer.onTopFrom !== undefined) this.#drawPass(2, count);
    target.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height);
    return true;
  }

  release(target: CanvasRenderingContext2D): void {
    this.#prepared?.buffers.release(target);
  }

  close(): void {
    this.#heard.abort();
    this.#prepared = undefined;
    loseContext(this.#gl);
  }

  /** Undefined if the context is lost again meanwhile. */
  #prepare(): Prepared | undefined {
    const gl = this.#gl;
    if (gl.isContextLost()) return undefined;
    const program = linkPointProgram(gl);
    const buffers = new CellBuffers(gl, this.#points);
    gl.useProgram(program.program);
    gl.enable(gl.SCISSOR_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return { ...program, buffers };
  }

  #setUniforms(view: MapView, { uniforms }: Prepared, diameter: number): void {
    const gl = this.#gl;
    const { camera, layer, width, height } = view;
    gl.uniform2f(uniforms.centre, camera.x * 65_535, camera.y * 65_535);
    gl.uniform1f(uniforms.scale, pixelsOfGrid(camera, view) / 65_535);
    gl.uniform2f(uniforms.size, width, height);
    gl.uniform1f(uniforms.diameter, diameter);
    gl.uniform1f(uniforms.onTopFrom, layer.onTopFrom ?? 256);
    gl.uniform1i(uniforms.palette, 0);
  }

  #setPalette({ layer, background }: MapView): void {
    const gl = this.#gl;
    for (const [row, palette] of [layer.palette, dimmedPalette(layer.palette, background)].entries())
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, 256, 1, gl.RGBA, gl.UNSIGNED_BYTE, palette);
  }

  #bindCells(view: MapView, target: CanvasRenderingContext2D, buffers: CellBuffers): void {
    const gl = this.#gl;
    const bind = (at: number, buffer: WebGLBuffer, parts: number, kind: number) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, parts, kind, false, 0, 0);
    };
    bind(0, buffers.positions, 2, gl.UNSIGNED_SHORT);
    bind(1, buffers.layer(view.layer.slots, target), 1, gl.UNSIGNED_BYTE);
    if (view.selection === undefined) {
      gl.disableVertexAttribArray(2);
      gl.vertexAttrib1f(2, 1);
    } else bind(2, buffers.selection(view.selection), 1, gl.UNSIGNED_BYTE);
  }

  #drawPass(pass: number, count: number): void {
    const { uniforms } = this.#prepared!;
    this.#gl.uniform1i(uniforms.pass, pass);
    this.#gl.drawArrays(this.#gl.POINTS, 0, count);
  }
}

/** Whether WebGL runs in software. Firefox reports it without the extension. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const named = gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER;
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(named)));
}

/** Frees the context at once: a page may have 16, so a closed one must not wait for the garbage collector. */
function loseContext(gl: WebGL2RenderingContext): void {
  gl.getExtension('WEBGL_lose_context')?.loseContext();
}

const vertexSource = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec2 position; // 0 to 65,535
layout(location = 1) in float slot;
layout(location = 2) in float selected;
uniform vec2 centre; // of the camera, 0 to 65,535
uniform float scale; // pixels a step
uniform vec2 size; // of the picture
uniform float diameter;
uniform float onTopFrom;
uniform int pass; // 0: outside or not selected, 1: the rest, 2: on top
uniform sampler2D palette; // two rows of 256: selected, not selected
flat out vec4 colour;
void main() {
  bool dimmed = selected < 0.5;
  int own = dimmed || slot == 255.0 ? 0 : slot >= onTopFrom ? 2 : 1;
  colour = texelFetch(palette, ivec2(int(slot), dimmed ? 1 : 0), 0);
  if (own != pass || colour.a == 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  vec2 place = size * 0.5 + (position - centre) * vec2(scale, -scale);
  place = mod(diameter, 2.0) == 1.0 ? floor(place) + 0.5 : floor(place + 0.5);
  // The viewport reaches a diameter beyond the picture: points are dropped when their centre is outside of it.
  vec2 clip = (place + diameter) / (size + 2.0 * diameter) * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
  gl_PointSize = diameter;
}`;

const fragmentSource = `#version 300 es
precision highp float;
flat in vec4 colour;
uniform float diameter;
out vec4 result;
void main() {
  float distance = length(gl_PointCoord - 0.5) * diameter;
  float covered = diameter <= 2.0 ? 1.0 : clamp(diameter * 0.5 + 0.5 - distance, 0.0, 1.0);
  float alpha = floor(covered * 255.0 + 0.5) / 255.0 * colour.a;
  if (alpha == 0.0) discard;
  result = vec4(colour.rgb * alpha, alpha);
}`;

const names = ['centre', 'scale', 'size', 'diameter', 'onTopFrom', 'pass', 'palette'] as const;

interface PointProgram {
  program: WebGLProgram;
  uniforms: Readonly<Record<(typeof names)[number], WebGLUniformLocation | null>>;
}

/** Throws Error with the driver's log if the shaders do not link. */
function linkPointProgram(gl: WebGL2RenderingContext): PointProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertexSource],
    [gl.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(`The shaders of the map do not link: ${gl.getProgramInfoLog(program) ?? ''}`);
  const located = names.map((name) => [name, gl.getUniformLocation(program, name)] as const);
  return { program, uniforms: Object.fromEntries(located) as PointProgram['uniforms'] };
}

/** Cells shuffled at a time: bounds the copy made for the upload. */
const chunk = 65_536;

interface Uploaded {
  buffer: WebGLBuffer;
  users: Set<CanvasRenderingContext2D>;
}

/**
 * GPU buffers of the cells, in shuffled order: positions (4 bytes per cell), one byte per cell for each layer that a
 * card shows, and one for the selection. A card that switches layers returns the buffer of its last one, so memory does
 * not grow with the number of layers viewed.
 */
class CellBuffers {
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

import { pixelsOfGrid } from './camera.ts';
import { CellBuffers } from './cell-buffers.ts';
import { type MapView, diameterOf, dimmedPalette } from './map-view.ts';
import { outsideSlot } from './slot-palettes.ts';
import type { Points } from './points.ts';
import { drawnCells } from './shuffled-order.ts';
import { linkPointProgram, type PointProgram } from './webgl-program.ts';

interface Prepared extends PointProgram {
  readonly buffers: CellBuffers;
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

import type { BannerCells } from './banner-cells.ts';
import type { CloudColours } from './cloud-colours.ts';
import { fragmentShader, vertexShader } from './cloud-shaders.ts';

/** What the cells are coloured by: a gene by its place, or `null` for the cell type. */
export type Colouring = number | null;

export interface CloudFrame {
  /** Seconds. */
  time: number;
  from: Colouring;
  to: Colouring;
  /** How far the colours are from one to the other, 0 to 1. */
  blend: number;
}

export interface CloudDrawing {
  /** No more frames than this are worth their work: seconds from one to the next. */
  readonly shortestInterval: number;
  /** Of the canvas for one of the page, across and down, at most. */
  readonly mostPixels: number;
  draw: (frame: CloudFrame) => void;
  setColours: (colours: CloudColours) => void;
}

/** Draws on the graphics processor; `null` where there is none, or only one that is imitated. */
export function createCloudDrawing(canvas: HTMLCanvasElement, cells: BannerCells): CloudDrawing | null {
  if (isImitated()) return null;
  const gl = canvas.getContext('webgl', { antialias: false, premultipliedAlpha: true });
  const program = gl && linked(gl);
  if (!gl || !program) return null;
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  const buffer = (values: Uint16Array | Uint8Array) => {
    const made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    return made;
  };
  const attach = (
    name: string,
    made: WebGLBuffer,
    layout: { size: number; type: number; scaled: boolean },
  ) => {
    const at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, layout.size, layout.type, layout.scaled, 0, 0);
  };
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const [time, blend, size, scale, byType] = ['time', 'blend', 'size', 'scale', 'byType'].map(uniform);

  attach('place', buffer(cells.places), { size: 2, type: gl.UNSIGNED_SHORT, scaled: true });
  attach('cellType', buffer(cells.types), { size: 1, type: gl.UNSIGNED_BYTE, scaled: false });
  const levels = cells.expression.map(buffer);
  const attachLevel = (name: string, colouring: Colouring) => {
    const made = levels[colouring ?? 0];
    if (made) attach(name, made, { size: 1, type: gl.UNSIGNED_BYTE, scaled: true });
  };

  return {
    shortestInterval: 1 / 60,
    mostPixels: 2,
    setColours({ types, ramp }) {
      gl.uniform3fv(uniform('typeColours'), types.flat());
      gl.uniform3fv(uniform('ramp'), ramp.flat());
    },
    draw(frame) {
      const { width, height } = canvas;
      const side = Math.min(width, height);
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      attachLevel('fromLevel', frame.from);
      attachLevel('toLevel', frame.to);
      gl.uniform1f(time ?? null, frame.time);
      gl.uniform1f(blend ?? null, frame.blend);
      // Cells as large as those of a figure of this size.
      gl.uniform1f(size ?? null, Math.max(3, side / 130));
      gl.uniform2f(scale ?? null, (0.95 * side) / width, (0.95 * side) / height);
      gl.uniform2f(byType ?? null, Number(frame.from === null), Number(frame.to === null));
      gl.drawArrays(gl.POINTS, 0, cells.count);
    },
  };
}

/** Browsers name the programs that stand in for a missing processor; asked on another canvas, which then is let go. */
function isImitated(): boolean {
  const gl = document
    .createElement('canvas')
    .getContext('webgl', { antialias: false, failIfMajorPerformanceCaveat: true });
  if (gl === null) return true;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}

function linked(gl: WebGLRenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) === true ? program : null;
}

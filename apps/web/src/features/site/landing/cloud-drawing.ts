import { bannerFacts } from './banner-cells.ts';
import type { BannerCells } from './banner-cells.ts';

/** Index of the gene that colours the cells, or `null` for the cell type. */
export type Colouring = number | null;

export interface CloudFrame {
  /** Seconds. */
  time: number;
  from: Colouring;
  to: Colouring;
  /** Progress from one colouring to the next, 0 to 1. */
  blend: number;
}

export interface CloudDrawing {
  /** Minimum seconds between two frames; more frames are not worth their work. */
  shortestInterval: number;
  maxPixelRatio: number;
  draw: (frame: CloudFrame) => void;
  setColours: (colours: CloudColours) => void;
}

export function createCloudDrawing(canvas: HTMLCanvasElement, cells: BannerCells): CloudDrawing | null {
  if (isImitated()) return null;
  const gl = canvas.getContext('webgl', { antialias: false, premultipliedAlpha: true });
  const program = gl && linked(gl);
  if (!gl || !program) return null;
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  const buffer = (values: Uint16Array | Uint8Array) => {
    const glBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, glBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    return glBuffer;
  };
  const attach = (
    name: string,
    glBuffer: WebGLBuffer,
    layout: { size: number; type: number; scaled: boolean },
  ) => {
    const at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, glBuffer);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, layout.size, layout.type, layout.scaled, 0, 0);
  };
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const [time, blend, size, scale, byType] = ['time', 'blend', 'size', 'scale', 'byType'].map(uniform);

  attach('place', buffer(cells.places), { size: 2, type: gl.UNSIGNED_SHORT, scaled: true });
  attach('cellType', buffer(cells.types), { size: 1, type: gl.UNSIGNED_BYTE, scaled: false });
  const levels = cells.expression.map(buffer);
  const attachLevel = (name: string, colouring: Colouring) => {
    const level = levels[colouring ?? 0];
    if (level) attach(name, level, { size: 1, type: gl.UNSIGNED_BYTE, scaled: true });
  };

  return {
    shortestInterval: 1 / 60,
    maxPixelRatio: 2,
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

/** Detects software renderers by the name that browsers give them; uses another canvas, which is then released. */
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

const vertexShader = `
attribute vec2 place;
attribute float cellType;
attribute float fromLevel;
attribute float toLevel;
uniform float time;
uniform float blend;
uniform mediump float size;
uniform vec2 scale;
uniform vec2 byType;
uniform vec3 typeColours[10];
uniform vec3 ramp[6];
varying vec3 colour;

vec3 ofLevel(float level) {
  if (level <= 0.0) return ramp[0];
  float at = 1.0 + level * 4.0;
  int low = int(min(floor(at), 4.0));
  return mix(ramp[low], ramp[low + 1], at - float(low));
}

void main() {
  vec2 p = place * 2.0 - 1.0;
  vec2 drift = 0.011 * vec2(
    sin(time * 0.35 + p.y * 2.1) + 0.5 * sin(time * 0.23 + p.x * 3.7),
    cos(time * 0.31 + p.x * 1.9) + 0.5 * cos(time * 0.27 + p.y * 2.9)
  );
  float own = fract(place.x * 917.3 + place.y * 531.7) * 6.2832;
  drift += 0.0032 * vec2(cos(time * 0.8 + own), sin(time * 0.7 + own * 1.7));
  float turn = 0.04 * sin(time * 0.11);
  p = mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * p + drift;
  gl_Position = vec4(p * scale, 0.0, 1.0);
  gl_PointSize = size;
  vec3 typeColour = typeColours[int(cellType)];
  vec3 before = mix(ofLevel(fromLevel), typeColour, byType.x);
  vec3 after = mix(ofLevel(toLevel), typeColour, byType.y);
  colour = mix(before, after, blend);
}`;

const fragmentShader = `
precision mediump float;
uniform mediump float size;
varying vec3 colour;

void main() {
  float inside = (0.5 - length(gl_PointCoord - 0.5)) * size;
  float alpha = clamp(inside, 0.0, 1.0) * 0.92;
  gl_FragColor = vec4(colour * alpha, alpha);
}`;

/** Red, green and blue, 0 to 1. */
export type Colour = readonly [number, number, number];

export interface CloudColours {
  types: readonly Colour[];
  /** No expression, then five steps from low to high. */
  ramp: readonly Colour[];
}

/**
 * Colours of the current theme. The data colours are made for white, so they are lightened a little on dark surfaces.
 */
export function cloudColours(): CloudColours {
  const style = getComputedStyle(document.documentElement);
  const dark = document.documentElement.classList.contains('dark');
  const none = parsed(style.getPropertyValue(dark ? '--surface-3' : '--cloud-none'));
  const ramp = dark ? bannerFacts.ramp.toReversed() : bannerFacts.ramp;
  return {
    types: bannerFacts.cellTypes.map((type) => {
      const colour = parsed(style.getPropertyValue(`--cell-${type}`));
      return dark ? lifted(colour, 0.3) : colour;
    }),
    // On a dark surface what is bright is much.
    ramp: [none, ...ramp.map((hex) => (dark ? lifted(parsed(hex), 0.16) : parsed(hex)))],
  };
}

function parsed(hex: string): Colour {
  const value = Number.parseInt(hex.trim().slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

function lifted([r, g, b]: Colour, share: number): Colour {
  return [r + (1 - r) * share, g + (1 - g) * share, b + (1 - b) * share];
}

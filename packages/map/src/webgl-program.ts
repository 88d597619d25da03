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

export interface PointProgram {
  readonly program: WebGLProgram;
  readonly uniforms: Readonly<Record<(typeof names)[number], WebGLUniformLocation | null>>;
}

/** Throws Error with the driver's log if the shaders do not link. */
export function linkPointProgram(gl: WebGL2RenderingContext): PointProgram {
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

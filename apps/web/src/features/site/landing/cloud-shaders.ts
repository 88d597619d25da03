/** One point a cell. It drifts with its neighbours, a little on its own, and its colour goes from one to the next. */
export const vertexShader = `
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

export const fragmentShader = `
precision mediump float;
uniform mediump float size;
varying vec3 colour;

void main() {
  float inside = (0.5 - length(gl_PointCoord - 0.5)) * size;
  float alpha = clamp(inside, 0.0, 1.0) * 0.92;
  gl_FragColor = vec4(colour * alpha, alpha);
}`;

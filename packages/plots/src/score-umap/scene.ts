import type { ScoreUmapSpec } from '../drawing/figure.ts';
import { barScatterScene } from '../drawing/scene/bar-scatter-scene.ts';
import type { Scene } from '../drawing/scene/scene.ts';

/** Points, colour bar with its unit and a line where zero lies, arrows and heading. */
export function scoreUmapScene(spec: ScoreUmapSpec): Scene {
  const { domain, colours, unit } = spec;
  return barScatterScene(spec, { ...domain, ramp: colours.ramp, unit, marksZero: true }, 'semibold');
}

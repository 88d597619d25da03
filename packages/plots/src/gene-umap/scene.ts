import type { GeneUmapSpec } from '../drawing/figure.ts';
import { barScatterScene } from '../drawing/scene/bar-scatter-scene.ts';
import type { Scene } from '../drawing/scene/scene.ts';

/** Points, colour bar with its unit and a swatch for zero, arrows and heading. */
export function geneUmapScene(spec: GeneUmapSpec): Scene {
  const { low, high, clipped, clippedLow = false } = spec.domain;
  const { ramp, zero } = spec.colours;
  return barScatterScene(
    spec,
    {
      low,
      high,
      clippedLow,
      clippedHigh: clipped,
      ramp,
      unit: spec.unit,
      ...(low >= 0 && { zeroSwatch: zero }),
    },
    'semibold-italic',
  );
}

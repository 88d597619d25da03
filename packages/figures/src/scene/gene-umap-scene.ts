import type { GeneUmapSpec } from '../figure.ts';
import { barScatterScene } from './bar-scatter-scene.ts';
import type { Scene } from './scene.ts';

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

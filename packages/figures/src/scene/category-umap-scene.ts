import type { CategoryUmapSpec } from '../figure.ts';
import { axisArrows } from './axis-arrows.ts';
import { heading } from './heading.ts';
import { legendLayout } from './legend-layout.ts';
import type { Scene } from './scene.ts';

/** Points, legend, arrows and heading. */
export function categoryUmapScene(spec: CategoryUmapSpec): Scene {
  const { panel, marks } = legendLayout(spec);
  return {
    ...spec.size,
    description: `${spec.title} on ${spec.axes.join(' and ')} of ${spec.datasetName}: ${spec.summary}`,
    panel,
    marks: [...heading(spec, 'semibold'), ...axisArrows(panel, spec.axes), ...marks],
  };
}

import type { CategoryUmapSpec, HighlightUmapSpec, LegendGroup } from '../figure.ts';
import { axisArrows } from './axis-arrows.ts';
import { heading } from './heading.ts';
import { legendLayout } from './legend-layout.ts';
import type { Scene } from './scene.ts';

/** Points, legend, arrows and heading. */
export function categoryUmapScene(spec: CategoryUmapSpec | HighlightUmapSpec): Scene {
  const entries = spec.kind === 'category-umap' ? categoryLegend(spec) : highlightLegend(spec);
  const { panel, marks } = legendLayout(entries);
  return {
    ...spec.size,
    description: `${spec.title} on ${spec.axes.join(' and ')} of ${spec.datasetName}: ${spec.summary}`,
    panel,
    marks: [...heading(spec, 'semibold'), ...axisArrows(panel, spec.axes), ...marks],
  };
}

/** Categories that have cells, then the cells without one. */
export function categoryLegend(
  spec: Pick<CategoryUmapSpec, 'groups' | 'missing' | 'colours'>,
): readonly LegendGroup[] {
  const groups = spec.groups.filter((group) => group.cells > 0);
  return spec.missing > 0
    ? [...groups, { label: 'Not assigned', colour: spec.colours.missing, cells: spec.missing }]
    : groups;
}

/** All chosen categories, as someone asked for each of them, then the other cells. */
export function highlightLegend(
  spec: Pick<HighlightUmapSpec, 'groups' | 'others' | 'colours'>,
): readonly LegendGroup[] {
  return spec.others > 0
    ? [...spec.groups, { label: 'Other cells', colour: spec.colours.others, cells: spec.others }]
    : spec.groups;
}

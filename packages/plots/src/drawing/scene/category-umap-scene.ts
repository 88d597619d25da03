import { countText } from '@cellfolio/model';
import type { CategoryUmapSpec, HighlightUmapSpec, LegendGroup, RestOfGroups } from '../figure.ts';
import { axisArrows } from './axis-arrows.ts';
import { descriptionOf } from './bar-scatter-scene.ts';
import { fittedLegend } from './fitted-legend.ts';
import { isTiny } from './fitted-panel.ts';
import { heading } from './heading.ts';
import { legendLayout } from './legend-layout.ts';
import type { Scene } from './scene.ts';

/** Points, legend, arrows and heading. */
export function categoryUmapScene(spec: CategoryUmapSpec | HighlightUmapSpec): Scene {
  const entries = legendEntries(spec);
  const { panel, marks } = spec.fitted === undefined ? legendLayout(entries) : fittedLegend(spec, entries);
  return {
    ...spec.size,
    description: descriptionOf(spec),
    panel,
    marks: isTiny(spec) ? [] : [...heading(spec, 'semibold'), ...axisArrows(panel, spec.axes), ...marks],
  };
}

export function legendEntries(spec: CategoryUmapSpec | HighlightUmapSpec): readonly LegendGroup[] {
  return spec.kind === 'category-umap' ? categoryLegend(spec) : highlightLegend(spec);
}

/** Categories that have cells, how many more there are, then the cells without one. */
export function categoryLegend(
  spec: Pick<CategoryUmapSpec, 'groups' | 'rest' | 'missing' | 'colours'>,
): readonly LegendGroup[] {
  const groups = [...spec.groups.filter((group) => group.cells > 0), ...restLegend(spec.rest)];
  return spec.missing > 0
    ? [...groups, { label: 'Not assigned', colour: spec.colours.missing, cells: spec.missing }]
    : groups;
}

/** All chosen categories, as someone asked for each of them, then the other cells. */
export function highlightLegend(
  spec: Pick<HighlightUmapSpec, 'groups' | 'rest' | 'others' | 'colours'>,
): readonly LegendGroup[] {
  const groups = [...spec.groups, ...restLegend(spec.rest)];
  return spec.others > 0
    ? [...groups, { label: 'Other cells', colour: spec.colours.others, cells: spec.others }]
    : groups;
}

function restLegend(rest: RestOfGroups | undefined): LegendGroup[] {
  if (rest === undefined) return [];
  const { groups, colour, cells } = rest;
  return [{ label: `+ ${countText(groups)} more ${groups === 1 ? 'group' : 'groups'}`, colour, cells }];
}

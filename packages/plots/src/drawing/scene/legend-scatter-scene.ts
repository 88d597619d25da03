import { countText } from '@cellfolio/model';
import type { FittedSpec, LegendGroup, RestOfGroups, ScatterSpec } from '../figure.ts';
import { themedInk } from '../theme/themed-ink.ts';
import { axisArrows } from './axis-arrows.ts';
import { descriptionOf, radiusIn } from './bar-scatter-scene.ts';
import { fittedLegend } from './fitted-legend.ts';
import { isTiny } from './fitted-panel.ts';
import { heading } from './heading.ts';
import { legendLayout } from './legend-layout.ts';
import type { Scene } from './scene.ts';

/** Points, legend, arrows and heading. */
export function legendScatterScene(spec: ScatterSpec, entries: readonly LegendGroup[]): Scene {
  const { panel, marks } = spec.fitted === undefined ? legendLayout(entries) : fittedLegend(spec, entries);
  return {
    ...spec.size,
    description: descriptionOf(spec),
    panel,
    marks: isTiny(spec) ? [] : [...heading(spec, 'semibold'), ...axisArrows(panel, spec.axes), ...marks],
  };
}

/** The spec in a size: where the legend has no room for all of its names, the smallest groups have none. */
export function fitLegendScatter<Spec extends ScatterSpec & { readonly highlightRadius?: number }>(
  spec: Spec,
  size: ScatterSpec['size'],
  entries: readonly LegendGroup[],
): FittedSpec<Spec> {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  const scene = legendScatterScene(fitted, entries);
  const { pointRadius, highlightRadius } = spec;
  return {
    spec: {
      ...fitted,
      pointRadius: radiusIn(scene, pointRadius),
      ...(highlightRadius !== undefined && { highlightRadius: radiusIn(scene, highlightRadius) }),
    },
    isWhole: fittedLegend(fitted, entries).unnamed === 0,
  };
}

/** The colours of cells without one of their own, on a dark ground. */
export function darkLegend<
  Spec extends { readonly colours: object; readonly rest?: RestOfGroups | undefined },
>({ colours, rest }: Spec): Pick<Spec, 'colours' | 'rest'> {
  const dark = (ink: string): string => themedInk(ink, 'dark');
  return {
    colours: Object.fromEntries(Object.entries(colours).map(([name, ink]) => [name, dark(ink as string)])),
    ...(rest && { rest: { ...rest, colour: dark(rest.colour) } }),
  } as Pick<Spec, 'colours' | 'rest'>;
}

/** The line of a legend for the groups that it does not name; none where it names all. */
export function restLegend(rest: RestOfGroups | undefined): LegendGroup[] {
  if (rest === undefined) return [];
  const { groups, colour, cells } = rest;
  return [{ label: `+ ${countText(groups)} more ${groups === 1 ? 'group' : 'groups'}`, colour, cells }];
}

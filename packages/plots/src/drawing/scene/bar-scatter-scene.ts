import type { FittedSpec, ScatterSpec } from '../figure.ts';
import type { FontStyle } from '../text/font-files.ts';
import { ARROW_GUTTER, axisArrows } from './axis-arrows.ts';
import { ABOVE_BAR, BELOW_BAR, colourBar } from './colour-bar.ts';
import type { ColourBar } from './colour-bar.ts';
import { fittedPanel, isTiny } from './fitted-panel.ts';
import { heading, panelTop } from './heading.ts';
import type { Scene } from './scene.ts';
import { MARGIN } from './typography.ts';

/** A bar is read by its ends: more than this is no easier to read. */
const TALLEST_BAR = 280;

/** A scatter whose colours are values: the points stand left of their colour bar. */
export function barScatterScene(
  spec: ScatterSpec & { readonly subtitle?: string },
  bar: ColourBar,
  titleStyle: FontStyle,
): Scene {
  const { width, height } = spec.size;
  const top = panelTop(spec);
  const description = descriptionOf(spec);
  if (isTiny(spec)) return { width, height, description, panel: fittedPanel(spec, 0), marks: [] };
  const room = height - top - MARGIN - ABOVE_BAR - BELOW_BAR;
  const { width: barWidth, marks } = colourBar(
    spec.fitted === undefined ? bar : { ...bar, height: Math.min(TALLEST_BAR, room) },
    { figureWidth: width, top },
  );
  const panel = {
    x: MARGIN + ARROW_GUTTER,
    y: top,
    width: width - 2 * MARGIN - ARROW_GUTTER - barWidth - 16,
    height: height - top - MARGIN - ARROW_GUTTER,
  };
  return {
    width,
    height,
    description,
    panel,
    marks: [...heading(spec, titleStyle), ...axisArrows(panel, spec.axes), ...marks],
  };
}

/** For readers who do not see the figure. */
export function descriptionOf(spec: ScatterSpec): string {
  return `${spec.title} on ${spec.axes.join(' and ')} of ${spec.datasetName}: ${spec.summary}`;
}

/** The spec in a size: its points, map and bar take what room there is. */
export function fitBarScatter<Spec extends ScatterSpec>(
  spec: Spec,
  size: ScatterSpec['size'],
  sceneOf: (spec: Spec) => Scene,
): FittedSpec<Spec> {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  const pointRadius = radiusIn(sceneOf(fitted), spec.pointRadius);
  return { spec: { ...fitted, pointRadius }, isWhole: true };
}

/** Shorter side of the panel that the radius of a spec was chosen for, in CSS pixels. */
const USUAL_SIDE = 366;

/** Points grow and shrink with the panel of their scene, so that the same part of it is inked. */
export function radiusIn({ panel }: Pick<Scene, 'panel'>, radius: number): number {
  const growth = Math.min(panel.width, panel.height) / USUAL_SIDE;
  return Number(Math.max(0.4, radius * growth).toFixed(3));
}

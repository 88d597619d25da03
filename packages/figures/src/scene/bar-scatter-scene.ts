import type { ScatterSpec } from '../figure.ts';
import type { FontStyle } from '../text/font-files.ts';
import { ARROW_GUTTER, axisArrows } from './axis-arrows.ts';
import { colourBar } from './colour-bar.ts';
import type { ColourBar } from './colour-bar.ts';
import { heading, panelTop } from './heading.ts';
import type { Scene } from './scene.ts';
import { MARGIN } from './typography.ts';

/** A scatter whose colours are values: the points stand left of their colour bar. */
export function barScatterScene(
  spec: ScatterSpec & { readonly subtitle?: string },
  bar: ColourBar,
  titleStyle: FontStyle,
): Scene {
  const { width, height } = spec.size;
  const top = panelTop(spec);
  const { width: barWidth, marks } = colourBar(bar, { figureWidth: width, top });
  const panel = {
    x: MARGIN + ARROW_GUTTER,
    y: top,
    width: width - 2 * MARGIN - ARROW_GUTTER - barWidth - 16,
    height: height - top - MARGIN - ARROW_GUTTER,
  };
  return {
    width,
    height,
    description: `${spec.title} on ${spec.axes.join(' and ')} of ${spec.datasetName}: ${spec.summary}`,
    panel,
    marks: [...heading(spec, titleStyle), ...axisArrows(panel, spec.axes), ...marks],
  };
}

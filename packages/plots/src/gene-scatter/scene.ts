import { countText } from '@cellfolio/model';
import { darkExpressionRamp } from '../drawing/colour/ramps.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { countBar, countBarGutter, countShade } from '../drawing/scene/count-shades.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { axisGutter, planeAxes, type PlaneAxis } from '../drawing/scene/plane-axes.ts';
import type { Mark, Scene } from '../drawing/scene/scene.ts';
import { figureWidth, margin } from '../drawing/scene/style.ts';
import { type GeneAxis, type GeneScatterSpec, scatterBins } from './spec.ts';

export const scatterSize = { width: figureWidth, height: 560 } as const;

const barFrom = { width: 300, height: 220 } as const;

function hasBarIn({ width, height }: GeneScatterSpec['size']): boolean {
  return width >= barFrom.width && height >= barFrom.height;
}

export const geneScatterDrawing = withMinimumSize<GeneScatterSpec>(
  {
    scene,
    fit: (spec, size) => ({
      spec: {
        ...spec,
        size,
        fitted: fittedWith('', { 'the bar of counts': hasBarIn(size) || spec.cells === 0 }),
      },
      isWhole: true,
    }),
    dark: () => ({ colours: { ramp: darkExpressionRamp } }),
  },
  { size: { width: 200, height: 160 }, sentence: ({ cells }) => `Enlarge to see ${countText(cells)} cells.` },
);

function scene(spec: GeneScatterSpec): Scene {
  const { size } = spec;
  const top = panelTop(spec);
  const hasBar = hasBarIn(size) && spec.cells > 0;
  const panel = {
    x: margin + axisGutter.left,
    y: top + 6,
    width: size.width - margin - axisGutter.left - (hasBar ? countBarGutter : 8) - margin,
    height: size.height - top - axisGutter.bottom - margin / 2 - 6,
  };
  const maxCells = spec.squares.reduce((greatest, [, , cells]) => Math.max(greatest, cells), 1);
  const step = { x: panel.width / scatterBins, y: panel.height / scatterBins };
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, spec.both === undefined ? 'semibold' : 'semibold-italic'),
      ...planeAxes(panel, { x: axisOf(spec.x), y: axisOf(spec.y) }),
      ...spec.squares.map(([column, row, cells]): Mark => ({
        kind: 'rectangle',
        x: panel.x + column * step.x,
        y: panel.y + (scatterBins - 1 - row) * step.y,
        width: step.x - 0.4,
        height: step.y - 0.4,
        colour: countShade(cells, maxCells, spec.colours.ramp),
      })),
      ...(hasBar ? countBar(panel, maxCells, spec.colours.ramp, 'cells') : []),
    ],
  };
}

function axisOf({ symbol, domain, expressing }: GeneAxis): PlaneAxis {
  return { domain, name: { text: symbol, style: expressing === undefined ? 'regular' : 'italic' } };
}

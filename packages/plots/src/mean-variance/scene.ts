import { countText } from '@cellfolio/model';
import { darkExpressionRamp } from '../drawing/colour/ramps.ts';
import { fittedWith, withMinimumSize } from '../drawing/minimum-size.ts';
import { countBar, countBarGutter, countShade } from '../drawing/scene/count-shades.ts';
import { curveThrough } from '../drawing/scene/lines.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { axisGutter, planeAxes, scalesOf } from '../drawing/scene/plane-axes.ts';
import type { Mark, Rectangle, VectorMark, VectorScene } from '../drawing/scene/scene.ts';
import { figureWidth, inkColour, margin, paperColour, softInk } from '../drawing/scene/style.ts';
import type { SampleFigureSpec } from '../drawing/samples/sample-figure.ts';
import type { SpreadMeasure } from '../pseudobulk-input.ts';

export const spreadBins = { across: 72, up: 54 } as const;

export interface MeanVarianceSpec extends SampleFigureSpec {
  readonly kind: 'mean-variance';
  readonly version: 1;
  readonly measure: SpreadMeasure;
  readonly genes: number;
  /** Range of the log2 mean counts; `y` is that of the square root of the measure, which begins at 0. */
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** One point per gene, if there are few. */
  readonly points?: readonly (readonly [number, number])[];
  /** Otherwise the genes per bin: column, row from below, number of genes. */
  readonly squares?: readonly (readonly [number, number, number])[];
  readonly trend: readonly (readonly [number, number])[];
  readonly colours: { readonly ramp: readonly string[] };
}

export const meanVarianceSize = { width: figureWidth, height: 520 } as const;

const barFrom = { width: 380, height: 220 } as const;
const pointRadius = 1.8;
const axisTitles = {
  deviation: '√ standard deviation',
  'quasi-dispersion': '√ quasi-likelihood dispersion',
  dispersion: '√ dispersion',
} as const;

function hasBarIn({ width, height }: MeanVarianceSpec['size']): boolean {
  return width >= barFrom.width && height >= barFrom.height;
}

export const meanVarianceDrawing = withMinimumSize<MeanVarianceSpec>(
  {
    scene,
    fit: (spec, size) => ({
      spec: {
        ...spec,
        size,
        fitted: fittedWith('', { 'the bar of counts': spec.squares === undefined || hasBarIn(size) }),
      },
      isWhole: true,
    }),
    dark: () => ({ colours: { ramp: darkExpressionRamp } }),
  },
  { size: { width: 200, height: 160 }, sentence: ({ genes }) => `Enlarge to see ${countText(genes)} genes.` },
);

function scene(spec: MeanVarianceSpec): VectorScene {
  const { size, squares, points = [], trend } = spec;
  const hasBar = squares !== undefined && hasBarIn(size);
  const top = panelTop(spec) + 6;
  const left = margin + axisGutter.left;
  const panel = {
    x: left,
    y: top,
    width: size.width - margin - left - (hasBar ? countBarGutter : 8),
    height: size.height - top - axisGutter.bottom - margin / 2,
  };
  const { xOf, yOf } = scalesOf(panel, spec.x, spec.y);
  const maxGenes = (squares ?? []).reduce((greatest, [, , genes]) => Math.max(greatest, genes), 1);
  return {
    ...size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...planeAxes(panel, {
        x: { domain: spec.x, name: { text: 'log₂ mean count', style: 'regular' } },
        y: { domain: spec.y, name: { text: axisTitles[spec.measure], style: 'regular' } },
      }),
      ...(squares ?? []).map(squareMark(panel, maxGenes, spec.colours.ramp)),
      ...points.map(([mean, spread]): Mark => ({
        kind: 'dot',
        x: xOf(mean),
        y: yOf(spread),
        radius: pointRadius,
        colour: softInk,
      })),
      ...curve(
        trend.map(([mean]) => xOf(mean)),
        trend.map(([, spread]) => yOf(spread)),
      ),
      ...(hasBar ? countBar(panel, maxGenes, spec.colours.ramp, 'genes') : []),
    ],
  };
}

function squareMark({ x, y, width, height }: Rectangle, maxGenes: number, ramp: readonly string[]) {
  const [across, up] = [width / spreadBins.across, height / spreadBins.up];
  return ([column, row, genes]: readonly [number, number, number]): Mark => ({
    kind: 'rectangle',
    x: x + column * across,
    y: y + height - (row + 1) * up,
    width: across,
    height: up,
    colour: countShade(genes, maxGenes, ramp),
  });
}

function curve(xs: readonly number[], ys: readonly number[]): VectorMark[] {
  if (xs.length < 2) return [];
  return [curveThrough(xs, ys, 5, paperColour), curveThrough(xs, ys, 2.5, inkColour)];
}

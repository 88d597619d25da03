import { percentText } from '@cellfolio/model';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import type { CommonSpec } from '../drawing/figure.ts';
import { legendLine, legendLineHeight, sideLegend } from '../drawing/samples/legend-line.ts';
import { type SampleFigureSpec, type Side, sideColours } from '../drawing/samples/sample-figure.ts';
import { sampleMark, type SampleShape } from '../drawing/samples/sample-marks.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { placedNames } from '../drawing/scene/placed-names.ts';
import { axisGutter, planeAxes, scalesOf } from '../drawing/scene/plane-axes.ts';
import type { Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import { figureWidth, inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import type { sampleMapWords } from './words.ts';

export interface SampleMapSpec extends SpecOf<typeof sampleMapWords, 'samples', SampleFigureSpec> {
  readonly samples: readonly {
    readonly label: string;
    readonly side: Side;
    readonly x: number;
    readonly y: number;
    readonly shape: SampleShape;
  }[];
  readonly shapes?: { readonly title: string; readonly labels: readonly string[] };
}

export const sampleMapSize = { width: figureWidth, height: 600 } as const;

const inset = 26;

export const sampleMapDrawing = withMinimumSize<SampleMapSpec>(
  { scene, fit },
  { size: { width: 220, height: 200 }, sentence: ({ summary }) => `Enlarge to see ${summary}.` },
);

function fit(spec: SampleMapSpec, size: CommonSpec['size']) {
  const fitted = { ...spec, size, fitted: { leftOut: '' } };
  const named = layout(fitted).names.length;
  const leftOut = fitText(named, spec.samples.length, 'names');
  return { spec: { ...fitted, fitted: { leftOut } }, isWhole: leftOut === '' };
}

function layout(spec: SampleMapSpec) {
  const legendTop = panelTop(spec) + 12;
  const lines = spec.shapes ? 2 : 1;
  const left = margin + axisGutter.left;
  const y = legendTop + lines * legendLineHeight - 10;
  const panel = {
    x: left,
    y,
    width: spec.size.width - margin - left,
    height: spec.size.height - y - axisGutter.bottom - margin / 2,
  };
  const domains = domainsOf(spec, panel);
  const { xOf, yOf } = scalesOf(panel, ...domains);
  const radius = spec.samples.length > 60 ? 4 : spec.size.width < 400 ? 4.5 : 6;
  const points = spec.samples.map(({ label, side, shape, x, y: up }) => ({
    name: label,
    side,
    shape,
    x: xOf(x),
    y: yOf(up),
    width: textWidth(label, smallSize),
  }));
  return { legendTop, panel, domains, points, radius, names: placedNames(points, panel, radius) };
}

/** Both dimensions have the same scale: the map shows distances. */
function domainsOf({ samples }: SampleMapSpec, { width, height }: Rectangle) {
  const ends = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  const [left, right] = ends(samples.map(({ x }) => x));
  const [low, high] = ends(samples.map(({ y }) => y));
  const unit = Math.max((right - left) / (width - 2 * inset), (high - low) / (height - 2 * inset)) || 0.01;
  const around = (from: number, to: number, length: number): [number, number] => {
    const [middle, half] = [(from + to) / 2, (unit * length) / 2];
    return [middle - half, middle + half];
  };
  return [around(left, right, width), around(low, high, height)] as const;
}

function scene(spec: SampleMapSpec): Scene {
  const { legendTop, panel, domains, points, radius, names } = layout(spec);
  const [x, y] = domains;
  const name = (dimension: number): string =>
    `Dimension ${dimension + 1} (${percentText(spec.axes[dimension]!, 1)}${panel.height < 240 ? '' : ' of variance'})`;
  const width = spec.size.width - 2 * margin;
  return {
    ...spec.size,
    panel,
    marks: [
      ...heading(spec, 'semibold'),
      ...sideLegend(spec, { x: margin, y: legendTop, width }),
      ...(spec.shapes
        ? legendLine(
            spec.shapes.labels.map((label, shape) => ({
              label,
              shape: shape as SampleShape,
              colour: softInk,
            })),
            { x: margin, y: legendTop + legendLineHeight, width, title: spec.shapes.title },
          )
        : []),
      ...planeAxes(panel, {
        x: { domain: x, name: { text: name(0), style: 'regular' } },
        y: { domain: y, name: { text: name(1), style: 'regular' } },
      }),
      ...points.flatMap(({ side, shape, x: across, y: up }) =>
        sampleMark(shape, { x: across, y: up, radius, colour: sideColours[side] }),
      ),
      ...names.map(({ name: text, left, baseline }): TextMark => ({
        kind: 'text',
        size: smallSize,
        style: 'regular',
        anchor: 'start',
        text,
        x: left,
        y: baseline,
        colour: inkColour,
      })),
    ],
  };
}

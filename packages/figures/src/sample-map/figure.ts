import { percentText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure, CommonSpec } from '../drawing/figure.ts';
import { explainedBy } from '../drawing/samples/explained.ts';
import {
  checkSamples,
  sampleHead,
  sampleLabels,
  samplesText,
  type SampleFigureSpec,
  type Side,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { sampleShapes, type SampleShape, sampleMark } from '../drawing/samples/sample-marks.ts';
import { categoryLabel, categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText, fitText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput, SampleColumnInput } from '../pseudobulk-input.ts';
import type { sampleMapContent } from '../pseudobulk-content.ts';
import { withMinimumSize } from '../drawing/minimum-size.ts';
import { legendLine, legendLineHeight, sideLegend } from '../drawing/samples/legend-line.ts';
import { heading, panelTop } from '../drawing/scene/panel.ts';
import { placedNames } from '../drawing/scene/placed-names.ts';
import { axisGutter, planeAxes } from '../frame/axes.ts';
import { numberScale } from '../frame/scales.ts';
import type { Rectangle, Scene, TextMark } from '../drawing/scene/scene.ts';
import { figureWidth, inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import type { sampleMapWords } from './words.ts';

interface SampleMapInput extends PseudobulkInput, Pick<FigureSetting, 'datasetName'> {
  shapes?: string | undefined;
}

/**
 * Samples by leading log2 fold changes, coloured by side. Throws FigureInputError for samples without a position and
 * for a column that the model does not have.
 */
export function sampleMapFigure(input: SampleMapInput): Figure<SampleMapSpec> {
  checkSamples(input);
  const { samples, columns, axes } = input;
  const lost = samples.find(({ x, y }) => !Number.isFinite(x + y));
  if (lost) throw new FigureInputError('samples', `the sample ${lost.name} has no place on the map`);
  const shapeColumn = shapeColumnOf(columns, input.shapes);
  const marked = shapeColumn && markedBy(shapeColumn);
  const labels = sampleLabels(samples);
  const head = sampleHead(input);
  const [xs, ys] = [samples.map(({ x }) => x), samples.map(({ y }) => y)];
  const spec: SampleMapSpec = {
    version: 1,
    kind: 'sample-map',
    ...head,
    datasetName: cleanLabel(input.datasetName),
    summary: `${samplesText(samples, head.sides)}${marked?.beside ? ` · beside each name: ${marked.title}` : ''}`,
    size: sampleMapSize,
    axes,
    samples: samples.map(({ side, x, y }, at) => ({
      label: marked?.beside ? `${labels[at]!} · ${marked.beside[at]!}` : labels[at]!,
      side,
      x,
      y,
      shape: marked?.shapes?.[at] ?? 0,
    })),
    ...(marked?.labels && { shapes: { title: marked.title, labels: marked.labels } }),
    explained: columns
      .filter(({ role }) => role !== 'pairing')
      .map((column) => ({
        column: cleanLabel(column.name),
        isSide: column.role === 'side',
        first: explainedBy(column, xs),
        second: explainedBy(column, ys),
      })),
  };
  return { spec, columns: {}, drawing: sampleMapDrawing };
}

function valuesOf({ values }: SampleColumnInput): (string | number)[] {
  return [...new Set<string | number | null>(values)].filter((value) => value !== null);
}

function shapeColumnOf(columns: readonly SampleColumnInput[], named: string | undefined) {
  if (named === undefined) {
    return columns.find((column) => {
      const count = valuesOf(column).length;
      return (
        column.role === 'covariate' && column.kind === 'categorical' && count > 1 && count <= sampleShapes
      );
    });
  }
  const match = columns.find(({ name }) => name === named);
  if (match) return match;
  throw new FigureInputError(
    'shapes',
    `The model has no column “${cleanLabel(named).slice(0, 80)}” that shapes could tell.`,
  );
}

function markedBy(column: SampleColumnInput): {
  title: string;
  labels?: string[];
  shapes?: SampleShape[];
  beside?: string[];
} {
  const title = cleanLabel(column.name);
  const present = valuesOf(column);
  const text = (value: string | number): string =>
    typeof value === 'number' ? valueText(value) : categoryLabel(value);
  if (column.kind === 'numeric' || present.length > sampleShapes) {
    return { title, beside: column.values.map((value) => (value === null ? '–' : text(value))) };
  }
  return {
    title,
    labels: categoryLabels(present.map(text)),
    shapes: column.values.map((value) => Math.max(0, present.indexOf(value!)) as SampleShape),
  };
}

export const sampleMap = plot<typeof sampleMapContent>('sample-map', ({ tested }, { datasetName }, content) =>
  sampleMapFigure({ ...tested, datasetName, shapes: content.shapes }),
);

interface SampleMapSpec extends SpecOf<typeof sampleMapWords, 'samples', SampleFigureSpec> {
  samples: readonly {
    label: string;
    side: Side;
    x: number;
    y: number;
    shape: SampleShape;
  }[];
  shapes?: { title: string; labels: readonly string[] };
}

const sampleMapSize = { width: figureWidth, height: 600 } as const;

const inset = 26;

const sampleMapDrawing = withMinimumSize<SampleMapSpec>(
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
  const [across, up] = domains;
  const xOf = numberScale(across, [panel.x, panel.x + panel.width]);
  const yOf = numberScale(up, [panel.y + panel.height, panel.y]);
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

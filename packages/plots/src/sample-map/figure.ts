import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { explainedBy } from '../drawing/samples/explained.ts';
import { checkSamples, sampleHead, sampleLabels, samplesText } from '../drawing/samples/sample-figure.ts';
import { sampleShapes, type SampleShape } from '../drawing/samples/sample-marks.ts';
import { categoryLabel, categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput, SampleColumnInput } from '../pseudobulk-input.ts';
import type { sampleMapContent } from '../pseudobulk-content.ts';
import { sampleMapDrawing, sampleMapSize, type SampleMapSpec } from './scene.ts';

interface SampleMapInput extends PseudobulkInput, Pick<FigureSetting, 'datasetName'> {
  readonly shapes?: string | undefined;
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
  const head = sampleHead(input, input.datasetName);
  const [xs, ys] = [samples.map(({ x }) => x), samples.map(({ y }) => y)];
  const spec: SampleMapSpec = {
    version: 1,
    kind: 'sample-map',
    ...head,
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

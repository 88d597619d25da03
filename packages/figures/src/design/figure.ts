import { countText } from '@cellfolio/model';
import { categoryColours } from '../drawing/colour/category-colours.ts';
import { scoreRamp } from '../drawing/colour/ramps.ts';
import type { Figure } from '../drawing/figure.ts';
import {
  checkSamples,
  sampleHead,
  sampleLabels,
  samplesText,
  sideColours,
} from '../drawing/samples/sample-figure.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput, SampleColumnInput } from '../pseudobulk-input.ts';
import type { designContent } from '../pseudobulk-content.ts';
import { designDrawing, designSize } from './scene.ts';
import type { DesignColumn, DesignSpec } from './spec.ts';

type DesignInput = PseudobulkInput & Pick<FigureSetting, 'datasetName'>;

/** Samples as rows, with columns of obs and coefficients. Throws FigureInputError if they do not fit together. */
function designFigure(input: DesignInput): Figure<DesignSpec> {
  checkSamples(input);
  const { samples, columns, coefficients } = input;
  const ranks = columns.map(({ values }) => ranksOf(values));
  const order = [...samples.keys()].sort((one, other) => {
    const bySide = samples[one]!.side.localeCompare(samples[other]!.side);
    return bySide || firstDifference(ranks, one, other) || one - other;
  });
  const labels = sampleLabels(samples);
  const head = sampleHead(input);
  const cells = samples.reduce((sum, sample) => sum + sample.cells, 0);
  const body = {
    samples: order.map((at) => ({
      label: labels[at]!,
      side: samples[at]!.side,
      cells: samples[at]!.cells,
    })),
    columns: columnsOf(input, order),
    coefficients: coefficients.map(({ name, values }) => ({
      name: cleanLabel(name),
      values: order.map((at) => values[at]!),
    })),
  };
  const spec: DesignSpec = {
    version: 1,
    kind: 'design',
    ...head,
    datasetName: cleanLabel(input.datasetName),
    summary: `${samplesText(samples, head.sides)} · ${countText(cells)} cells · ${cleanLabel(input.formula)}`,
    size: designSize(body),
    formula: cleanLabel(input.formula),
    ...body,
    colours: { ramp: scoreRamp },
  };
  return { spec, columns: {}, drawing: designDrawing };
}

function ranksOf(values: SampleColumnInput['values']): number[] {
  const distinct = [...new Set<string | number | null>(values)];
  return values.map((value) => (typeof value === 'number' ? value : distinct.indexOf(value)));
}

function firstDifference(ranks: readonly (readonly number[])[], one: number, other: number): number {
  for (const rank of ranks) if (rank[one] !== rank[other]) return rank[one]! - rank[other]!;
  return 0;
}

function columnsOf({ columns, samples }: PseudobulkInput, order: readonly number[]): DesignColumn[] {
  const present = columns.map(({ kind, values }) =>
    kind === 'numeric' ? [] : [...new Set(values)].filter((value) => value !== null),
  );
  // One row of colours for all columns, so that one colour has one meaning as far as they last.
  const isSide = columns.map(({ role }) => role === 'side');
  const colours = categoryColours({ categories: present.filter((_, at) => !isSide[at]).flat() });
  let usedColours = 0;
  return columns.map((column, place) => {
    const title = cleanLabel(column.name);
    if (column.kind === 'numeric') return { title, values: order.map((at) => column.values[at]!) };
    const levels = present[place]!;
    const labels = categoryLabels(levels);
    const start = usedColours;
    if (!isSide[place]) usedColours += levels.length;
    return {
      title,
      levels: levels.map((level, code) => {
        const own = samples.filter((_, at) => column.values[at] === level);
        const a = own.filter(({ side }) => side === 'a').length;
        const colour = isSide[place] ? sideColours[a > 0 ? 'a' : 'b'] : colours[start + code]!;
        return { label: labels[code]!, colour, a, b: own.length - a };
      }),
      codes: order.map((at) => levels.indexOf(column.values[at]!)),
    };
  });
}

export const design = plot<typeof designContent>('design', ({ tested }, { datasetName }) =>
  designFigure({ ...tested, datasetName }),
);

import { countText } from '@cellfolio/model';
import { z } from 'zod';
import { FigureInputError } from '../drawing/checked-input.ts';
import { darkDivergingRamp, divergingRamp } from '../drawing/colour/ramps.ts';
import { labelGridLayout } from '../drawing/label-grid/layout.ts';
import { labelGridDrawing } from '../drawing/label-grid/scene.ts';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import type { Figure } from '../drawing/figure.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import { common, count, list, number, text } from '../plot-words.ts';
import type { perturbationMatrix } from './declare.ts';

export const numbers = z
  .object({
    kind: z.literal('perturbation-matrix'),
    ...common,
    of: z.enum(['genes', 'similarity']),
    rows: list(text),
    columns: list(text),
    values: list(number),
    perturbationCount: count,
  })
  .refine(({ rows, columns, values }) => values.length === rows.length * columns.length);
export type Numbers = z.output<typeof numbers>;

export interface Spec extends LabelGridSpec {
  kind: 'perturbation-matrix';
  of: 'genes' | 'similarity';
  perturbationCount: number;
}

/** Maximum number of rows, and of columns of perturbations. */
const maxRows = 60;
/** Share of the differences within the ends of the ramp, so that single large ones do not hide the others. */
const shareWithin = 0.98;

const drawing = labelGridDrawing<Spec>(darkDivergingRamp);

function matrixFigure(
  screen: InputValues['perturbations'],
  of: Spec['of'],
  { datasetName }: Pick<FigureSetting, 'datasetName'>,
): Figure<Spec> {
  const { names, genes, perturbations } = screen;
  const isOfGenes = of === 'genes';
  const all = isOfGenes ? screen.differences : screen.correlations;
  const width = isOfGenes ? genes.length : names.length;
  if (all.length !== names.length * width)
    throw new FigureInputError(
      'values',
      `${all.length} values are not those of ${names.length} perturbations`,
    );
  const places = strongest(screen);
  const columns = isOfGenes ? [...genes.keys()] : places;
  const values = places.flatMap((row) =>
    columns.map((column) => Number(all[row * width + column]!.toFixed(3))),
  );
  const labels = categoryLabels(names);
  const rows = places.map((place) => labels[place]!);
  const sizes = values.map(Math.abs).sort((a, b) => a - b);
  const limit = isOfGenes
    ? Number((sizes[Math.floor(shareWithin * (sizes.length - 1))] || 1).toPrecision(2))
    : 1;
  const compared = `${countText(names.length)} perturbations`;
  const spec: Spec = {
    version: 1,
    kind: 'perturbation-matrix',
    title: isOfGenes ? 'Genes that perturbations change' : 'Similar perturbations',
    subtitle: isOfGenes
      ? 'difference of mean log-normalized values from the controls'
      : 'correlation of their differences from the controls',
    datasetName: cleanLabel(datasetName),
    summary:
      rows.length < names.length
        ? `the ${rows.length} of ${compared} that change most genes`
        : `${compared} that change genes`,
    size: { width: 0, height: 0 },
    rowTitle: 'perturbation',
    columnTitle: isOfGenes ? 'most changed genes' : 'perturbation',
    rows,
    columns: isOfGenes ? genes.map(cleanLabel) : rows,
    ...(isOfGenes && { columnStyle: 'italic' as const }),
    isPlain: true,
    values: values.map((value) => Math.max(-limit, Math.min(limit, value))),
    valueTitle: isOfGenes ? ['Difference', 'from the controls'] : ['Correlation', 'of profiles'],
    domain: [-limit, limit],
    nothing: 'Fewer than two perturbations change enough genes.',
    colours: { ramp: divergingRamp },
    of,
    perturbationCount: perturbations.length,
    ...(screen.cautions && { cautions: screen.cautions }),
  };
  return { spec: { ...spec, size: labelGridLayout(spec).size }, columns: {}, drawing };
}

/** Places in the clustered order of the perturbations with the most changed genes. */
function strongest({ names, perturbations }: InputValues['perturbations']): number[] {
  const rankOf = new Map(perturbations.map(({ name }, rank) => [name, rank]));
  const ranks = names.map((name) => rankOf.get(name) ?? Infinity);
  const last = ranks.toSorted((a, b) => a - b)[maxRows - 1] ?? Infinity;
  return [...names.keys()].filter((place) => ranks[place]! <= last);
}

export const figure = {
  numbers,
  plot: plot<typeof perturbationMatrix>('perturbation-matrix', ({ screen }, setting, { of }) =>
    matrixFigure(screen, of, setting),
  ),
};

import type { DatasetAnalysis, GradientRequest } from '@cellfolio/contract';
import { cellStateNames, defaultMinimumGenes, gradientRequest } from '@cellfolio/contract';
import { numberOrZero, numberParameter, numberProblem } from '@/features/analyses/index.ts';
import {
  genesOf,
  genesProblem,
  isOrderComplete,
  orderDefaults,
  type OrderForm,
  orderOf,
} from '@/features/trajectory/index.ts';

/** The form fields as typed; those of `OrderForm` apply to pseudotime. */
export interface GradientForm extends OrderForm {
  axisBy: string;
  gene: string;
  signatureName: string;
  /** Names separated by commas or blanks. */
  signature: string;
  cellState: string;
  /** A numeric column of obs; empty for none. */
  column: string;
  /** Column of the two groups that a line connects. */
  lineGroupBy: string;
  lineFrom: string;
  lineTo: string;
  /** Coordinates of the ends of a line. */
  fromX: string;
  fromY: string;
  toX: string;
  toY: string;
  /** Empty for that of the maps. */
  embedding: string;
  /** `within` or `pooled`. */
  test: string;
  /** A column of obs; empty for the recorded one. */
  samples: string;
  degrees: string;
  /** Genes of the curves; empty for those that follow the axis most closely. */
  genes: string;
}

type Axis = GradientRequest['axis'];
type AxisBy = Axis['of'];

export const axisChoices = [
  { value: 'gene', label: 'Expression of a gene' },
  { value: 'signature', label: 'Score of a signature' },
  { value: 'cell-state', label: 'Score of a cell state' },
  { value: 'column', label: 'Column of numbers' },
  { value: 'pseudotime', label: 'Pseudotime of a trajectory' },
  { value: 'groups', label: 'Line from one group to another' },
  { value: 'line', label: 'Line between two points of the map' },
] as const satisfies readonly { value: AxisBy; label: string }[];

export const testChoices = [
  { value: 'within', label: 'Within each sample, combined' },
  { value: 'pooled', label: 'Over all cells together' },
] as const;

export const degreesParameter = numberParameter(gradientRequest.shape.degrees);

export const lineFields = [
  { field: 'fromX', label: 'From: horizontal' },
  { field: 'fromY', label: 'From: vertical' },
  { field: 'toX', label: 'To: horizontal' },
  { field: 'toY', label: 'To: vertical' },
] as const;

export const gradientDefaults: GradientForm = {
  ...orderDefaults,
  axisBy: 'gene',
  gene: '',
  signatureName: '',
  signature: '',
  cellState: '',
  column: '',
  lineGroupBy: '',
  lineFrom: '',
  lineTo: '',
  fromX: '',
  fromY: '',
  toX: '',
  toY: '',
  embedding: '',
  test: 'within',
  samples: '',
  degrees: degreesParameter.defaultValue,
  genes: '',
};

export function axisByOf({ axisBy }: Pick<GradientForm, 'axisBy'>): AxisBy {
  return axisChoices.find(({ value }) => value === axisBy)?.value ?? 'gene';
}

export function isWithinSamples({ test }: Pick<GradientForm, 'test'>): boolean {
  return test !== 'pooled';
}

export function samplesOf({ samples }: Pick<GradientForm, 'samples'>, dataset: DatasetAnalysis) {
  return samples === '' ? dataset.samples?.column : samples;
}

/** Validation error of a coordinate; undefined if valid. */
export function coordinateProblem(text: string): string | undefined {
  const written = text.trim().replace(',', '.').replace('−', '-');
  return written !== '' && Number.isFinite(Number(written)) ? undefined : 'Enter a number.';
}

function coordinate(text: string): number {
  return numberOrZero(text.replace('−', '-'));
}

export function gradientRequestOf(form: GradientForm): GradientRequest {
  const genes = genesOf(form);
  return {
    axis: axisOf(form),
    within_samples: isWithinSamples(form),
    ...(form.samples !== '' && { samples: form.samples }),
    degrees: Math.trunc(numberOrZero(form.degrees)),
    ...(genes.length > 0 && { genes }),
  };
}

function axisOf(form: GradientForm): Axis {
  const of = axisByOf(form);
  const embedding = form.embedding !== '' && { embedding: form.embedding };
  switch (of) {
    case 'gene':
      return { of, gene: form.gene.trim() };
    case 'signature':
      return { of, score_name: form.signatureName.trim(), genes: genesOf({ genes: form.signature }) };
    case 'cell-state':
      return { of, cell_state: form.cellState, minimum_genes: defaultMinimumGenes };
    case 'column':
      return { of, column: form.column };
    case 'pseudotime':
      return { of, ...orderOf(form) };
    case 'groups':
      return { of, groupby: form.lineGroupBy, from: form.lineFrom, to: form.lineTo, ...embedding };
    case 'line':
      return { of, ...endsOf(form), ...embedding };
  }
}

function endsOf({ fromX, fromY, toX, toY }: GradientForm) {
  return {
    from: [coordinate(fromX), coordinate(fromY)],
    to: [coordinate(toX), coordinate(toY)],
  } satisfies { from: [number, number]; to: [number, number] };
}

/** The line between the given points; undefined when not all coordinates are numbers. */
export function lineOf(form: GradientForm): ReturnType<typeof endsOf> | undefined {
  const isGiven = lineFields.every(({ field }) => coordinateProblem(form[field]) === undefined);
  return isGiven ? endsOf(form) : undefined;
}

/** Validation error of the line; undefined when it is valid or not yet given. */
export function lineProblem(form: GradientForm): string | undefined {
  const by = axisByOf(form);
  if (by === 'groups' && form.lineFrom !== '' && form.lineFrom === form.lineTo)
    return 'Choose two groups: the line connects their centres.';
  const line = by === 'line' ? lineOf(form) : undefined;
  return line && line.from[0] === line.to[0] && line.from[1] === line.to[1]
    ? 'The line has no length: enter two different ends.'
    : undefined;
}

export function isComplete(form: GradientForm): boolean {
  if (numberProblem(degreesParameter, form.degrees) !== undefined) return false;
  if (genesProblem(form) !== undefined || lineProblem(form) !== undefined) return false;
  switch (axisByOf(form)) {
    case 'gene':
      return form.gene.trim() !== '';
    case 'signature':
      return genesOf({ genes: form.signature }).length > 0;
    case 'cell-state':
      return cellStateNames.includes(form.cellState);
    case 'column':
      return form.column !== '';
    case 'pseudotime':
      return isOrderComplete(form);
    case 'groups':
      return form.lineGroupBy !== '' && form.lineFrom !== '' && form.lineTo !== '';
    case 'line':
      return lineOf(form) !== undefined;
  }
}

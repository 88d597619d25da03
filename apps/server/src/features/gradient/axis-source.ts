import type { GradientAxis, TrajectoryParameters, ValueChoice } from '@cellfolio/analysis/parameters';
import { embeddingTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, quotedHead } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { ValueSource } from '../../runtime/compute/value-source.ts';
import { groupColumn } from '../../runtime/group-column.ts';
import { cellValues, type NamedScores } from '../scores/index.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { Trajectories } from '../trajectory/index.ts';

export type AxisSource =
  | ValueSource
  | {
      from: 'line';
      embedding: string;
      ends: readonly [readonly [number, number], readonly [number, number]];
    }
  | {
      from: 'groups';
      embedding: string;
      column: string;
      groups: readonly [string, string];
    };

export interface ResolvedAxis {
  axis: GradientAxis;
  source: AxisSource;
  /** Name for the middle of a sentence, such as `the expression of CD8A`, and the meaning of its numbers. */
  name: string;
  unit: string;
  /** Rows in var of the genes that define the axis: they follow it by construction. */
  ownRows: readonly number[];
  cautions: readonly Caution[];
}

export interface AxisDeps {
  datasets: OpenDatasets;
  scores: NamedScores;
  trajectories: Trajectories;
}

type Axis<Of extends GradientAxis['of']> = Extract<GradientAxis, { of: Of }>;

/**
 * Resolves an axis, and computes scores and pseudotime. Throws ApiFailure 400 for names that the dataset does not have,
 * and what scores and trajectories throw.
 */
export async function findAxis(
  deps: AxisDeps,
  selection: Selection,
  axis: GradientAxis,
  call: CallContext,
): Promise<ResolvedAxis> {
  switch (axis.of) {
    case 'pseudotime':
      return pseudotimeAxis(deps, selection, axis, call);
    case 'groups':
      return groupsAxis(await deps.datasets.get(datasetOf(selection)), axis);
    case 'line':
      return lineAxis(await deps.datasets.get(datasetOf(selection)), axis);
    default:
      return valueAxis(deps, selection, axis, call);
  }
}

async function valueAxis(
  deps: AxisDeps,
  selection: Selection,
  axis: ValueChoice,
  call: CallContext,
): Promise<ResolvedAxis> {
  const axisValues = await cellValues(deps, selection, { choice: axis, field: 'axis' }, call);
  const { choice, source, name, unit, genes, score, cautions } = axisValues;
  return {
    axis: choice,
    source,
    name,
    unit,
    ownRows: genes.map(({ row }) => row),
    cautions: score
      ? [
          ...cautions,
          {
            code: 'score-has-control-genes',
            message: `The score is the mean of its genes minus that of ${score.controlCount} control genes: its genes are not tested, and control genes fall with it by construction.`,
            numbers: { genes: genes.length, controlGenes: score.controlCount },
          },
        ]
      : cautions,
  };
}

async function pseudotimeAxis(
  { trajectories }: AxisDeps,
  selection: Selection,
  { of, ...request }: Axis<'pseudotime'>,
  call: CallContext,
): Promise<ResolvedAxis> {
  const { parameters, ordered, cautions } = await trajectories.run(
    selection,
    request satisfies TrajectoryParameters,
    call,
  );
  const { genes: _, ...used } = parameters;
  return {
    axis: { of, ...used },
    source: { from: 'values', values: ordered.pseudotime },
    name: `pseudotime from ${ordered.root.barcode}`,
    unit: 'diffusion pseudotime',
    ownRows: [],
    cautions: cautions.filter(({ code }) => code !== 'order-tested-on-own-data'),
  };
}

async function groupsAxis(dataset: Dataset, axis: Axis<'groups'>): Promise<ResolvedAxis> {
  const embedding = embeddingOf(dataset, axis.embedding);
  const column = await groupColumn(dataset, axis.groupby, 'axis.groupby');
  if (axis.from === axis.to) throw noLine('axis.to', 'Choose two groups: the line connects their centres.');
  return {
    axis: { ...axis, groupby: column, embedding },
    source: { from: 'groups', embedding, column, groups: [axis.from, axis.to] },
    name: `the line from ${axis.from} to ${axis.to}`,
    unit: `place on the line (${embeddingTitle(embedding)})`,
    ownRows: [],
    cautions: [],
  };
}

function lineAxis(dataset: Dataset, axis: Axis<'line'>): ResolvedAxis {
  const embedding = embeddingOf(dataset, axis.embedding);
  const { from, to } = axis;
  if (from[0] === to[0] && from[1] === to[1])
    throw noLine('axis.to', 'The line has no length: enter two different ends.');
  const point = ([x, y]: readonly [number, number]) => `(${numberText(x)}, ${numberText(y)})`;
  return {
    axis: { ...axis, embedding },
    source: { from: 'line', embedding, ends: [from, to] },
    name: `the line from ${point(from)} to ${point(to)}`,
    unit: `place on the line (${embeddingTitle(embedding)})`,
    ownRows: [],
    cautions: [],
  };
}

const numberText = (value: number): string => String(Number(value.toPrecision(4)));

function embeddingOf({ manifest, embeddings }: Dataset, requestedName: string | undefined): string {
  const name = requestedName ?? manifest.roles.embedding;
  const plane = embeddings.filter(({ dimensions }) => dimensions >= 2);
  if (name !== undefined && plane.some((one) => one.name === name)) return name;
  const others =
    plane.length === 0
      ? 'It has no two-dimensional embedding: choose another axis.'
      : `Choose one of ${plane.map((one) => quotedHead(one.name, 80)).join(', ')}.`;
  const which = name === undefined ? 'embedding' : `embedding ${quotedHead(name, 80)} of two dimensions`;
  throw new ApiFailure(
    requestedName === undefined ? 422 : 400,
    'embedding_not_found',
    `The dataset has no ${which}. ${others}`,
    { details: [{ field: 'axis.embedding', problem: 'is not an embedding of the dataset' }] },
  );
}

function noLine(field: string, message: string): ApiFailure {
  return new ApiFailure(400, 'no_line', message, { details: [{ field, problem: 'is the other end' }] });
}

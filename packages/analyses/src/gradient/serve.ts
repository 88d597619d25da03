import { minCurveCells } from '@cellfolio/analysis';
import {
  countText,
  expressionUnit,
  minPValue,
  plural,
  quotedHead,
  type ResultCaution,
  valueCautions,
} from '@cellfolio/model';
import { embeddingTitle } from '@cellfolio/model/names';
import type { GeneAlong } from '../axis/fields.ts';
import { geneMeans } from '../axis/gene-means.ts';
import { pseudotime } from '../axis/pseudotime.ts';
import type { Context } from '../context.ts';
import type { CodedCaution, Fact } from '../declare.ts';
import type { SampleChoice } from '../fields.ts';
import { serve } from '../serve.ts';
import type { AxisSource, PlacedCells, steps } from './compute.ts';
import {
  gradient,
  type GradientAxis,
  type GradientRequest,
  type GradientResult,
  lineProblem,
  ownGenesText,
  placeText,
  testedSamplesText,
} from './declare.ts';

type Services = Context<typeof steps>;
type Cautions = readonly (CodedCaution<(typeof gradient)['cautions']> | ResultCaution)[];

/** With fewer cells, a few other cells would change the ranking. */
const fewCells = 100;
/** An axis with a higher correlation to the cells' counts is one of depth or size. */
const drivenByCounts = 0.4;
/** Samples that explain a larger share of the axis drive it. */
const drivingShare = 0.3;
/** If a larger share of cells is at one position, little of an axis remains. */
const muchAtOnePlace = 0.5;
const nearlyAll = 0.95;
/** Share of cells before or beyond the ends of a line from which it is reported. */
const muchBeyond = 0.3;
/** Share of cells at one place from which it is told. */
const toldAtOnePlace = 0.1;
/** Default number of genes of each kind in the curves. */
const curvesOfKind = 2;

export const analysis = serve(gradient, {
  async run(sent, context: Services) {
    const named = await context.namedGenes(sent.genes ?? [], 'genes', 'the curves');
    const samples = await context.sampleColumn(sent.samples);
    const column = samples?.column;
    const { genes, ...ofTests } = {
      ...sent,
      ...(sent.samples !== undefined && column !== undefined && { samples: column }),
    };
    const tests = await context.shared('gradient', ofTests, (joined) => testGenes(ofTests, samples, joined));
    const { axis, placed, tested, heatmap } = tests;
    const curves = genes
      ? await geneMeans({ rows: named.rows, order: placed.order, rho: tested.rho }, context)
      : heatmap.flatMap((ofKind) => ofKind.slice(0, curvesOfKind));
    const request = { ...ofTests, axis: axis.axis, ...(genes && { genes }) };
    const { sizes, places } = placed.order;
    return {
      request,
      result: resultOf(tests, samples, context),
      table: tested.table,
      cautions: [...cautionsOf(request, tests, samples, context), ...named.cautions],
      drawing: {
        axis: axis.name,
        unit: axis.unit,
        values: placed.values,
        cells: placed.cells.tested,
        bins: { sizes, places },
        heatmap: heatmap.flat(),
        curves,
        expression: expressionUnit(context.dataset.expression),
      },
    };
  },
  scored({ axis }) {
    return axis.of === 'signature' || axis.of === 'cell-state' ? axis : undefined;
  },
  facts({ result }) {
    const { axis, cells, samples, curve } = result;
    const within = samples?.tested ?? [];
    const together = within.length > 0 ? `within ${plural(within.length, 'sample')}` : 'all cells together';
    const point = (place: readonly number[]) => `(${place.map(placeText).join(', ')})`;
    const shared =
      axis.commonest_share >= toldAtOnePlace
        ? `; ${(100 * axis.commonest_share).toFixed(0)} % of the cells at ${placeText(axis.commonest)}`
        : '';
    const facts: (Fact | undefined)[] = [
      {
        code: 'axis',
        title: 'Axis',
        message: `${axis.name} · ${countText(cells.tested)} of ${countText(cells.analysed)} cells · ${together}`,
      },
      {
        code: 'places',
        title: 'Places',
        message: `${axis.unit}, from ${placeText(axis.least)} to ${placeText(axis.greatest)}${shared}`,
      },
      axis.line === null
        ? undefined
        : {
            code: 'line',
            title: 'Line',
            message: `from ${point(axis.line.from)}, where the axis is 0, to ${point(axis.line.to)}, where it is 1`,
          },
      axis.own_genes.length === 0
        ? undefined
        : { code: 'not-tested', title: 'Not tested', message: ownGenesText(axis.own_genes) },
      {
        code: 'tests',
        title: 'Tests',
        message: `${result.test}, over ${countText(result.genes.tested)} genes that vary`,
      },
      {
        code: 'curve',
        title: 'Curve',
        message: `${curve.degrees} and ${countText(Math.round(curve.left))} degrees of freedom, ${curve.replicates} as replicates; knots at ${curve.knots.map(placeText).join(', ')}`,
      },
      { code: 'samples', title: 'Samples', message: testedSamplesText(samples) },
      axis.counts_rho === null
        ? undefined
        : {
            code: 'counts',
            title: 'Total counts',
            message: `Spearman’s correlation with the axis ${axis.counts_rho.toFixed(2)}`,
          },
    ];
    return facts.filter((fact) => fact !== undefined);
  },
});

interface ResolvedAxis {
  readonly axis: GradientAxis;
  readonly source: AxisSource;
  /** For the middle of a sentence, such as `the expression of CD8A`, and the meaning of its numbers. */
  readonly name: string;
  readonly unit: string;
  /** Rows in var of the genes that define the axis: they follow it by construction. */
  readonly ownRows: readonly number[];
  readonly cautions: Cautions;
}

interface AxisTests {
  readonly axis: Omit<ResolvedAxis, 'source'>;
  readonly placed: PlacedCells;
  readonly tested: Awaited<ReturnType<(typeof steps)['rank']>>;
  /** Genes that rise, fall and turn. */
  readonly heatmap: readonly (readonly GeneAlong[])[];
}

/** The parts of a result that do not depend on the genes of the curves. */
async function testGenes(
  request: Omit<GradientRequest, 'genes'>,
  samples: SampleChoice | undefined,
  context: Services,
): Promise<AxisTests> {
  const { source, ...axis } = await resolvedAxis(request.axis, context);
  const mask = await context.activeCells();
  context.report('Ordering the cells');
  const placed = await context.compute(
    'place',
    {
      mask,
      source,
      name: axis.name,
      degrees: request.degrees,
      samples: samples?.column,
      counts: context.dataset.countsColumn,
      withinSamples: request.within_samples,
    },
    { isLong: true },
  );
  if ('refusal' in placed) {
    const { code, message } = placed.refusal;
    const isOfNames = code === 'unknown_group' || code === 'no_line';
    const field = { field: 'axis', problem: isOfNames ? 'is no line' : 'cannot rank the cells' };
    return context.refuse(code, message, field, isOfNames ? 400 : undefined);
  }
  const { order, basis, within } = placed;
  const inputs = (await context.geneBlocks(false)).map(({ from, to }) => ({
    from,
    to,
    order,
    basis,
    within,
  }));
  const blocks = await context.computeAll('test', inputs, 'Testing the genes');
  const { cellCount, places } = order;
  const { degrees, left, replicates } = basis;
  const tested = await context.compute('rank', {
    blocks,
    order: { cellCount, places },
    curve: { degrees, left, replicates },
    ownRows: axis.ownRows,
  });
  const means = await geneMeans({ rows: tested.most.flat(), order, rho: tested.rho }, context);
  let at = 0;
  const heatmap = tested.most.map(({ length }) => means.slice(at, (at += length)));
  return { axis, placed, tested, heatmap };
}

function resolvedAxis(axis: GradientAxis, context: Services): Promise<ResolvedAxis> | ResolvedAxis {
  switch (axis.of) {
    case 'pseudotime':
      return pseudotimeAxis(axis, context);
    case 'groups':
      return groupsAxis(axis, context);
    case 'line':
      return lineAxis(axis, context);
    default:
      return valueAxis(axis, context);
  }
}

type AxisOf<Of extends GradientAxis['of']> = Extract<GradientAxis, { of: Of }>;

async function valueAxis(
  axis: Exclude<GradientAxis, AxisOf<'pseudotime' | 'groups' | 'line'>>,
  context: Services,
): Promise<ResolvedAxis> {
  const { choice, rows, controlGenes, cautions, ...values } = await context.cellValues(axis, 'axis');
  const genes = rows.length;
  return {
    ...values,
    axis: choice,
    ownRows: rows,
    cautions:
      controlGenes === undefined
        ? cautions
        : [...cautions, { code: 'score-has-control-genes', numbers: { genes, controlGenes } }],
  };
}

async function pseudotimeAxis(
  { of, ...order }: AxisOf<'pseudotime'>,
  context: Services,
): Promise<ResolvedAxis> {
  const request = { ...order, groupby: await context.groupColumn(order.groupby, 'axis.groupby') };
  const ordered = await pseudotime(request, context);
  return {
    axis: { of, ...request },
    source: { from: 'values', values: ordered.pseudotime },
    name: `pseudotime from ${ordered.root.barcode}`,
    unit: 'diffusion pseudotime',
    ownRows: [],
    cautions: ordered.cautions,
  };
}

async function groupsAxis(axis: AxisOf<'groups'>, context: Services): Promise<ResolvedAxis> {
  const embedding = embeddingOf(axis.embedding, context);
  const column = await context.groupColumn(axis.groupby, 'axis.groupby');
  requireLine(axis, context);
  return {
    axis: { ...axis, groupby: column, embedding },
    source: { from: 'groups', embedding, column, groups: [axis.from, axis.to] },
    name: `the line from ${axis.from} to ${axis.to}`,
    unit: `place on the line (${embeddingTitle(embedding)})`,
    ownRows: [],
    cautions: [],
  };
}

function lineAxis(axis: AxisOf<'line'>, context: Services): ResolvedAxis {
  const embedding = embeddingOf(axis.embedding, context);
  requireLine(axis, context);
  const { from, to } = axis;
  const numberText = (value: number) => String(Number(value.toPrecision(4)));
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

function requireLine(axis: GradientAxis, { refuse }: Services): void {
  const problem = lineProblem(axis);
  if (problem !== undefined)
    refuse('no_line', problem, { field: 'axis.to', problem: 'is the other end' }, 400);
}

function embeddingOf(requestedName: string | undefined, { dataset, refuse }: Services): string {
  const name = requestedName ?? dataset.roles.embedding;
  const plane = dataset.embeddings.filter(({ dimensions }) => dimensions >= 2);
  if (name !== undefined && plane.some((one) => one.name === name)) return name;
  const others =
    plane.length === 0
      ? 'It has no two-dimensional embedding: choose another axis.'
      : `Choose one of ${plane.map((one) => quotedHead(one.name, 80)).join(', ')}.`;
  const which = name === undefined ? 'embedding' : `embedding ${quotedHead(name, 80)} of two dimensions`;
  return refuse(
    'embedding_not_found',
    `The dataset has no ${which}. ${others}`,
    { field: 'axis.embedding', problem: 'is not an embedding of the dataset' },
    requestedName === undefined ? undefined : 400,
  );
}

function resultOf(
  { axis, placed, tested }: AxisTests,
  samples: SampleChoice | undefined,
  { dataset, titleOf }: Services,
): GradientResult {
  const { line, basis, commonest, range, within } = placed;
  const replicates = basis.replicates ? 'samples' : 'cells';
  return {
    has_map: dataset.roles.embedding !== undefined,
    axis: {
      name: axis.name,
      unit: axis.unit,
      least: range[0],
      greatest: range[1],
      commonest: commonest.place,
      commonest_share: commonest.share,
      counts_rho: orNull(placed.countsRho),
      own_genes: axis.ownRows.map((row) => dataset.symbols[row] ?? String(row)),
      line: line ? { from: [...line.ends[0]], to: [...line.ends[1]] } : null,
    },
    cells: placed.cells,
    samples: samples
      ? {
          column: samples.column,
          title: titleOf(samples.column),
          reason: samples.reason,
          tested: within?.names.map((name, sample) => ({ name, cells: within.sizes[sample]! })) ?? [],
          share: orNull(placed.samples?.share ?? NaN),
        }
      : null,
    curve: { degrees: basis.degrees, replicates, left: tested.below, knots: [...basis.knots] },
    genes: {
      tested: tested.tested,
      rising: tested.rising,
      falling: tested.falling,
      turning: tested.turning,
    },
    test: testText(placed, tested.below),
  };
}

/** JSON has no NaN. */
function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function testText({ within, basis }: PlacedCells, below: number): string {
  const levels = within ? ' and a level for each sample' : '';
  const freedom = `${Number(below.toPrecision(4))} denominator degrees of freedom`;
  const replicates = basis.replicates
    ? `samples are the replicates: its mean square over that of its differences between samples, in residual variances and shrunk toward those of all genes (limma’s squeezeVar; ${freedom}, fewer by Greenhouse and Geisser)`
    : `each cell counts as a replicate (${freedom})`;
  const correlation = within
    ? `Spearman’s correlation in each of ${within.names.length} samples, combined by Stouffer’s method with the square roots of the numbers of cells as weights`
    : 'Spearman’s correlation over all cells, p-values of Student’s t';
  return `${correlation}; F test of a natural cubic spline of ${plural(basis.degrees, 'degree')} of freedom${levels}, of genes in ${minCurveCells} cells or more, in which ${replicates}; a gene of few cells has fewer degrees of freedom (Box and Andersen); both adjusted by Benjamini and Hochberg`;
}

function cautionsOf(
  { axis: { of }, degrees }: GradientRequest,
  tests: AxisTests,
  samples: SampleChoice | undefined,
  context: Services,
): Cautions {
  const { axis, placed, tested } = tests;
  const { cells, line, basis, countsRho } = placed;
  return [
    ...valueCautions(context.dataset, 'slopes are of the values as they are'),
    ...ofSamples(tests, samples),
    ...ofPlaces(placed),
    ...when(Math.abs(countsRho) >= drivenByCounts, {
      code: 'axis-follows-counts',
      numbers: { rho: countsRho },
    }),
    ...when(of === 'pseudotime' || of === 'groups' || of === 'line', { code: 'axis-made-of-expression' }),
    ...when(tested.zeroPs > 0, {
      code: 'p-values-at-bound',
      numbers: { genes: tested.zeroPs, bound: minPValue },
    }),
    ...axis.cautions,
    ...when(line !== undefined && line.beyond >= muchBeyond, {
      code: 'cells-beyond-the-line',
      numbers: { share: line?.beyond ?? 0 },
    }),
    ...when(cells.tested < fewCells, { code: 'few-cells', numbers: { cells: cells.tested } }),
    ...withinSamples(tests, samples),
    ...when(basis.degrees < degrees, {
      code: 'fewer-degrees-of-freedom',
      numbers: { degrees: basis.degrees, asked: degrees },
    }),
  ];
}

function when(applies: boolean, caution: Cautions[number]): Cautions {
  return applies ? [caution] : [];
}

function ofPlaces({ commonest: { place, share }, cells }: PlacedCells): Cautions {
  const without = cells.analysed - cells.placed;
  const numbers = { place, share };
  const isConstant = share >= nearlyAll;
  return [
    ...when(isConstant, { code: 'axis-nearly-constant', numbers }),
    ...when(share >= muchAtOnePlace && !isConstant, { code: 'many-cells-at-one-place', numbers }),
    ...when(without > 0, { code: 'cells-without-place', numbers: { without, analysed: cells.analysed } }),
  ];
}

function ofSamples({ placed, tested }: AxisTests, samples: SampleChoice | undefined): Cautions {
  const { samples: on, within, cells } = placed;
  const column = samples?.column;
  const counted = on && column !== undefined && on.present >= 2 ? { column, ...on } : undefined;
  return [
    ...(counted && counted.constant * 2 >= counted.present
      ? [
          {
            code: 'axis-of-samples' as const,
            numbers: { column: counted.column, constant: counted.constant, samples: counted.present },
          },
        ]
      : []),
    ...when(within === undefined, {
      code: 'cells-as-replicates',
      numbers: {
        cells: cells.tested,
        tested: tested.tested,
        ...(column !== undefined && { column }),
        ...(on && { samples: on.present, usable: on.usable }),
      },
    }),
    ...(counted && counted.share >= drivingShare
      ? [
          {
            code: 'axis-follows-samples' as const,
            numbers: { column: counted.column, share: counted.share, samples: counted.present },
          },
        ]
      : []),
  ];
}

function withinSamples({ placed }: AxisTests, samples: SampleChoice | undefined): Cautions {
  const { samples: on, within, cells } = placed;
  if (!within) return [];
  const smallest = Math.min(...within.sizes);
  const small = cells.placed - cells.tested;
  return [
    {
      code: 'cells-as-replicates-in-samples',
      numbers: { samples: within.names.length, cells: cells.tested, smallest },
    },
    ...(on && samples && small > 0
      ? [
          {
            code: 'samples-left-out' as const,
            numbers: { cells: small, samples: on.present, usable: on.usable },
          },
        ]
      : []),
  ];
}

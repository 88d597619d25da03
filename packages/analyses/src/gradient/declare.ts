import { countText, listedNames, percentText, plural, pluralWord } from '@cellfolio/model';
import { columnTitle, dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  type AxisBins,
  countedP,
  curveGenes,
  type GeneAlong,
  named,
  pseudotimeFields,
  pseudotimeGraphText,
} from '../axis/fields.ts';
import {
  count,
  declareAnalysis,
  figure,
  number,
  type OfferedFigure,
  optional,
  pValue,
  share,
  text,
} from '../declare.ts';
import { pValuesAtBoundText, valueVariants } from '../fields.ts';
import { field } from '../form.ts';

/** The input of the figures. */
export interface GradientFigure {
  /** Name of the axis within a sentence, and the meaning of its numbers. */
  readonly axis: string;
  readonly unit: string;
  /** Place of each cell; NaN if not tested. */
  readonly values: Float64Array;
  readonly cells: number;
  readonly bins: AxisBins;
  readonly heatmap: readonly GeneAlong[];
  readonly curves: readonly GeneAlong[];
  /** Unit of the genes. */
  readonly expression: string;
}

/** Fewer cells follow an axis by chance. */
export const minCells = 20;
const maxNamesListed = 20;

const point = z.tuple([z.number(), z.number()]);
const embedding = named('Name an embedding.')
  .optional()
  .describe('A key of obsm, whose first two axes are taken; absent for that of the maps.');

const axis = z
  .discriminatedUnion('of', [
    ...valueVariants('Cells are ranked by its expression.'),
    z
      .object({ of: z.literal('pseudotime'), ...pseudotimeFields })
      .describe('Diffusion pseudotime, with the parameters of a trajectory.'),
    z
      .object({
        of: z.literal('groups'),
        groupby: field(named('Name a column of obs.'), {
          label: 'Groups of',
          control: 'groups',
          empties: ['from', 'to'],
        }),
        from: field(dataName, { label: 'From the center of', control: 'group', of: 'groupby' }),
        to: field(dataName, { label: 'To the center of', control: 'group', of: 'groupby' }),
        embedding: field(embedding, { label: 'Map', control: 'embedding' }),
      })
      .describe(
        'The line from the center of a group to that of another on an embedding: cells are projected on it; 0 is the first center, 1 the second.',
      ),
    z
      .object({
        of: z.literal('line'),
        from: field(point, {
          label: 'Line',
          control: 'line',
          also: ['to', 'embedding'],
          hint: 'All cells are projected on the line, including those beyond its ends. To leave out others, activate a subset of the cells along it.',
        }),
        to: point,
        embedding,
      })
      .describe('The line from a point of an embedding (0) to another (1): cells are projected on it.'),
  ])
  .meta({ id: 'GradientAxis', description: 'The axis that genes are tested along.' });
export type GradientAxis = z.output<typeof axis>;

const integer = z.number().int();
const end = z.array(z.number()).length(2);

const result = z.object({
  has_map: z.boolean().describe('The dataset has an embedding, so that there is a `gradient-umap`.'),
  axis: z
    .object({
      name: z.string().describe('What the axis is, in words.'),
      unit: z.string().describe('What its numbers mean, in words.'),
      least: z.number().describe('The lowest place of a cell.'),
      greatest: z.number().describe('The highest place of a cell.'),
      commonest: z.number().describe('The place that most cells share.'),
      commonest_share: z.number().describe('Share of the cells at that place.'),
      counts_rho: z
        .number()
        .nullable()
        .describe(
          'Spearman’s correlation of the axis with the total counts of the cells; `null` where no column has them.',
        ),
      own_genes: z.array(z.string()).describe('Genes that define the axis, which are not tested.'),
      line: z.object({ from: end, to: end }).nullable().describe('Ends of a line on an embedding.'),
    })
    .describe('The axis as it was taken.'),
  cells: z
    .object({
      analysed: integer.describe('Active cells.'),
      placed: integer.describe('Of these, with a place on the axis.'),
      tested: integer.describe('Of these, in samples that are tested.'),
    })
    .describe('Numbers of cells.'),
  samples: z
    .object({
      column: z.string(),
      title: z.string(),
      reason: z.string().describe('Why this column is taken for that of the samples.'),
      tested: z
        .array(z.object({ name: z.string(), cells: integer }))
        .describe('Samples tested by themselves; none where all cells were tested together.'),
      share: z
        .number()
        .nullable()
        .describe('Share of the variance of the axis that samples explain (eta squared).'),
    })
    .nullable()
    .describe('`null` where no column of samples is known.'),
  curve: z
    .object({
      degrees: integer.describe('Degrees of freedom of the natural cubic spline.'),
      replicates: z
        .enum(['samples', 'cells'])
        .describe('Replicates of the F test: samples if two or more are tested, else cells.'),
      left: z
        .number()
        .describe(
          'Degrees of freedom of the F test below the line: of cells, or of the differences between samples with what those of all genes are worth.',
        ),
      knots: z.array(z.number()).describe('Places on the axis.'),
    })
    .describe('The curve that is tested.'),
  genes: z
    .object({
      tested: integer,
      rising: integer.describe('Adjusted p below 0.05 and a positive correlation.'),
      falling: integer.describe('Adjusted p below 0.05 and a negative correlation.'),
      turning: integer.describe(
        'Adjusted p of the curve below 0.05, and it explains more than twice the square of the correlation.',
      ),
    })
    .describe('Numbers of genes.'),
  test: z.string().describe('The tests, in words.'),
});
type Result = z.output<typeof result>;

/** Correlates genes with a continuous axis of the cells, and tests curves along it. */
export const gradient = declareAnalysis({
  id: 'gradient',
  title: 'Gradient Analysis',
  task: 'order',
  question: 'Which genes change along a gene, a score or a line on the map?',
  searchWords: 'axis line curve',
  questionPhrases: ['gradient', 'along', 'correlate', 'correlated'],
  icon: 'rise',
  summary: 'Rank genes along a continuous axis of the active cells',
  path: '/api/perform-gradient-analysis',
  fields: { table: 'genes', figure: 'figure' },
  file: 'gradient_genes',
  about:
    'Every gene is rank-correlated with the axis and tested for a smooth curve along it, which may rise and fall. Genes that define the axis are not tested.',
  request: z.object({
    axis: field(axis, {
      label: 'Axis',
      control: 'variants',
      choices: {
        gene: ['Expression of a gene'],
        signature: ['Score of a signature'],
        'cell-state': ['Score of a cell state'],
        column: ['Column of numbers'],
        pseudotime: ['Pseudotime of a trajectory'],
        groups: ['Line from one group to another'],
        line: ['Line between two points of the map'],
      },
    }),
    within_samples: field(
      z
        .boolean()
        .default(true)
        .describe(
          `Correlations are computed in each sample of at least ${minCells} cells and combined, and curves have a level for each sample, where samples are known; else over all cells together.`,
        ),
      {
        label: 'Test',
        choices: {
          true: [
            'Within each sample, combined',
            `Differences between samples are ignored; samples with fewer than ${minCells} cells are left out.`,
          ],
          false: ['Over all cells together'],
        },
      },
    ),
    samples: field(
      named('Name a column of obs.')
        .optional()
        .describe(
          'The column of obs that says which sample a cell is from; absent for the one that is known of the dataset.',
        ),
      { label: 'Samples', control: 'column' },
    ),
    degrees: field(
      integer.min(1).max(8).default(4).meta({
        title: 'Degrees of Freedom',
        description: 'Of the curve that is tested: a natural cubic spline; 1 is a straight line.',
      }),
      { step: 1 },
    ),
    genes: curveGenes('that follow the axis most', 'the axis'),
  }),
  result,
  table: {
    names: text('Gene'),
    rho: number(
      'Spearman’s correlation',
      'of all cells, or the mean of samples with the weight of their cells; empty for genes of the axis, which have no tests',
    ),
    pvals: pValue('P-value'),
    pvals_adj: pValue('Adjusted p-value'),
    samples: optional(count('Samples', 'those in which the gene varies')),
    agreeing: optional(count('Agreeing', 'those with the direction of the combined test')),
    rho_all_cells: optional(number('Over all cells', 'ignores samples')),
    f: number('F of the curve'),
    f_pvals: pValue('P of the curve'),
    f_pvals_adj: pValue('Adjusted p of the curve'),
    explained: share('Explained by the curve', 'share of the variance of cells'),
    range: number('Range along the axis', 'the highest minus the lowest mean of bins along the axis'),
    peak: number('Peak at', 'the place of the greatest'),
    pct_nz: share('Expressing', 'share of cells with a value other than 0'),
    mean: number('Mean'),
  },
  rows: { one: 'gene', many: 'genes', order: 'the surest first' },
  figure: figure<GradientFigure>('gradient-heatmap', 'Heatmap'),
  cautions: {
    'axis-of-samples': (
      { column, constant, samples }: { column: string; constant: number; samples: number },
      { result: { axis: on } },
    ) =>
      `In ${constant} of ${samples} samples (${columnTitle(column)}) all cells have the same place on ${on.name}: it is a property of samples, for which cells are not replicates. Run pseudobulk with this column as covariate.`,
    'axis-nearly-constant': (
      { place, share: of }: { place: number; share: number },
      { result: { axis: on } },
    ) =>
      `${percentText(of)} of the cells have the same place on ${on.name}, ${numberText(place)}: the result depends on the few others, up to ${numberText(on.greatest)}. Choose another axis.`,
    'many-cells-at-one-place': (
      { place, share: of }: { place: number; share: number },
      { request, result: { axis: on } },
    ) =>
      request.axis.of === 'gene' && place === 0
        ? `${percentText(of)} of the cells do not express the gene of the axis and share one rank: interpret the result mostly as cells with it against cells without.`
        : `${percentText(of)} of the cells have the same place on ${on.name}, ${numberText(place)}, and share one rank: analyze the others separately.`,
    'cells-as-replicates': (
      { cells, tested, ...of }: { cells: number; tested: number; column?: string; samples?: number },
      { request },
    ) =>
      `${togetherText(of, request.within_samples)}: each of ${plural(cells, 'cell')} counts as a replicate, and differences between samples look like a gradient. The p-values of ${countText(tested)} genes are too small: use them only to rank genes.`,
    'axis-follows-samples': (
      { column, share: of }: { column: string; share: number; samples: number },
      { result: { axis: on, samples } },
    ) =>
      `Samples (${columnTitle(column)}) explain ${percentText(of)} of the variance of ${on.name}. ${
        samples !== null && samples.tested.length > 0
          ? 'Tests within samples are not affected; heatmap and curves, drawn from all cells, are.'
          : 'Genes may differ between samples instead: test within samples.'
      }`,
    'axis-follows-counts': ({ rho }: { rho: number }, { result: { axis: on } }) =>
      `${on.name[0]!.toUpperCase()}${on.name.slice(1)} follows the total counts of the cells (Spearman ${rho.toFixed(2)}): it may show sequencing depth or cell size. Repeat it on cells with similar counts.`,
    'axis-made-of-expression': (_: undefined, { request }) => madeOfExpressionText(request.axis.of),
    'p-values-at-bound': ({ genes }: { genes: number; bound: number }) => pValuesAtBoundText(genes),
    'score-has-control-genes': ({ controlGenes }: { genes: number; controlGenes: number }) =>
      `The score is the mean of its genes minus that of ${controlGenes} control genes: its genes are not tested, and control genes fall with it by construction.`,
    'cells-beyond-the-line': ({ share: of }: { share: number }) =>
      `${percentText(of)} of the cells are beyond the ends of the line and are ranked with the others. To leave them out, activate a subset of the cells along it.`,
    'few-cells': ({ cells }: { cells: number }) =>
      `${plural(cells, 'cell')} are few for a gradient: a few different cells could change it. Use more cells, or confirm it in others.`,
    'cells-as-replicates-in-samples': (
      { samples: tested, smallest }: { samples: number; cells: number; smallest: number },
      { result: { samples, curve } },
    ) =>
      `The correlations do not generalize to other samples: they are combined from ${tested} samples of ${samples ? columnTitle(samples.column) : 'the dataset'}, and each cell counts as a replicate. Check how many samples agree${curve.replicates === 'cells' ? '' : ', and the p-value of the curve, which treats samples as replicates'}. The smallest sample, ${listedNames([smallestSample(samples).name])}, has ${plural(smallest, 'cell')}.`,
    'cells-without-place': (
      { without, analysed }: { without: number; analysed: number },
      { result: { axis: on } },
    ) =>
      `${plural(without, 'cell')} of ${countText(analysed)} have no place on ${on.name} and ${pluralWord(without, 'is', 'are')} left out: check that they are not all of one type.`,
    'samples-left-out': (
      { cells, samples: present, usable }: { cells: number; samples: number; usable: number },
      { result: { samples } },
    ) =>
      `${plural(cells, 'cell')} ${pluralWord(cells, 'is', 'are')} left out: their samples of ${columnTitle(samples?.column ?? '')} have fewer than ${minCells} cells on the axis or one place on it (${present - usable} of ${present}), or they have no sample. Check that the others represent them.`,
    'fewer-degrees-of-freedom': ({ degrees, asked: requested }: Record<'degrees' | 'asked', number>) =>
      `The curves have ${degrees} of the ${requested} requested degrees of freedom: the axis has too few different places for more.`,
  },
  headline: ['axis'],
  verb: 'Testing',
  describe({ axis: chosen }, answer) {
    if (answer === undefined) {
      const how = chosen.of === 'pseudotime' ? pseudotimeGraphText(chosen) : '';
      return [`genes along ${axisText(chosen)}`, how];
    }
    const { genes, curve } = answer;
    const turning = curve.degrees > 1 ? `; the curves of ${countText(genes.turning)} turn` : '';
    return [
      `along ${answer.axis.name}`,
      `${countText(genes.rising)} genes rise and ${countText(genes.falling)} fall, adjusted p < ${countedP}${turning}`,
    ];
  },
  nothing(_, { genes }) {
    if (genes.rising + genes.falling + genes.turning > 0) return undefined;
    return {
      title: 'No Genes Along the Axis',
      text: `None of ${countText(genes.tested)} genes that vary follows the axis with an adjusted p-value below ${countedP}. The table has all of them.`,
    };
  },
  offered: {
    title: 'Figures',
    figures(request, { axis: on, has_map: hasMap }) {
      return [
        figureOf('gradient-heatmap', 'Heatmap of genes', 'heatmap'),
        figureOf('gradient-curve', 'Curves of genes', 'curves'),
        ...(hasMap ? [figureOf('gradient-umap', 'The axis on the UMAP', 'map of the axis')] : []),
      ];
      function figureOf(kind: string, label: string, word: string): OfferedFigure {
        return {
          label,
          word,
          file: kind.replaceAll('-', '_'),
          content: { ...request, kind },
          about: `, along ${on.name}`,
        };
      }
    },
  },
  notes({ axis: chosen, within_samples: isWithin = true, samples }, dataset) {
    const problem = chosen && lineProblem(chosen);
    const isKnown = (samples ?? dataset.samples) !== undefined;
    const detected = dataset.samples?.column;
    return {
      ...(problem !== undefined && { axis: { problem } }),
      within_samples: isWithin
        ? isKnown
          ? {}
          : {
              warning:
                'No sample column is known: choose one, or all cells are tested together and p-values are too small.',
            }
        : {
            warning:
              'Each cell counts as a replicate, and differences between samples look like a gradient: p-values are too small.',
          },
      samples: {
        ...(!isWithin && { isAbsent: true }),
        empty: detected === undefined ? 'None detected' : `${columnTitle(detected)} (detected)`,
      },
    };
  },
});

export type GradientRequest = z.output<typeof gradient.request>;
export type GradientResult = Result;

/** Why the ends of a line, which may be missing, are no line. */
export function lineProblem(chosen: Partial<GradientAxis>): string | undefined {
  if (chosen.of === 'groups' && chosen.from !== undefined && chosen.from === chosen.to)
    return 'Choose two groups: the line connects their centers.';
  if (chosen.of !== 'line' || chosen.from === undefined || chosen.to === undefined) return undefined;
  const [from, to] = [chosen.from, chosen.to];
  return from[0] === to[0] && from[1] === to[1]
    ? 'The line has no length: enter two different ends.'
    : undefined;
}

function axisText(chosen: GradientAxis): string {
  switch (chosen.of) {
    case 'gene':
      return `the expression of ${chosen.gene}`;
    case 'signature':
      return `the score of ${chosen.score_name || 'a signature'} (${plural(chosen.genes.length, 'gene')})`;
    case 'cell-state':
      return `the score of ${chosen.cell_state}`;
    case 'column':
      return columnTitle(chosen.column);
    case 'pseudotime':
      return 'pseudotime';
    case 'groups':
      return `the line from ${chosen.from} to ${chosen.to}`;
    case 'line':
      return 'a line on the map';
  }
}

/** The sample with the fewest cells of those that were tested by themselves. */
function smallestSample(samples: Result['samples']): { readonly name: string; readonly cells: number } {
  return (samples?.tested ?? []).toSorted((one, other) => one.cells - other.cells)[0]!;
}

/** Why all cells were tested together. */
function togetherText(
  { column, samples }: { readonly column?: string; readonly samples?: number },
  isWithin: boolean,
): string {
  if (column === undefined) return 'No sample column is known';
  const title = columnTitle(column);
  if (!isWithin) return `The samples of ${title} were not tested separately, as chosen`;
  return samples === undefined
    ? `${title} has too many values to be samples`
    : `Fewer than two samples of ${title} have ${minCells} cells along the axis`;
}

function madeOfExpressionText(of: GradientAxis['of']): string {
  const isTime = of === 'pseudotime';
  const reason = isTime
    ? 'The same expression ordered the cells and is tested'
    : 'The map was computed from the same expression that is tested';
  const distance = isTime
    ? ''
    : ' Distances on such a map have no unit, and even cells far from the line are projected on it.';
  return `${reason}: genes follow the axis by construction. Use the p-values to rank genes, not as evidence of a process.${distance}`;
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A place on the axis for the page. */
export function placeText(value: number): string {
  return String(Number(value.toPrecision(4))).replace('-', '−');
}

export function ownGenesText(genes: readonly string[]): string {
  const which = genes.length === 1 ? 'the gene' : `the ${plural(genes.length, 'gene')}`;
  return `${which} of the axis: ${listedNames(genes, maxNamesListed)}`;
}

export function testedSamplesText(samples: Result['samples']): string {
  if (samples === null) return 'no sample column is known';
  const { title, reason, tested } = samples;
  if (tested.length === 0) return `${title} (${reason}), not tested by themselves`;
  const names = tested.map(({ name, cells }) => `${name} (${countText(cells)})`);
  return `${title} (${reason}): ${listedNames(names, maxNamesListed)}`;
}

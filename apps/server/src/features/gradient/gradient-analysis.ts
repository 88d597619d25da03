import { minCurveCells } from '@cellfolio/analysis';
import type { GradientParameters } from '@cellfolio/analysis/parameters';
import { columnTitle, csvComments, type GradientAnswer } from '@cellfolio/contract';
import { countText, expressionUnit, noteLines, plural, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { Dataset } from '@cellfolio/store';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, datasetOf, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import { countedP } from './gene-tasks.ts';
import type { Gradient, GradientDeps, Gradients } from './gradients.ts';

export interface GradientAnalysisDeps {
  figures: FigureService;
  gradients: Gradients;
  datasets: GradientDeps['datasets'];
}

export async function analyseGradient(
  { figures, gradients, datasets }: GradientAnalysisDeps,
  selection: Selection,
  request: GradientParameters,
  call: CallContext,
): Promise<GradientAnswer> {
  const result = await gradients.run(selection, request, call);
  const { parameters, axis, ordered, table, samples, cautions } = result;
  call.onProgress({ stage: 'Drawing the heatmap', done: 0, total: 1 });
  const content = { kind: 'gradient-heatmap', ...parameters } as const;
  const gradient = gradientOf(selection, result);
  const figure = await figures.draw(selection, content, call, { gradient });
  const comments = csvComments(headLines(selection, result));
  const { genes } = await datasets.get(datasetOf(selection));
  return {
    genes_csv: `${comments}${csvLine(table.columns)}${table.rows}`,
    ...figureFields('figure', figure),
    source: sourceOf(selection, content),
    has_map: selection.manifest.roles.embedding !== undefined,
    parameters,
    axis: {
      name: axis.name,
      unit: axis.unit,
      least: ordered.range[0],
      greatest: ordered.range[1],
      commonest: ordered.commonest.place,
      commonest_share: ordered.commonest.share,
      counts_rho: orNull(ordered.countsRho),
      own_genes: ownGenes(result, genes),
      line: ordered.line ? { from: [...ordered.line.ends[0]], to: [...ordered.line.ends[1]] } : null,
    },
    cells: ordered.cells,
    samples: samples
      ? {
          column: samples.column,
          title: columnTitle(samples.column, selection.own),
          reason: samples.reason,
          tested: ordered.within ? [...ordered.within] : [],
          share: orNull(ordered.samples?.share ?? NaN),
        }
      : null,
    curve: {
      degrees: ordered.curve.degrees,
      replicates: ordered.curve.replicates,
      left: table.below,
      knots: [...ordered.curve.knots],
    },
    genes: {
      tested: table.tested,
      rising: table.rising,
      falling: table.falling,
      turning: table.turning,
    },
    test: testWords(result),
    ...notesOf(selection, cautions),
  };
}

/** JSON has no NaN. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

function ownGenes({ axis: { ownRows } }: Gradient, genes: Dataset['genes']): string[] {
  return ownRows.map((row) => genes.symbols[row] ?? String(row));
}

function testWords({ ordered: { within, curve }, table }: Pick<Gradient, 'ordered' | 'table'>): string {
  const levels = within ? ' and a level for each sample' : '';
  const freedom = `${Number(table.below.toPrecision(4))} denominator degrees of freedom`;
  const replicates =
    curve.replicates === 'cells'
      ? `each cell counts as a replicate (${freedom})`
      : `samples are the replicates: its mean square over that of its differences between samples, in residual variances and drawn towards those of all genes (limma’s squeezeVar; ${freedom}, fewer by Greenhouse and Geisser)`;
  const correlation = within
    ? `Spearman’s correlation in each of ${within.length} samples, combined by Stouffer’s method with the roots of the numbers of cells for weights`
    : 'Spearman’s correlation over all cells, p-values of Student’s t';
  return `${correlation}; F test of a natural cubic spline of ${plural(curve.degrees, 'degree')} of freedom${levels}, of genes in ${minCurveCells} cells or more, in which ${replicates}; a gene of few cells has fewer degrees of freedom (Box and Andersen); both adjusted by Benjamini and Hochberg`;
}

function headLines(selection: Selection, gradient: Gradient): string[] {
  const { axis, ordered, table, cautions } = gradient;
  const { analysed, tested } = ordered.cells;
  const own = axis.ownRows.length;
  const columns = ordered.within
    ? 'rho is the mean of the correlations of the samples with the weight of their cells, samples counts those in which the gene varies, agreeing those with the direction of the combined test, rho_all_cells ignores samples; '
    : '';
  return [
    ...definitionLines(selection, { call: 'perform-gradient-analysis', parameters: gradient.parameters }),
    `Axis: ${axis.name}; ${countText(tested)} of ${countText(analysed)} cells are tested, from ${ordered.range[0]} to ${ordered.range[1]}`,
    `Tests: ${testWords(gradient)}, over ${countText(table.tested)} genes that vary${own > 0 ? ` without the ${own === 1 ? 'gene' : `${countText(own)} genes`} of the axis` : ''}`,
    `Columns: ${columns}f and f_pvals are of the curve, explained is the share of the variance of cells that it explains, range the greatest less the least mean of ${ordered.order.sizes.length} bins along the axis, peak the place of the greatest, pct_nz the share of cells with a value other than 0; an adjusted p below ${countedP} is counted`,
    ...noteLines(cautions),
  ];
}

type GradientPlotInput = Extract<PlotInput, { from: 'gradient' }>;

export function gradientInputs({ gradients }: { gradients: Gradients }) {
  return {
    version: ({ parameters }: GradientPlotInput) => gradients.version(parameters),
    async find(
      selection: Selection,
      { parameters }: GradientPlotInput,
      call: CallContext,
    ): Promise<InputValues['gradient']> {
      return gradientOf(selection, await gradients.run(selection, parameters, call));
    },
  };
}

function gradientOf({ manifest }: Selection, gradient: Gradient): InputValues['gradient'] {
  const { axis, ordered, heatmap, curves, cautions } = gradient;
  return {
    axis: axis.name,
    unit: axis.unit,
    values: ordered.values,
    cells: ordered.cells.tested,
    bins: ordered.order,
    heatmap,
    curves,
    expression: expressionUnit(manifest.expression),
    cautions: resultNotes(cautions).warnings,
  };
}

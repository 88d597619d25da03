import type { CoExpressionParameters } from '@cellfolio/analysis/parameters';
import { type CoExpressionAnswer, csvComments } from '@cellfolio/contract';
import { countText, noteLines, percentText, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { graphWords } from '../cell-graph/index.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, datasetOf, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import type { CoExpression } from './cautions.ts';
import type { CoExpressions } from './co-expressions.ts';
import { moduleColumns } from './module-tasks.ts';

export interface CoExpressionDeps {
  figures: FigureService;
  coExpressions: CoExpressions;
  datasets: OpenDatasets;
}

const hubsNamed = 5;

export async function analyseCoExpression(
  { figures, coExpressions, datasets }: CoExpressionDeps,
  selection: Selection,
  request: CoExpressionParameters,
  call: CallContext,
): Promise<CoExpressionAnswer> {
  const result = await coExpressions.run(selection, request, call);
  const { parameters, tested, found, checks, cells, cautions } = result;
  call.onProgress({ stage: 'Drawing the modules', done: 0, total: 1 });
  const { symbols } = (await datasets.get(datasetOf(selection))).genes;
  const content = { kind: 'module-heatmap', ...parameters } as const;
  const figure = await figures.draw(selection, content, call, {
    'co-expression': modulesOf(result, symbols),
  });
  const orNull = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
  return {
    genes_csv: `${csvComments(headLines(selection, result))}${csvLine(moduleColumns)}${found.table}`,
    ...figureFields('figure', figure),
    source: sourceOf(selection, content),
    parameters,
    model: modelWords(result),
    neighbors: neighbourWords(result),
    cells: { analysed: cells.analysed, without_components: cells.without },
    genes: { tested: tested.tested, passing: tested.passing, paired: tested.rows.length },
    shuffled: result.nullCheck
      ? {
          genes: result.nullCheck.genes,
          shuffles: result.nullCheck.shuffles,
          deviation: result.nullCheck.deviation,
          below: result.nullCheck.below,
          below_as_normal: result.nullCheck.belowAsNormal,
        }
      : null,
    threshold: found.threshold,
    modules: found.modules.map(({ name, rows, mitochondrial, ribosomal }, at) => ({
      name,
      genes: Array.from(rows, (row) => symbols[row] ?? String(row)),
      depth_correlation: orNull(checks[at]?.depth),
      samples_share: orNull(checks[at]?.samples),
      mitochondrial_share: mitochondrial,
      ribosomal_share: ribosomal,
    })),
    samples: result.samples?.column ?? null,
    ...notesOf(selection, cautions),
  };
}

function modelWords({ parameters: { model } }: CoExpression): string {
  return model === 'danb'
    ? 'raw counts, expected from the total counts of each cell (depth-adjusted negative binomial)'
    : 'expression values, expected from the summed expression of each cell (normal)';
}

function neighbourWords({ graphSource }: CoExpression): string {
  return `${graphWords(graphSource, false)}, with Gaussian weights`;
}

function headLines(selection: Selection, result: CoExpression): string[] {
  const { parameters, tested, found, cells, cautions } = result;
  const { fdr, min_cells, min_module_genes } = parameters;
  return [
    ...definitionLines(selection, { call: 'perform-co-expression-analysis', parameters }),
    `Genes: local autocorrelation as in Hotspot (DeTomaso and Yosef 2021): ${modelWords(result)}; c from -1 to 1, z in standard deviations as Hotspot has it, one-sided p-values of a gamma distribution (Pearson's type III) with the skewness that z of the gene has where its values are at other cells, where Hotspot takes z for normal, adjusted by Benjamini and Hochberg over ${countText(tested.tested)} genes that ${min_cells} cells or more express; pct_nz is the share of cells with a value other than 0`,
    ...shuffledLine(result),
    `Graph: of ${countText(cells.analysed)} cells, ${neighbourWords(result)}`,
    `Modules: average linkage of the local correlations of the ${countText(tested.rows.length)} genes with the highest z among ${countText(tested.passing)} with an adjusted p below ${fdr}, cut at z ${found.threshold.toFixed(3)}, at least ${min_module_genes} genes each, cores only; module_z is the mean local correlation with the other genes of the module, "none" a gene that was correlated and is in no module, an empty group one that was not`,
    ...noteLines(cautions),
  ];
}

function shuffledLine({ nullCheck }: CoExpression): string[] {
  if (!nullCheck) return [];
  const { genes, shuffles, deviation, below, belowAsNormal } = nullCheck;
  return [
    `Null: ${countText(genes)} of the genes with their values shuffled over the cells ${shuffles} times: standard deviation of z ${deviation.toFixed(2)}, p below 0.05 in ${percentText(below)} (${percentText(belowAsNormal)} where z is taken for normal)`,
  ];
}

type CoExpressionPlotInput = Extract<PlotInput, { from: 'co-expression' }>;

export function coExpressionInputs({
  coExpressions,
  datasets,
}: Pick<CoExpressionDeps, 'coExpressions' | 'datasets'>) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters }: CoExpressionPlotInput,
      call: CallContext,
    ): Promise<InputValues['co-expression']> {
      const { symbols } = (await datasets.get(datasetOf(selection))).genes;
      return modulesOf(await coExpressions.run(selection, parameters, call), symbols);
    },
  };
}

function modulesOf(
  { found, tested, cells, cautions }: CoExpression,
  symbols: readonly string[],
): InputValues['co-expression'] {
  const nameOf = (row: number) => symbols[row] ?? String(row);
  return {
    genes: Array.from(found.order, (row, at) => ({
      gene: nameOf(row),
      module: found.moduleOf[at]!,
      withinModule: found.withinModule[at]!,
    })),
    scores: found.scores,
    modules: found.modules.map(({ name, rows }) => ({
      name,
      size: rows.length,
      hubs: Array.from(rows.subarray(0, hubsNamed), nameOf),
    })),
    threshold: found.threshold,
    cells: cells.analysed,
    tested: tested.tested,
    passing: tested.passing,
    cautions: resultNotes(cautions).warnings,
  };
}

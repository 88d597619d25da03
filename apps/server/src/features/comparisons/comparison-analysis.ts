import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { type ComparisonAnswer, csvComments, columnTitle } from '@cellfolio/contract';
import { countText } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/plots';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { csvLine } from '../../runtime/tables/csv.ts';
import { base64Of, type FigureService, printPixels } from '../explore/index.ts';
import { fewCells } from '../markers/index.ts';
import { type Selection, sourceOf } from '../selection/index.ts';
import { sampleCounts } from './cautions.ts';
import type { Comparison, Comparisons } from './comparisons.ts';
import { tableColumns } from './tasks.ts';

export interface ComparisonAnalysisDeps {
  readonly datasets: OpenDatasets;
  readonly figures: FigureService;
  readonly comparisons: Comparisons;
}

/** The whole table of a comparison, its volcano plot, and what was compared. */
export async function analyseComparison(
  { datasets, figures, comparisons }: ComparisonAnalysisDeps,
  selection: Selection,
  asked: ComparisonParameters,
  waiting: Waiting,
): Promise<ComparisonAnswer> {
  const found = await comparisons.run(selection, asked, waiting);
  const { parameters, parts, tables, samples, cautions } = found;
  const { symbols } = (await datasets.get(selection.manifest)).genes;
  waiting.onProgress({ stage: 'Drawing the genes', done: 0, total: 1 });
  const content = { kind: 'volcano', ...parameters } as const;
  const comparison = comparedGenes(found, symbols);
  const figure = await figures.draw(selection, content, waiting, { comparison });
  const columns = tableColumns(parameters.method, parameters.within !== undefined);
  const cells = (side: 'a' | 'b') => parts.reduce((sum, part) => sum + part[side], 0);
  return {
    deg_csv: `${csvComments(headLines(selection, found))}${csvLine(columns)}${tables.map(({ rows }) => rows).join('')}`,
    volcano_image: base64Of(figure),
    volcano_width: figure.width,
    volcano_height: figure.height,
    volcano_print: printPixels(figure),
    figure: figure.spec,
    source: sourceOf(selection, content),
    parameters,
    test: testWords(parameters),
    a: { name: parameters.a.name, cells: cells('a') },
    b: { name: nameOfB(parameters), cells: cells('b') },
    samples: samples ? { column: samples.column, reason: samples.reason, ...sampleCounts(samples) } : null,
    groups: parts.map(({ name, a, b }, place) => ({
      name,
      cells_a: a,
      cells_b: b,
      higher: tables[place]!.higher,
      lower: tables[place]!.lower,
      few_cells: Math.min(a, b) < fewCells,
    })),
    gene_count: selection.manifest.geneCount,
    warnings: [...cautions],
  };
}

function nameOfB({ b }: ComparisonParameters): string {
  return b?.name ?? 'all other active cells';
}

function testWords({ method, tie_correct: tieCorrect }: ComparisonParameters): string {
  if (method === 't-test') return 'Welch’s t-test of cells';
  return `Wilcoxon rank-sum test of cells${tieCorrect ? ', corrected for ties' : ''}`;
}

/** All that somebody who has the file alone has to know of it. */
function headLines(
  { manifest, subset }: Selection,
  { parameters, parts, samples, cautions }: Comparison,
): string[] {
  const { within, min_cells: minCells, pvals_adj: p, logfoldchanges: change } = parameters;
  const cells = (side: 'a' | 'b') => countText(parts.reduce((sum, part) => sum + part[side], 0));
  return [
    `Data: ${manifest.catalogue.name} (${manifest.id}), version ${manifest.version}; ${subset ? `active subset ${subset.subset_group_name}` : 'all cells'}`,
    `A: ${parameters.a.name}, ${cells('a')} cells; B: ${nameOfB(parameters)}, ${cells('b')} cells${within === undefined ? '' : `; within each group of ${columnTitle(within)}`}`,
    `Test: ${testWords(parameters)}, scores and p-values as scanpy's rank_genes_groups with reference B; p-values adjusted by Benjamini and Hochberg over all genes${within === undefined ? '' : ' of a group'}`,
    'Fold changes: log2 of expm1 of the mean log-normalised value of A over that of B, 1e-9 added to both, as scanpy has them; positive is higher in A',
    `Columns: pct_nz_a and pct_nz_b are shares of cells with a value above or below 0, mean_a and mean_b mean log-normalised values over all cells${parameters.method === 'wilcoxon' ? ', auc the area under the ROC curve of A against B' : ''}`,
    `Parameters: at least ${minCells} cells a side; counted as differing: adjusted p < ${p} and |log2 fold change| >= ${change}; no gene is left out of the table`,
    ...(samples
      ? [
          `Samples: ${samples.column} (${samples.reason}), ${countText(sampleCounts(samples).a)} in A, ${countText(sampleCounts(samples).b)} in B`,
        ]
      : []),
    ...cautions.map(({ message }) => message),
  ];
}

/** Place of the table with most genes that pass, the first of equals. */
function mostDiffering(tables: Comparison['tables']): number {
  const counts = tables.map(({ higher, lower }) => higher + lower);
  return counts.indexOf(Math.max(...counts));
}

type ComparisonInput = Extract<PlotInput, { from: 'comparison' }>;

/** For figures: comparisons, made where they are not known. */
export function comparisonInputs({
  comparisons,
  datasets,
}: {
  comparisons: Comparisons;
  datasets: OpenDatasets;
}) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters, part }: ComparisonInput,
      waiting: Waiting,
    ): Promise<InputValues['comparison']> {
      const found = await comparisons.run(selection, parameters, waiting);
      return comparedGenes(found, (await datasets.get(selection.manifest)).genes.symbols, part);
    },
  };
}

/** Throws ApiFailure 422 for a category that was not compared. */
function comparedGenes(
  { parameters, parts, tables, cautions }: Comparison,
  symbols: readonly string[],
  named?: string,
): InputValues['comparison'] {
  const place = named === undefined ? mostDiffering(tables) : parts.findIndex(({ name }) => name === named);
  const [part, table] = [parts[place], tables[place]];
  if (!part || !table) {
    const message = 'The group that is to be drawn was not compared: it has too few cells of A or B.';
    throw new ApiFailure(422, 'group_not_compared', message);
  }
  const { pvals_adj: adjustedP, logfoldchanges: foldChange } = parameters;
  return {
    a: parameters.a.name,
    b: nameOfB(parameters),
    part: part.name,
    test: testWords(parameters),
    cells: { a: part.a, b: part.b },
    genes: symbols,
    foldChanges: table.logfoldchanges,
    adjustedPs: table.pvals_adj,
    scores: table.scores,
    means: table.means,
    meanTitle: 'mean log-normalised expression of A and B',
    thresholds: { adjustedP, foldChange },
    cautions,
  };
}

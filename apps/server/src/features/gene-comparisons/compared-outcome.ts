import { type ComparedGenes, nameOfB } from '@cellfolio/analyses';
import type { ComparedOutcome } from '@cellfolio/analyses/serve';
import {
  cellTestWords,
  type ComparisonParameters,
  foldChangeWords,
  isOfSums,
} from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { countText, resultNotes } from '@cellfolio/model';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { labelIn, namesNote } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { fewCells, thinningLine } from '@cellfolio/analyses/cautions';
import { samplesAnswer } from '../../runtime/sample-column.ts';
import type { Selection } from '../selection/index.ts';
import { sampleCounts } from './cautions.ts';
import { type ComparedTable, untestedColumn } from './compared-table.ts';
import type { Comparison, Comparisons } from './comparisons.ts';
import { pseudobulkAnswer } from './pseudobulk/answer.ts';
import { sumTableColumns } from './pseudobulk/sum-table.ts';
import { sumHeadLines, sumTestsWords, sumTestWords } from './pseudobulk/words.ts';
import { cellTableColumns } from './tasks.ts';

/** A comparison as the outcome of an analysis: its parts are kept here, and its table is written from them. Throws as `run`. */
export async function comparedOutcome(
  { datasets, comparisons }: { datasets: OpenDatasets; comparisons: Comparisons },
  selection: Selection,
  request: ComparisonParameters,
  call: CallContext,
): Promise<ComparedOutcome> {
  const comparison = await comparisons.run(selection, request, call);
  const { parameters, parts, summaries, samples, pseudobulk, cautions } = comparison;
  const { symbols } = (await datasets.get(selection.manifest)).genes;
  call.onProgress({ stage: 'Drawing the genes', done: 0, total: 1 });
  const place = comparedPlace(comparison, undefined);
  const table = await comparisons.table(selection, comparison, place, call);
  const cells = (side: 'a' | 'b') => cellsOn(parts, side);
  const { expression, geneCount } = selection.manifest;
  return {
    parameters,
    result: {
      test: testWords(comparison),
      a: { name: parameters.a.name, cells: cells('a') },
      b: { name: nameOfB(parameters, cells('b')), cells: cells('b') },
      samples: samples ? { ...samplesAnswer(samples), ...sampleCounts(samples) } : null,
      groups: parts.map(({ name, a, b }, at) => ({
        name,
        cells_a: a,
        cells_b: b,
        higher: summaries[at]!.higher,
        lower: summaries[at]!.lower,
        few_cells: Math.min(a, b) < fewCells,
      })),
      pseudobulk: pseudobulk ? pseudobulkAnswer(pseudobulk) : null,
      pseudobulk_offered: !pseudobulk && samples !== undefined && expression.hasCounts,
      within_offered: comparison.withinOffered ?? null,
      gene_count: geneCount,
    },
    table: {
      head: headLines(selection, comparison),
      columns: tableColumns(parameters),
      parts: () => comparisons.linesOf(selection, comparison),
    },
    cautions,
    drawing: comparedGenes(comparison, selection, symbols, { place, table }),
  };
}

/** Cells of a side in all parts together. */
export function cellsOn(parts: readonly Record<'a' | 'b', number>[], side: 'a' | 'b'): number {
  return parts.reduce((sum, part) => sum + part[side], 0);
}

function tableColumns({ method, within, ends }: ComparisonParameters): string[] {
  const isParted = within !== undefined;
  const columns = isOfSums(method) ? sumTableColumns(method, isParted) : cellTableColumns(method, isParted);
  return ends === undefined ? columns : [...columns, untestedColumn];
}

export function testWords({ parameters, pseudobulk }: Comparison): string {
  return pseudobulk ? sumTestsWords(pseudobulk.tested) : cellTestWords(parameters);
}

function headLines(selection: Selection, comparison: Comparison): string[] {
  const { displays } = selection;
  const { parameters, parts, samples, pseudobulk, endLines } = comparison;
  const { within, min_cells: minCells, pvals_adj: p, logfoldchanges: change } = parameters;
  const cells = (side: 'a' | 'b') => countText(cellsOn(parts, side));
  return [
    `A: ${parameters.a.name}, ${cells('a')} cells; B: ${parameters.b ? `${parameters.b.name}, ${cells('b')} cells` : nameOfB(parameters, cellsOn(parts, 'b'))}${within === undefined ? '' : `; within each group of ${columnTitle(within, selection.own)}`}`,
    ...endLines,
    ...(pseudobulk ? sumHeadLines(pseudobulk, parameters) : cellHeadLines(comparison)),
    `Parameters: at least ${minCells} cells a side; counted as differing: adjusted p < ${p} and |log2 fold change| >= ${change}; no gene is left out of the table`,
    ...(samples
      ? [
          `${pseudobulk ? 'Replicates' : 'Samples'}: ${samples.column} (${samples.reason}), ${countText(sampleCounts(samples).a)} in A, ${countText(sampleCounts(samples).b)} in B`,
        ]
      : []),
    ...namesNote(displays?.find(({ column }) => column === within)),
  ];
}

function cellHeadLines(comparison: Comparison): string[] {
  const { within, method, depth } = comparison.parameters;
  const names = comparison.parts.map(({ name }) =>
    ['A', 'B'].map((side) => (name === '' ? side : `${side} of ${name}`)),
  );
  return [
    `Test: ${testWords(comparison)}, scores as scanpy's rank_genes_groups with reference B; p-values adjusted by Benjamini and Hochberg over all genes${within === undefined ? '' : ' of a group'}`,
    ...(depth === 'downsample' && comparison.depths ? [thinningLine(comparison.depths, names)] : []),
    `Fold changes: ${foldChangeWords(comparison.parameters, ['A', 'B'])}; positive is higher in A`,
    `Columns: pct_nz_a and pct_nz_b are shares of cells with a value above or below 0, mean_a and mean_b mean log-normalized values over all cells${method === 'wilcoxon' ? ', auc the area under the ROC curve of A against B' : ''}`,
  ];
}

/** Index of the table with the most passing genes; the first on a tie. */
function mostDiffering({ summaries }: Pick<Comparison, 'summaries'>): number {
  const counts = summaries.map(({ higher, lower }) => higher + lower);
  return counts.indexOf(Math.max(...counts));
}

/**
 * Index of a part by name; without a name, the one with the most differing genes. Throws ApiFailure 422 for a part that
 * was not compared.
 */
export function comparedPlace(comparison: Comparison, named: string | undefined): number {
  const place =
    named === undefined
      ? mostDiffering(comparison)
      : comparison.parts.findIndex(({ name }) => name === named);
  if (place >= 0) return place;
  throw groupNotCompared();
}

export function groupNotCompared(): ApiFailure {
  const message = 'This group was not compared: it has too few cells or samples of A or B.';
  return new ApiFailure(422, 'group_not_compared', message);
}

const meanTitles: Partial<Record<ComparisonParameters['method'], string>> = {
  pseudobulk: 'mean log2 counts per million of the samples',
  'quasi-likelihood': 'log2 of the average counts per million of the samples',
  'negative-binomial': 'log2 mean count of the samples, divided by size factors',
};

export function comparedGenes(
  comparison: Comparison,
  { displays }: Selection,
  symbols: readonly string[],
  { place, table }: { place: number; table: ComparedTable },
): ComparedGenes {
  const { parameters, parts, pseudobulk, cautions } = comparison;
  const part = parts[place]!;
  const { pvals_adj: adjustedP, logfoldchanges: foldChange } = parameters;
  const rows = [...symbols.keys()].filter((row) => !Number.isNaN(table.pvals_adj[row]!));
  return {
    a: parameters.a.name,
    b: nameOfB(parameters, cellsOn(parts, 'b')),
    part: labelIn(displays?.find(({ column }) => column === parameters.within))(part.name),
    test: pseudobulk ? sumTestWords(pseudobulk.tested[place]!) : testWords(comparison),
    cells: { a: part.a, b: part.b },
    // Genes that were tested.
    genes: rows.map((row) => symbols[row]!),
    foldChanges: Float64Array.from(rows, (row) => table.logfoldchanges[row]!),
    adjustedPs: Float64Array.from(rows, (row) => table.pvals_adj[row]!),
    scores: Float64Array.from(rows, (row) => table.scores[row]!),
    means: Float64Array.from(rows, (row) => table.means[row]!),
    meanTitle: meanTitles[parameters.method] ?? 'mean log-normalized expression of A and B',
    thresholds: { adjustedP, foldChange },
    cautions: resultNotes(cautions).warnings,
  };
}

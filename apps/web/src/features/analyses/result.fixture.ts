import { markers, pathway } from '@cellfolio/analyses';
import type { AnalysisAnswer, FigureSource } from '@cellfolio/contract';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import type { AnalysisModule, AnalysisResult } from './analysis-module.ts';

export const geneSetEnrichment = declaredAnalysis(pathway);
export const markerAnalysis = declaredAnalysis(markers);
export const testModules: readonly AnalysisModule[] = [geneSetEnrichment, markerAnalysis];

const parameters = pathway.request.parse({ pathway_genes: ['CD3D', 'CD3E'] });
type MarkersAnswer = AnalysisAnswer<typeof markers> & { marker_preview_table_html: string };
type PathwayAnswer = AnalysisAnswer<typeof pathway> & { analysis_preview_table_html: string };

const png = 'iVBORw0KGgo=';

export function markerAnswer(overrides: Partial<MarkersAnswer> = {}): MarkersAnswer {
  return {
    marker_csv: 'group,names,scores\nB cell,CD79A,9\nT cell,CD3D,8\n',
    marker_preview_table_html: '<script>alert(1)</script>',
    dotplot_image: png,
    dotplot_width: 800,
    dotplot_height: 400,
    figure: {},
    source: { dataset_filename: 'd', content: { kind: 'category-umap' } },
    parameters: {
      groupby: 'cell_type',
      n_genes: 10,
      pvals_adj: 0.05,
      logfoldchanges: 0.25,
      method: 'wilcoxon',
      tie_correct: true,
      sparse_genes: 'exact',
      depth: 'as-measured',
      pseudocount: 1,
      min_cells: 3,
      unlabelled: 'reference',
      unassigned: 'groups',
    },
    group_title: 'Cell type',
    groups: [
      { name: 'B cell', cells: 400, markers: 1, reference_cells: 300, few_cells: false },
      { name: 'T cell', cells: 300, markers: 1, reference_cells: 400, few_cells: false },
    ],
    passing: { tested: 10, pvals_adj: 2, logfoldchanges: 2, both: 2 },
    cell_count: 700,
    unlabelled_count: 0,
    gene_count: 5,
    warnings: [],
    facts: [],
    ...overrides,
  };
}

export function pathwayAnswer(overrides: Partial<PathwayAnswer> = {}): PathwayAnswer {
  return {
    analysis_csv: 'Term,Overlap,P-value,Genes\nT cell receptor,2/9,0.001,CD3D;CD3E\n',
    analysis_preview_table_html: '',
    barplot_image: png,
    barplot_width: 800,
    barplot_height: 400,
    figure: {},
    source: {
      dataset_filename: 'd',
      content: { kind: 'enrichment-bar', ...parameters } as FigureSource['content'],
    },
    parameters,
    library: {
      name: 'KEGG_2021_Human',
      source: 'starter',
      title: 'KEGG 2021, abridged',
      release: 'abridged pathways after KEGG',
      licence: 'Apache 2.0',
      citation: '',
      set_count: 88,
    },
    background: {
      kind: 'expressed',
      gene_count: 5,
      description: 'The 5 of 9 genes of d that at least 7 of the 700 active cells express (a value above 0)',
      minimum_share: 0.01,
      minimum_cells: 3,
      required_cells: 7,
      active_cells: 700,
      dataset_gene_count: 9,
    },
    species: {
      dataset: { species: 'human', by: 'symbols', matching: 9, looked: 9 },
      library: { species: 'human', by: 'symbols', matching: 400, looked: 400 },
      orthologues: null,
    },
    sets: { library: 88, dropped: 4, shrunk: 80, tested: 3, below_minimum_overlap: 2, reported: 1 },
    minimum_overlap: 2,
    found_genes: ['CD3D', 'CD3E'],
    not_found_genes: [],
    not_in_background_genes: [],
    warnings: [],
    facts: [],
    ...overrides,
  };
}

const origin = { id: 'r', datasetName: 'd', subsetName: 'Global', version: '1', createdAt: 0, again: false };

export function markerResult(
  csv: string,
  answer: Partial<MarkersAnswer> = {},
): AnalysisResult & { answer: MarkersAnswer } {
  const table = heldCsv(csv, markerAnalysis.columns);
  return { ...origin, module: markerAnalysis, answer: markerAnswer(answer), table };
}

export function pathwayResult(csv: string, answer: Partial<PathwayAnswer> = {}): AnalysisResult {
  const table = heldCsv(csv, geneSetEnrichment.columns);
  return { ...origin, module: geneSetEnrichment, answer: pathwayAnswer(answer), table };
}

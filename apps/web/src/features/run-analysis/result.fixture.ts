import type { MarkerAnalysisAnswer, PathwayAnalysisAnswer } from '@cellfolio/contract';
import type { AnalysisResult } from './analysis-result.ts';

/** The first bytes of a PNG are enough to be taken for one. */
const png = 'iVBORw0KGgo=';

export function markerAnswer(overrides: Partial<MarkerAnalysisAnswer> = {}): MarkerAnalysisAnswer {
  return {
    marker_csv: 'group,names,scores\nB cell,CD79A,9\nT cell,CD3D,8\n',
    marker_preview_table_html: '<script>alert(1)</script>',
    dotplot_image: png,
    dotplot_width: 800,
    dotplot_height: 400,
    figure: {},
    source: { dataset_filename: 'd', content: { kind: 'default-umap' } },
    parameters: {
      groupby: 'cell_type',
      n_genes: 10,
      pvals_adj: 0.05,
      logfoldchanges: 0.25,
      method: 'wilcoxon',
      tie_correct: false,
      min_cells: 3,
      unlabelled: 'reference',
    },
    groups: [
      { name: 'B cell', cells: 400, markers: 1, reference_cells: 300, few_cells: false },
      { name: 'T cell', cells: 300, markers: 1, reference_cells: 400, few_cells: false },
    ],
    cell_count: 700,
    unlabelled_count: 0,
    gene_count: 5,
    warnings: [],
    ...overrides,
  };
}

export function pathwayAnswer(overrides: Partial<PathwayAnalysisAnswer> = {}): PathwayAnalysisAnswer {
  return {
    analysis_csv: 'Term,Overlap,P-value,Genes\nT cell receptor,2/9,0.001,CD3D;CD3E\n',
    analysis_preview_table_html: '',
    barplot_image: png,
    barplot_width: 800,
    barplot_height: 400,
    figure: {},
    source: { dataset_filename: 'd', content: { kind: 'default-umap' } },
    library: { name: 'KEGG_2021_Human', source: 'starter', label: 'starter, abridged', set_count: 88 },
    background: { gene_count: 5, description: 'The genes of the dataset.' },
    found_genes: ['CD3D', 'CD3E'],
    not_found_genes: [],
    warnings: [],
    ...overrides,
  };
}

const origin = { id: 'r', datasetName: 'd', subsetName: 'Global', createdAt: 0 };

export function markerResult(csv: string): AnalysisResult {
  return { ...origin, kind: 'marker', answer: markerAnswer({ marker_csv: csv }) };
}

export function pathwayResult(csv: string): AnalysisResult {
  return { ...origin, kind: 'pathway', answer: pathwayAnswer({ analysis_csv: csv }) };
}

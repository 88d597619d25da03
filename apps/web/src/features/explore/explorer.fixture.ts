import type { DatasetAnalysis, FilterPreview, FilterRequest, KeptAnalysis } from '@cellfolio/contract';
import { screen, within } from '@testing-library/react';
import type { Row } from '@/testing/fake-table.ts';
import { fakeTable } from '@/testing/fake-table.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { catalogueDataset, datasetAnalysis, fakeServices, genePlot, json } from '@/testing/fakes.ts';

export const here = '/explorer?disease=Breast+Cancer&dataset=tumour_one';
export const paths = {
  gene: '/api/plot-umap-with-genes',
  signature: '/api/plot-signature-enrichment',
  cellState: '/api/plot-umap-with-cell-state',
  cellType: '/api/plot-isolated-cell-types',
  filter: '/api/filter-active-dataset',
  preview: '/api/preview-filter',
  exportCells: '/api/export-cells',
} as const;

export interface ExplorerFake extends FakeServices {
  subsets: Row[];
  images: Row[];
  sent: (path: string) => unknown[];
}

function answerPlots(fake: FakeServices) {
  const image = genePlot('').image;
  const source = (content: object) => ({ dataset_filename: 'tumour_one', version: '1', content });
  fake.answer(paths.gene, ({ body }) => {
    const { genes, violin_plot } = body as { genes: string[]; violin_plot: boolean };
    const foundGenes = genes.filter((gene) => gene !== 'CD3E');
    const plots = foundGenes.flatMap((gene) => [
      genePlot(gene),
      ...(violin_plot ? [genePlot(gene, 'violin')] : []),
    ]);
    return json({ plots, found_genes: foundGenes, not_found_genes: genes.filter((gene) => gene === 'CD3E') });
  });
  fake.answer(paths.signature, ({ body }) => {
    const { genes, score_name, violin_plot } = body as {
      genes: string[];
      score_name: string;
      violin_plot: boolean;
    };
    const plot = (plot_type: 'umap' | 'violin') => ({
      ...genePlot(score_name, plot_type),
      source: source({ kind: `score-${plot_type}`, of: 'signature', score_name, genes }),
    });
    return json({
      plots: violin_plot ? [plot('umap'), plot('violin')] : [plot('umap')],
      found_genes: genes.filter((gene) => gene !== 'CD3E'),
      not_found_genes: genes.filter((gene) => gene === 'CD3E'),
      control_gene_count: 50,
      warnings: [],
      score_name,
    });
  });
  fake.answer(paths.cellState, ({ body }) => {
    const { cell_state } = body as { cell_state: string };
    return json({
      plots: [
        {
          ...genePlot(cell_state),
          source: source({ kind: 'score-umap', of: 'cell-state', cell_state, minimum_genes: 3 }),
        },
      ],
      found_genes: ['CD3D'],
      not_found_genes: ['ABC'],
      control_gene_count: 50,
      warnings: [],
      cell_state,
      minimum_genes: 3,
      library: {
        name: 'MSigDB_Hallmark_2020',
        source: 'built-in',
        title: 'MSigDB Hallmark 7.0',
        release: 'hallmark gene sets of MSigDB 7.0',
        licence: 'CC BY 4.0',
        citation: 'Liberzon et al. 2015',
      },
    });
  });
  fake.answer(paths.cellType, ({ body }) => {
    const { cell_types, leiden_clusters } = body as { cell_types: string[]; leiden_clusters: string[] };
    const hasClusters = leiden_clusters.length > 0;
    return json({
      cell_types,
      plots: cell_types.map((cell_type) => ({
        cell_type,
        image,
        cell_count: 1,
        figure: {},
        source: source({ kind: 'highlight-umap', of: 'cell-type', cell_type }),
      })),
      leiden_cluster_image: hasClusters ? image : null,
      leiden_cluster_figure: hasClusters ? {} : null,
      leiden_cluster_source: hasClusters
        ? source({ kind: 'highlight-umap', of: 'cluster', leiden_clusters })
        : null,
    });
  });
}

export function explorerFake(analysis: Partial<DatasetAnalysis> = {}): ExplorerFake {
  const fake = fakeServices();
  fake.auth.signIn();
  fake.answer('/api/dataset_metadata', () => json({ 'Breast Cancer': { Ductal: [catalogueDataset()] } }));
  fake.answer('/api/dataset_analysis/tumour_one', () => json(datasetAnalysis(analysis)));
  fake.answer('/functions/v1/check-subscription', () =>
    json({ subscribed: true, subscription_tier: 'Standard', subscription_end: null }),
  );
  answerPlots(fake);
  const analyses: KeptAnalysis[] = [];
  fake.answer('/api/datasets/tumour_one/kept-analyses', ({ method, body }) => {
    if (method === 'POST') analyses.unshift(body as KeptAnalysis);
    return json({ analyses });
  });
  fake.answer(paths.filter, ({ body }) => {
    const { subset_group_name } = body as FilterRequest;
    const all = subset_group_name === 'Default';
    return json({
      cell_count: all ? 700 : 120,
      cell_type_counts: all ? { 'b-cell': 400, 't-cell': 300 } : { 'b-cell': 0, 't-cell': 120 },
      subset_group_name,
      unlabelled_cells: 0,
      kept: { cells: all ? 700 : 120, version: '1', annotations: [] },
      not_found_genes: [],
      warnings: [],
    });
  });
  fake.answer(paths.preview, () => json(filterPreviewAnswer()));
  return {
    ...fake,
    subsets: fakeTable(fake, 'subset_metadata'),
    images: fakeTable(fake, 'generated_images'),
    sent: (path) => fake.requests.filter((request) => request.path === path).map(({ body }) => body),
  };
}

/** A gene that one cell in ten expresses, and a range within its zeros. */
export function filterPreviewAnswer(overrides: Partial<FilterPreview> = {}): FilterPreview {
  return {
    cell_count: 630,
    dataset_cells: 700,
    cell_type_counts: { 'b-cell': 330, 't-cell': 280 },
    unlabelled_cells: 20,
    kept: { cells: 630, version: '1', annotations: [] },
    thresholds: { gene: [0, 0] },
    filter_counts: { gene: 630 },
    histograms: {
      gene: {
        zeros: 630,
        zeros_kept: 630,
        positive: 70,
        missing: 0,
        low: 0.5,
        high: 3.5,
        counts: [10, 60],
        kept: [0, 0],
      },
    },
    not_found_genes: [],
    warnings: [{ code: 'range-ends-coincide', message: 'Percentiles 1 to 50 of CD3D are both 0.' }],
    ...overrides,
  };
}

export function subsetRow(overrides: Row = {}): Row {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    user_id: 'ada',
    subset_name: 'T cells',
    subset_type: 'gene',
    gene_symbol: '',
    percentile: 10,
    selected_cell_types: ['t-cell'],
    dataset_name: 'tumour_one',
    disease_name: 'Breast Cancer',
    filter_config: {
      activeFilterTypes: ['celltype'],
      cellTypeFilter: { cellTypes: ['t-cell'] },
    },
    ...overrides,
  };
}

export const search = () => screen.findByRole('combobox', { name: 'Search genes' });

export const visualize = () => screen.getByRole('button', { name: /^Visualize Selected Genes/ });

export const chips = () =>
  within(screen.getByRole('list', { name: 'Selected genes' }))
    .getAllByRole('listitem')
    .map((chip) => chip.textContent);

export const viewerTitles = () =>
  within(screen.getByRole('region', { name: 'Main Viewer' }))
    .queryAllByRole('heading')
    .map((heading) => heading.textContent);

export function imageRow(id: string, overrides: Row = {}): Row {
  return {
    image_id: id,
    user_id: 'ada',
    title: id,
    subtitle: 'Expression UMAP',
    image_data: 'data:image/png;base64,iVBORw0KGgo=',
    image_type: 'gene',
    dataset_name: 'tumour_one',
    disease_name: 'Breast Cancer',
    subset_group_name: 'Global',
    created_at: '2026-01-02T03:04:05.678+00:00',
    figure_source: null,
    cell_count: null,
    ...overrides,
  };
}

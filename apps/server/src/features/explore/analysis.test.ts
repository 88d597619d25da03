import { randomUUID } from 'node:crypto';
import { pathway } from '@cellfolio/analyses';
import {
  analysisCall,
  filterAnswer,
  geneSetLibraries,
  plotIsolatedCellTypesAnswer,
  plotSignatureAnswer,
  progressEvent,
} from '@cellfolio/contract';
import { markersAnswer } from '../analyses/testing/inline-analyses.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AnalysisDataset,
  hostile,
  hostileGenes,
  writeAnalysisDataset,
} from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

/** Used only in this file: if an earlier test had run the same analysis, there would be no progress to report. */
const id = 'explored.h5ad';
let server: SharedServer;
let dataset: AnalysisDataset;
let token: string;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    dataset = await writeAnalysisDataset(objectRoot, id);
    await writeAnalysisDataset(objectRoot, 'other.h5ad');
  });
  token = await server.signIn('standard');
  api = apiClient(server, token, 'analysis');
  await api.get(`/api/dataset_analysis/${id}`);
});

const filter = (body: object) =>
  api.post('/api/filter-active-dataset', { subset_group_name: 'mine', ...body });
beforeEach(async () => {
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
});

const cells = Array.from({ length: 240 }, (_, cell) => cell);
const valuesOf = (gene: string) => dataset.expression[dataset.genes.indexOf(gene)]!;
function expectedCounts(passes: (cell: number) => boolean) {
  const counts: Record<string, number> = { 'B cell': 0, [hostile]: 0, 'T cell': 0 };
  for (const cell of cells.filter(passes)) counts[dataset.cellType(cell)]!++;
  return counts;
}

describe('subsets', () => {
  test('each filter type keeps the cells it says, and several are joined by AND', async () => {
    const positive = (cell: number) => valuesOf('GENE1')[cell]! > 0;
    const ofTypes = (cell: number) => ['B cell', hostile].includes(dataset.cellType(cell));
    const ofPatient = (cell: number) => dataset.patient(cell) !== 'P2';
    const parts = {
      gene_filter: true,
      gene: { name: 'gene1', presence: 'positive' },
      cell_type_filter: true,
      cell_type: ['B cell', hostile],
      patient_metadata_filter: true,
      patient_metadata: { 'Patient id': ['P1', 'P3'] },
    };
    const { status, body } = await filter(parts);
    expect(status).toBe(200);
    const counts = expectedCounts((cell) => positive(cell) && ofTypes(cell) && ofPatient(cell));
    expect(filterAnswer.parse(body)).toMatchObject({
      cell_type_counts: counts,
      cell_count: Object.values(counts).reduce((sum, count) => sum + count, 0),
      subset_group_name: 'mine',
    });
    const geneAlone = await filter({ ...parts, cell_type_filter: false, patient_metadata_filter: false });
    expect(geneAlone.body.cell_type_counts).toEqual(expectedCounts(positive));
    const typeAlone = await filter({ ...parts, gene_filter: false, patient_metadata_filter: false });
    expect(typeAlone.body.cell_type_counts).toEqual(expectedCounts(ofTypes));
    const patientAlone = await filter({ ...parts, gene_filter: false, cell_type_filter: false });
    expect(patientAlone.body.cell_type_counts).toEqual(expectedCounts(ofPatient));
  });

  test('Default chooses all cells again, whatever else is switched on', async () => {
    await filter({ cell_type_filter: true, cell_type: ['B cell'] });
    const { body } = await api.post('/api/filter-active-dataset', {
      subset_group_name: 'Default',
      cell_type_filter: true,
      cell_type: ['B cell'],
    });
    expect(body).toMatchObject({ cell_count: 240, cell_type_counts: expectedCounts(() => true) });
  });

  test('later plots and analyses work on the chosen cells, of this tab alone', async () => {
    await filter({ cell_type_filter: true, cell_type: ['B cell', 'T cell'] });
    const plot = await api.post('/api/plot-umap-with-genes', { genes: ['GENE1'], violin_plot: true });
    expect(plot.body.plots[0].figure.counts).toMatchObject({ cells: 160, datasetCells: 240 });
    expect(plot.body.plots[0].figure.datasetName).toBe('Analysis · mine: 160 of 240 cells');
    expect(plot.body.plots[0].figure.words.reading).toMatch(/^Of “mine”, the UMAP shows 160 cells/);
    expect(plot.body.plots[1].figure.groups).toHaveLength(2);
    const markers = await api.post('/api/perform-marker-analysis', { groupby: 'cell_type' });
    expect(markers.body.groups.map(({ name }: { name: string }) => name)).toEqual(['B cell', 'T cell']);
    expect(markers.body.cell_count).toBe(160);
    const otherTab = apiClient(server, token, 'other-tab');
    await otherTab.get(`/api/dataset_analysis/${id}`);
    const elsewhere = await otherTab.post('/api/plot-umap-with-genes', { genes: ['GENE1'] });
    expect(elsewhere.body.plots[0].figure.counts.cells).toBe(240);
  });

  test('an analysis can name its cells: the active ones stay active, and no tab of another dataset is reached', async () => {
    const subset = {
      subset_group_name: 'two types',
      cell_type_filter: true,
      cell_type: ['B cell', 'T cell'],
    };
    await filter({ cell_type_filter: true, cell_type: ['B cell', hostile] });
    const run = async (body: object) =>
      (await api.post('/api/perform-marker-analysis', { groupby: 'cell_type', ...body })).body;
    const named = await run({ cells: { subset } });
    expect(named.groups.map(({ name }: { name: string }) => name)).toEqual(['B cell', 'T cell']);
    expect(named.source.subset).toMatchObject({ subset_group_name: 'two types' });
    expect((await run({ cells: {} })).cell_count).toBe(240);
    expect((await run({})).groups.map(({ name }: { name: string }) => name)).toEqual(['B cell', hostile]);
    const enriched = await api.post('/api/perform-pathway-analysis', {
      pathway_genes: ['GENE1', 'VEGFA'],
      cells: { subset },
    });
    expect(enriched.body.background.active_cells).toBe(160);
    const wrong = await api.post('/api/perform-marker-analysis', {
      groupby: 'cell_type',
      cells: { subset: { subset_group_name: 'x', cell_type_filter: true, cell_type: ['nope'] } },
    });
    expect(wrong.status).toBe(400);
  });

  test('opening a dataset again drops the chosen cells', async () => {
    await filter({ cell_type_filter: true, cell_type: ['B cell'] });
    await api.get(`/api/dataset_analysis/${id}`);
    const plot = await api.post('/api/plot-umap-with-genes', { genes: ['GENE1'] });
    expect(plot.body.plots[0].figure.counts.cells).toBe(240);
  });

  test('after an open that is refused no dataset is open, and calls do not answer of the one before', async () => {
    const tab = apiClient(server, token, 'refused-open');
    await tab.get(`/api/dataset_analysis/${id}`);
    const ask = async () => (await tab.post('/api/plot-umap-with-genes', { genes: ['GENE1'] })).status;
    expect(await ask()).toBe(200);
    expect((await tab.get('/api/dataset_analysis/absent.h5ad')).status).toBe(404);
    const refused = await tab.post('/api/plot-umap-with-genes', { genes: ['GENE1'] });
    expect([refused.status, refused.body.code]).toEqual([400, 'no_dataset_loaded']);
    await tab.get(`/api/dataset_analysis/${id}`);
    expect(await ask()).toBe(200);
  });

  test('legacy presence values and a gene in a list mean what forms mean by them', async () => {
    const positive = await filter({ gene_filter: true, gene: { name: ['GENE1'], presence: true } });
    expect(positive.body.cell_type_counts).toEqual(expectedCounts((cell) => valuesOf('GENE1')[cell]! > 0));
    const range = { min_percentile: 0, max_percentile: 100 };
    for (const presence of ['', false, 'false', null, undefined, 'percentile']) {
      const { body } = await filter({ gene_filter: true, gene: { name: 'GENE1', presence, ...range } });
      expect(body.cell_count, String(presence)).toBe(240);
    }
  });

  test.each([
    [{ gene_filter: true }, 400, 'incomplete_filter', 'Name the gene'],
    [{ gene_filter: true, gene: { name: 'NOPE', presence: 'positive' } }, 400, 'gene_not_found', 'NOPE'],
    [{ gene_filter: true, gene: { name: 'GENE1' } }, 400, 'invalid_percentiles', 'percentile'],
    [
      { gene_filter: true, gene: { name: 'GENE1', min_percentile: 60, max_percentile: 20 } },
      400,
      'invalid_percentiles',
      'above the maximum',
    ],
    [
      { gene_filter: true, gene: { name: 'GENE1', min_percentile: -1, max_percentile: 20 } },
      400,
      'invalid_percentiles',
      '0 to 100',
    ],
    [{ signature_filter: true, signature: { genes: [] } }, 400, 'incomplete_filter', 'signature'],
    [
      { signature_filter: true, signature: { genes: ['NOPE'], min_percentile: 1, max_percentile: 50 } },
      422,
      'no_genes_found',
      'NOPE',
    ],
    [{ cell_type_filter: true, cell_type: [] }, 400, 'incomplete_filter', 'cell type'],
    [{ cell_type_filter: true, cell_type: ['Q'] }, 400, 'unknown_value', 'B cell'],
    [
      { patient_metadata_filter: true, patient_metadata: { nope: ['x'] } },
      400,
      'unknown_field',
      'Patient id',
    ],
    [
      { patient_metadata_filter: true, patient_metadata: { 'Patient id': ['P9'] } },
      400,
      'unknown_value',
      'P1',
    ],
    [{ patient_metadata_filter: true, patient_metadata: {} }, 400, 'incomplete_filter', 'metadata'],
    [{ cell_type: ['B cell'], cell_type_filter: 'yes' }, 400, 'invalid_request', 'cell_type_filter'],
  ])(
    'the filter %j is refused with what to do, and the chosen cells stay',
    async (body, status, code, words) => {
      await filter({ cell_type_filter: true, cell_type: ['T cell'] });
      const answer = await filter(body);
      expect(answer).toMatchObject({ status, body: { code } });
      expect(answer.body.message).toContain(words);
      const plot = await api.post('/api/plot-umap-with-genes', { genes: ['GENE2'] });
      expect(plot.body.plots[0].figure.counts.cells).toBe(80);
    },
  );

  test('a filter that keeps no cell is refused, and says so', async () => {
    const { status, body } = await filter({
      gene_filter: true,
      gene: { name: 'GENE1', presence: 'positive' },
      signature_filter: true,
      signature: { genes: ['GENE1'], min_percentile: 0, max_percentile: 0.1 },
    });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'empty_subset' });
  });
});

describe('scores', () => {
  test('a signature gives a UMAP and violins, and names the genes that are not there', async () => {
    const genes = ['GENE1', 'gene2', 'GENE3', 'NOPE', hostile];
    const { status, body } = await api.post('/api/plot-signature-enrichment', {
      genes,
      score_name: hostile,
      violin_plot: true,
    });
    expect(status).toBe(200);
    const answer = plotSignatureAnswer.parse(body);
    expect(answer.plots.map(({ plot_type }) => plot_type)).toEqual(['umap', 'violin']);
    expect(answer).toMatchObject({
      score_name: hostile,
      found_genes: ['GENE1', 'GENE2', 'GENE3', hostile],
      not_found_genes: ['NOPE'],
    });
    expect(answer.control_gene_count).toBeGreaterThan(0);
    // Markers of B cells score highest there.
    const means = (answer.plots[1]!.figure['groups'] as { mean: number }[]).map(({ mean }) => mean);
    expect(means[0]).toBeGreaterThan(Math.max(means[1]!, means[2]!));
  });

  test('a score without a name gets one', async () => {
    const { body } = await api.post('/api/plot-signature-enrichment', { genes: ['GENE1'], score_name: ' ' });
    expect(body.score_name).toBe('Unnamed Signature');
  });

  test('a cell state none of whose genes the dataset has is refused with what to do', async () => {
    const { status, body } = await api.post('/api/plot-umap-with-cell-state', { cell_state: 'hypoxia' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'no_genes_found' });
    expect(body.message).toContain('HYPOXIA');
    const unknown = await api.post('/api/plot-umap-with-cell-state', { cell_state: 'BOREDOM' });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_cell_state' } });
  });

  test('the fifty states and the four libraries are listed with release and licence, titled by what they hold', async () => {
    const { body } = await api.get('/api/gene-set-libraries');
    const { libraries, cell_states: states } = geneSetLibraries.parse(body);
    expect(states).toHaveLength(50);
    expect(libraries.map(({ name, title, licence }) => [name, title, licence])).toEqual([
      ['KEGG_2021_Human', 'KEGG 2021, abridged', 'Apache 2.0, as Cellfolio'],
      ['MSigDB_Hallmark_2020', 'MSigDB Hallmark 7.0', 'CC BY 4.0'],
      ['GO_Biological_Process_2023', 'GO Biological Process 2021', 'CC BY 4.0'],
      ['Reactome_Pathways_2024', 'Reactome 2024, abridged', 'Apache 2.0, as Cellfolio'],
    ]);
    expect(body.may_pull).toBe(false);
    expect(body).not.toHaveProperty('cell_state_genes');
  });

  test('each state has the number of its genes in a dataset', async () => {
    const { body } = await api.get(`/api/gene-set-libraries?dataset=${id}`);
    const { cell_state_genes: states } = geneSetLibraries.parse(body);
    expect(states).toHaveLength(50);
    expect(states!.find(({ name }) => name === 'HYPOXIA')).toMatchObject({ found_count: 0 });
    expect((await api.get('/api/gene-set-libraries?dataset=gone.h5ad')).status).toBe(404);
  });
});

describe('cell types and clusters', () => {
  test('each chosen type has its figure, the chosen clusters share one', async () => {
    const { status, body } = await api.post('/api/plot-isolated-cell-types', {
      cell_types: [hostile, 'T cell'],
      leiden_clusters: ['3', '1'],
    });
    expect(status).toBe(200);
    const answer = plotIsolatedCellTypesAnswer.parse(body);
    expect(answer.plots.map(({ cell_type, cell_count }) => [cell_type, cell_count])).toEqual([
      [hostile, 80],
      ['T cell', 80],
    ]);
    const groups = answer.leiden_cluster_figure?.['groups'] as { label: string; cells: number }[];
    expect(groups.map(({ label, cells: count }) => [label, count])).toEqual([
      ['1', 60],
      ['3', 60],
    ]);
  });

  test('without clusters there is no cluster figure, and unknown names are refused', async () => {
    const { body } = await api.post('/api/plot-isolated-cell-types', { cell_types: ['T cell'] });
    expect(body.leiden_cluster_image).toBeNull();
    const unknown = await api.post('/api/plot-isolated-cell-types', {
      cell_types: ['T cell'],
      leiden_clusters: ['9'],
    });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_value' } });
  });
});

describe('marker analysis', () => {
  const markers = (body: object) => api.post('/api/perform-marker-analysis', body);

  test('the answer has table, preview and dot plot of the ten markers of each type', async () => {
    const { status, body } = await markers({ groupby: 'cell_type' });
    expect(status).toBe(200);
    const answer = markersAnswer.parse(body);
    expect(answer.groups.map(({ markers: count }) => count)).toEqual([10, 10, 10]);
    expect(answer.warnings.map(({ code }) => code)).toEqual([
      'cells-as-replicates',
      'clusters-tested-on-own-data',
    ]);
    expect(answer.facts.map(({ code }) => code)).toEqual(['multiple-testing']);
    // What limits the result stands above the table, and goes with the figure.
    expect(answer.marker_csv).toMatch(
      /^# Data: [^\n]*\n(# [^\n]*\n){4}# Tests: 300 tests[^\n]*\n# Each of 240 cells[^\n]*\n# [^\n]*\ngroup,names,/,
    );
    expect(answer.figure).toMatchObject({ cautions: answer.warnings });
    const b = answer.marker_csv.split('\n').filter((line) => line.startsWith('B cell,'));
    expect(b.map((line) => line.split(',')[1]).sort()).toEqual(
      Array.from({ length: 10 }, (_, gene) => `GENE${gene + 1}`).sort(),
    );
    expect(Buffer.from(answer.dotplot_image, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(answer.marker_preview_table_html.match(/<tr>/g)).toHaveLength(12);
    expect(answer.marker_preview_table_html).toContain('… 20 more rows …');
    expect(answer.parameters).toMatchObject({ groupby: 'cell_type', n_genes: 10, method: 'wilcoxon' });
    expect(answer.figure).toMatchObject({ title: 'Markers by cell type' });
  });

  test('hostile names are escaped in the preview and harmless in the table', async () => {
    const { body } = await markers({
      groupby: 'cell_type',
      n_genes: 1000,
      pvals_adj: 1,
      logfoldchanges: -100,
    });
    const csv = body.marker_csv as string;
    expect(csv).toContain(`"${hostile.replaceAll('"', '""')}"`);
    expect(csv).toContain(",'=cmd|calc,");
    expect(csv).toContain('"A,""B"""');
    expect(csv).toContain('"line\nbreak"');
    expect(csv).toContain(',__proto__,');
    expect(body.marker_preview_table_html).not.toContain('<script');
    // Every gene of every group comes back once.
    expect(csv.replaceAll('line\nbreak', '').trimEnd().split('\n')).toHaveLength(9 + 3 * 100);
    for (const gene of hostileGenes) {
      const plot = await api.post('/api/plot-umap-with-genes', { genes: [gene] });
      expect(plot.body.found_genes, gene).toEqual([gene]);
      const svg = await api.post('/api/render-figure', { source: plot.body.plots[0].source, format: 'svg' });
      expect(svg.headers.get('content-type')).toContain('image/svg+xml');
      expect(new TextDecoder().decode(svg.body), gene).not.toContain('<script');
    }
  });

  test('a column is found whatever its case, and other limits give another table', async () => {
    const every = { pvals_adj: 1, logfoldchanges: -100 };
    const { body: all } = await markers({ groupby: 'cell_type', n_genes: 1000, ...every });
    const { body: two } = await markers({ groupby: 'Cell_Type', n_genes: 2, ...every });
    expect(two.groups.map(({ markers: count }: { markers: number }) => count)).toEqual([2, 2, 2]);
    expect(two.parameters.groupby).toBe('cell_type');
    expect(all.marker_csv.length).toBeGreaterThan(two.marker_csv.length);
  });

  test('where no gene passes, the table is empty and says so', async () => {
    const { status, body } = await markers({ groupby: 'cell_type', pvals_adj: 0 });
    expect(status).toBe(200);
    // How it was made, a caution, the columns, and nothing after the last line.
    expect(body.marker_csv.split('\n')).toHaveLength(8);
    expect(body.marker_preview_table_html).toContain('No gene passes the filters.');
    expect(body).toMatchObject({ dotplot_image: '', figure: null });
    // An adjusted p-value of at least 0 is not below 0, whatever the fold change.
    const { tested, ...counts } = body.passing;
    expect(tested).toBe(3 * body.gene_count);
    expect(counts).toMatchObject({ pvals_adj: 0, both: 0 });
    expect(counts.logfoldchanges).toBeGreaterThan(20);
    const changed = await markers({ groupby: 'cell_type', pvals_adj: 1, logfoldchanges: 90 });
    expect(changed.body.passing).toMatchObject({ logfoldchanges: 0, both: 0 });
    expect(changed.body.passing.pvals_adj).toBeGreaterThan(20);
    expect(body.warnings[0].code).toBe('groups-without-markers');
  });

  test('a group of one cell, or of two, is left out with a warning', async () => {
    const { body } = await markers({ groupby: 'some' });
    expect(body.warnings).toContainEqual({
      code: 'groups-left-out',
      message: expect.stringContaining('lone (1)'),
      numbers: { minimumCells: 3, groups: ['lone'], cells: [1], groupCount: 1 },
    });
    expect(body.parameters).toMatchObject({ min_cells: 3, unlabelled: 'reference' });
    expect(body).toMatchObject({ cell_count: 240, unlabelled_count: 0 });
    expect(body.groups).toHaveLength(2);
  });

  test.each([
    ['nope', 400, 'unknown_column', 'cell_type'],
    ['depth', 400, 'not_categorical', 'numbers'],
    ['constant', 422, 'not_enough_groups', 'Constant'],
    ['', 400, 'invalid_request', 'groupby'],
  ])('grouping by %j is refused with what to do', async (groupby, status, code, words) => {
    const answer = await markers({ groupby });
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.body.message).toContain(words);
  });

  test('metadata is grouped by the name it is shown under', async () => {
    const { body } = await markers({ groupby: 'Patient id', pvals_adj: 1, logfoldchanges: -100 });
    expect(body.parameters.groupby).toBe('patient');
    expect(body.group_title).toBe('Patient id');
    expect(body.figure).toMatchObject({ title: 'Markers by Patient id' });
  });
});

const ofTypes = (...types: string[]) => ({
  name: types[0],
  filter: { subset_group_name: 'set', cell_type_filter: true, cell_type: types },
});
const sides = { a: ofTypes('B cell'), b: ofTypes('T cell') };

test.each([
  ['perform-marker-analysis', { groupby: 'leiden', pseudocount: 0.5, n_genes: 3 }],
  ['perform-pathway-analysis', { pathway_genes: ['GENE1', 'VEGFA'] }],
  ['perform-deg-analysis', { ...sides, method: 'wilcoxon', tie_correct: false }],
  ['perform-decile-analysis', { by: { of: 'gene', gene: 'GENE1' }, method: 'wilcoxon' }],
])('the file of %s defines itself: its call gives the same file again', async (call, requestBody) => {
  const fileOf = (body: object) =>
    Object.entries(body).find(([field]) => field.endsWith('_csv'))?.[1] as string;
  const keptTypes = ['B cell', 'T cell', hostile];
  await filter({ subset_group_name: '-kept, =1', cell_type_filter: true, cell_type: keptTypes });
  const first = await api.post(`/api/${call}`, requestBody);
  expect(first.status).toBe(200);
  const csv = fileOf(first.body);
  expect(csv).toContain(`# Data: Analysis (${id}), version ${dataset.manifest.version}; active subset -kept`);
  expect(csv.split('\n')[0]).toContain('Cell type is one of');
  const definition = JSON.parse(/^# Definition: (.*)$/m.exec(csv)![1]!);
  expect(definition).toMatchObject({
    software: expect.stringMatching(/^Cellfolio \d+\.\d+\.\d+/),
    dataset: id,
    version: dataset.manifest.version,
    title: 'Analysis',
    call,
    cells: { subset: { subset_group_name: '-kept, =1' } },
  });
  // On the cells that it names, whatever is active.
  await api.post('/api/filter-active-dataset', { subset_group_name: 'Default' });
  const again = await api.post(`/api/${call}`, { ...definition.parameters, cells: definition.cells });
  expect(again.status).toBe(200);
  expect(fileOf(again.body)).toBe(csv);
});

describe('gene set enrichment', () => {
  const enrich = (body: object) => api.post('/api/perform-pathway-analysis', body);

  test('genes that no set knows give an empty table and a figure that says so', async () => {
    const { status, body } = await enrich({ pathway_genes: ['gene1', 'GENE2', 'NOPE'] });
    expect(status).toBe(200);
    const answer = analysisCall(pathway).answer.parse(body);
    expect(answer.found_genes).toEqual(['GENE1', 'GENE2']);
    expect(answer.not_found_genes).toEqual(['NOPE']);
    const lines = answer.analysis_csv!.trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('# '))).toEqual([
      'Gene_set,Term,Overlap,P-value,Adjusted P-value,Odds Ratio,Combined Score,Genes',
    ]);
    expect(lines.slice(2, -1)).toEqual([
      '# Library: KEGG 2021, abridged: Abridged pathways after KEGG, written for Cellfolio. License: Apache 2.0, as Cellfolio.',
      ...answer.facts.map(({ title, message }) => `# ${title}: ${message}`),
      ...answer.warnings.map(({ message }) => `# ${message}`),
    ]);
    expect(answer.library).toMatchObject({ name: 'KEGG_2021_Human', title: 'KEGG 2021, abridged' });
    expect(answer.background.gene_count).toBe(100);
    expect(answer.warnings.map(({ code }) => code)).toEqual([
      'few-genes',
      'small-background',
      'genes-not-found',
    ]);
    expect(answer.facts.map(({ code }) => code)).toEqual(['background', 'sets']);
    const { source } = body;
    expect((await api.post('/api/render-figure', { source })).status).toBe(200);
    const content = { ...source.content, library_version: 'of yesterday' };
    const replaced = await api.post('/api/render-figure', { source: { ...source, content } });
    expect(replaced).toMatchObject({ status: 409, body: { code: 'library_changed' } });
    expect(replaced.body.message).toContain('Run the analysis again');
  });

  test.each([
    [{ pathway_genes: ['GENE1'], library_name: 'Nope' }, 400, 'unknown_library', 'KEGG_2021_Human'],
    [{ pathway_genes: ['GENE1'], library_name: '../../etc/passwd' }, 400, 'unknown_library', 'Choose'],
    [{ pathway_genes: ['NOPE'] }, 422, 'no_genes_found', 'NOPE'],
    [{ pathway_genes: [] }, 400, 'invalid_request', 'at least one gene'],
  ])('the enrichment %j is refused with what to do', async (body, status, code, words) => {
    const answer = await enrich(body);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.body.message).toContain(words);
  });
});

describe('figures as files', () => {
  test('a figure is drawn again from its source as PNG, print PNG and SVG', async () => {
    const { body } = await api.post('/api/perform-marker-analysis', { groupby: 'cell_type', n_genes: 3 });
    const render = (format: string) => api.post('/api/render-figure', { source: body.source, format });
    const png = await render('png');
    expect(Buffer.from(png.body).toString('base64')).toBe(body.dotplot_image);
    const print = await render('png-300dpi');
    expect(Buffer.from(print.body).includes('pHYs')).toBe(true);
    const svg = new TextDecoder().decode((await render('svg')).body);
    expect(svg).toMatch(/<text[^>]*>[^<]*GENE1/);
  });

  test('a dot plot is drawn of the markers that are named, in their order, over all groups', async () => {
    const { body } = await api.post('/api/perform-marker-analysis', { groupby: 'cell_type', n_genes: 3 });
    const svgOf = async (markers: object[]) => {
      const source = { ...body.source, content: { ...body.source.content, markers } };
      return api.post('/api/render-figure', { source, format: 'svg' });
    };
    const rows = (body.marker_csv as string).split('\n').filter((line) => line.startsWith('B cell,'));
    const genes = rows.map((line) => line.split(',')[1]!).toReversed();
    const whole = new TextDecoder().decode((await svgOf([{ group: 'B cell', genes }])).body);
    expect(whole).toContain('Markers of B cell by cell type');
    expect(whole).toContain('3 genes in 3 groups, 240 cells');
    const places = genes.map((gene) => whole.indexOf(`>${gene}<`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    const one = await svgOf([{ group: 'B cell', genes: [genes[0], 'NOPE'] }]);
    expect(new TextDecoder().decode(one.body)).toContain('1 of 9 markers by cell type');
    expect(await svgOf([{ group: 'B cell', genes: ['NOPE'] }])).toMatchObject({
      status: 422,
      body: { code: 'markers_not_found' },
    });
  });

  test('the size of a figure for print comes with its result, and is that of the file', async () => {
    const markers = await api.post('/api/perform-marker-analysis', { groupby: 'cell_type', n_genes: 50 });
    const enriched = await api.post('/api/perform-pathway-analysis', { pathway_genes: ['GENE1', 'VEGFA'] });
    for (const [{ source }, printSize, plain] of [
      [markers.body, markers.body.dotplot_print, markers.body.dotplot_width],
      [enriched.body, enriched.body.barplot_print, enriched.body.barplot_width],
    ]) {
      const { body } = await api.post('/api/render-figure', { source, format: 'png-300dpi' });
      const png = Buffer.from(body);
      expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual(printSize);
      expect(printSize.width).toBeGreaterThanOrEqual(plain);
    }
  });

  test.each(['gene-umap', 'gene-violin'])(
    'a %s for print is 2160 pixels wide, of the same shape',
    async (kind) => {
      const source = { dataset_filename: id, content: { kind, gene: 'GENE1' } };
      const size = async (format: string) => {
        const { body } = await api.post('/api/render-figure', { source, format });
        const head = Buffer.from(body);
        return [head.readUInt32BE(16), head.readUInt32BE(20)];
      };
      const [width, height] = await size('png');
      expect(width).toBe(1200);
      expect(await size('png-300dpi')).toEqual([2160, Math.round(1.8 * height!)]);
    },
  );

  test('a field that a source or its kind of figure does not have is refused by its name', async () => {
    const content = { kind: 'gene-umap', gene: 'GENE1' };
    const draw = (more: object) =>
      api.post('/api/render-figure', { source: { dataset_filename: id, content: { ...content, ...more } } });
    expect((await draw({})).status).toBe(200);
    const { status, body } = await draw({ colour: 'red' });
    expect([status, body.code, body.details[0].field]).toEqual([
      400,
      'invalid_request',
      'source.content.colour',
    ]);
    const scored = { kind: 'score-umap', of: 'signature', score_name: 'x', genes: ['GENE1'] };
    expect((await draw({ ...scored, gene: undefined })).status).toBe(200);
    expect((await draw({ ...scored, gene: undefined, scores: 1 })).body.message).toContain(
      'source.content.scores',
    );
    const nested = await api.post('/api/render-figure', {
      source: {
        dataset_filename: id,
        content: { kind: 'heatmap', genes: ['GENE1'], by: { column: 'x', bin: 4 } },
      },
      shown: { hiden: ['T cell'] },
      colour: 'red',
    });
    expect([nested.status, nested.body.details.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ['shown.hiden', 'colour', 'source.content.by.bin'],
    ]);
    const misspelt = await api.post('/api/render-figure', {
      source: { dataset_filename: id, subsets: [], content },
    });
    expect([misspelt.status, misspelt.body.details]).toEqual([
      400,
      [{ field: 'source.subsets', problem: 'is no field of a source' }],
    ]);
  });

  test('a source of another version, or of no dataset, is refused', async () => {
    const source = { dataset_filename: id, version: 'older', content: { kind: 'gene-umap', gene: 'GENE1' } };
    expect(await api.post('/api/render-figure', { source })).toMatchObject({ status: 409 });
    const missingSource = { ...source, dataset_filename: 'gone.h5ad', version: undefined };
    expect(await api.post('/api/render-figure', { source: missingSource })).toMatchObject({ status: 404 });
  });
});

test.each([
  ['/api/filter-active-dataset', { subset_group_name: 'Default' }],
  ['/api/plot-umap-with-genes', { genes: ['GENE1'] }],
  ['/api/plot-signature-enrichment', { genes: ['GENE1'] }],
  ['/api/plot-umap-with-cell-state', { cell_state: 'HYPOXIA' }],
  ['/api/plot-isolated-cell-types', { cell_types: ['T cell'] }],
  ['/api/perform-marker-analysis', { groupby: 'cell_type' }],
  ['/api/perform-pathway-analysis', { pathway_genes: ['GENE1'] }],
])('%s in a tab without a dataset answers No dataset loaded', async (path, body) => {
  const fresh = apiClient(server, token, 'fresh-tab');
  const { status, body: answer } = await fresh.post(path, body);
  expect({ status, code: answer.code }).toEqual({ status: 400, code: 'no_dataset_loaded' });
  expect(answer.message).toContain('No dataset loaded');
});

async function listen({ body }: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
  return text;
}

test('the progress of a marker analysis is reported under the id of its request, to its caller alone', async () => {
  const requestId = randomUUID();
  const watch = (as: string, signal?: AbortSignal) =>
    fetch(`${server.siteUrl}/api/progress/${requestId}`, {
      headers: server.headers(as),
      ...(signal && { signal }),
    });
  const events = watch(token).then((answer) => answer.text());
  const stranger = new AbortController();
  const overheard = listen(await watch(await server.signIn('professional'), stranger.signal));
  await api.post(
    '/api/perform-marker-analysis',
    { groupby: 'patient', method: 't-test' },
    { 'x-request-id': requestId },
  );
  const progressEvents = (await events)
    .split('\n')
    .filter((line) => line.startsWith('data: {"stage'))
    .map((line) => progressEvent.parse(JSON.parse(line.slice(6))));
  expect(progressEvents.map(({ stage }) => stage)).toContain('Comparing the groups');
  // Nothing ends a watch over what never begins, for ten seconds: by now all has been told.
  stranger.abort();
  expect(await overheard).toContain(': open');
  expect(await overheard).not.toContain('Comparing');
});

test('every call is described in the OpenAPI document', async () => {
  const { body } = await api.get('/api/openapi.json');
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining([
      '/api/filter-active-dataset',
      '/api/plot-umap-with-genes',
      '/api/plot-signature-enrichment',
      '/api/plot-umap-with-cell-state',
      '/api/plot-isolated-cell-types',
      '/api/perform-marker-analysis',
      '/api/perform-pathway-analysis',
      '/api/render-figure',
      '/api/gene-set-libraries',
    ]),
  );
});

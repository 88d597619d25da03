import { filterAnswer, filterPreview } from '@cellfolio/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { sparse, writeSparseDataset } from '../../testing/sparse-dataset.ts';

const id = 'sparse.h5ad';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) => writeSparseDataset(objectRoot, id));
  api = apiClient(server, await server.signIn('standard'), 'sparse');
});
beforeEach(() => api.get(`/api/dataset_analysis/${id}`));

type Gene = { min: number; max: number; among?: string; name?: string };
const byGene = ({ min, max, among, name = 'rare' }: Gene) => ({
  subset_group_name: 'mine',
  gene_filter: true,
  gene: { name, presence: 'percentile', min_percentile: min, max_percentile: max, among },
});
const filter = async (body: object) =>
  filterAnswer.parse((await api.post('/api/filter-active-dataset', body)).body);
const preview = async (body: object) =>
  filterPreview.parse((await api.post('/api/preview-filter', body)).body);
const activeCells = async () => {
  const { body } = await api.post('/api/plot-umap-with-genes', { genes: ['RARE'] });
  return body.plots[0].figure.counts.cells as number;
};
const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0);

describe('percentiles of a gene in 8 % of 20,000 cells', () => {
  test('90 to 100 keep all cells, as ever, and the answer says why', async () => {
    const answer = await filter(byGene({ min: 90, max: 100 }));
    expect(answer.cell_count).toBe(20_000);
    expect(answer.thresholds?.gene?.[0]).toBe(0);
    expect(answer.warnings).toMatchObject([
      {
        code: 'range-holds-ties',
        numbers: {
          filter: 'gene',
          minimumPercentile: 90,
          maximumPercentile: 100,
          low: 0,
          cellsKept: 20_000,
          cells: 20_000,
          zeros: 18_400,
          percentAsked: 10,
          percentKept: 100,
        },
      },
    ]);
    expect(answer.warnings[0]?.message).toBe(
      'Percentiles 90 to 100 of RARE ask for 10 % of the cells, but the filter keeps 20,000 of 20,000 cells (100.0 %): the lower end is 0, 18,400 of 20,000 cells (92.0 %) do not express it, and the ends of the range are included. Percentiles among expressing cells compare levels of expression.',
    );
  });

  test('75 to 90 keep exactly the cells that do not express it, and the answer says so', async () => {
    const answer = await filter(byGene({ min: 75, max: 90 }));
    expect(answer).toMatchObject({ cell_count: 18_400, thresholds: { gene: [0, 0] } });
    expect(answer.warnings).toMatchObject([
      { code: 'range-ends-coincide', numbers: { low: 0, high: 0, cellsKept: 18_400, zeros: 18_400 } },
    ]);
    expect(answer.warnings[0]?.message).toContain(
      'are both 0: 18,400 of 20,000 cells (92.0 %) do not express it, and the filter keeps exactly these.',
    );
  });

  test('among expressing cells 90 to 100 keep the highest tenth of them, without a warning', async () => {
    const answer = await filter(byGene({ min: 90, max: 100, among: 'expressing' }));
    expect(answer).toMatchObject({ cell_count: 160, warnings: [] });
    const [low, high] = answer.thresholds?.gene ?? [];
    expect([low! > 1.9, high]).toEqual([true, Math.fround(0.5 + 1.599)]);
    expect(await activeCells()).toBe(160);
  });

  test('among expressing cells stands in the source of a figure, which draws the same cells again', async () => {
    await filter(byGene({ min: 90, max: 100, among: 'expressing' }));
    const { body } = await api.post('/api/plot-umap-with-genes', { genes: ['RARE'] });
    const { source } = body.plots[0];
    expect(source.subset.gene).toEqual({
      name: 'rare',
      presence: 'percentile',
      min_percentile: 90,
      max_percentile: 100,
      among: 'expressing',
    });
    const again = await api.post('/api/render-figure', { source, format: 'svg' });
    expect(new TextDecoder().decode(again.body)).toContain('mine: 160 of 20,000 cells');
    await filter(byGene({ min: 90, max: 100, among: 'all' }));
    const all = await api.post('/api/plot-umap-with-genes', { genes: ['RARE'] });
    expect(all.body.plots[0].source.subset.gene).not.toHaveProperty('among');
  });

  test('a range in which the zeros fill no more than was requested has no warning', async () => {
    const { warnings, cell_count } = await filter(byGene({ min: 1, max: 50, name: 'GENE1' }));
    // 70 % of the cells do not express it: the range ends among them.
    expect(warnings.map(({ code }) => code)).toEqual(['range-ends-coincide']);
    expect(cell_count).toBeGreaterThan(13_000);
    expect((await filter(byGene({ min: 75, max: 95, name: 'GENE1' }))).warnings).toEqual([]);
  });

  test.each([
    ['somebody', 400],
    [7, 400],
    [null, 200],
  ])('a choice of cells %j is answered with %i', async (among, status) => {
    const body = { ...byGene({ min: 0, max: 100 }) };
    const answer = await api.post('/api/filter-active-dataset', { ...body, gene: { ...body.gene, among } });
    expect(answer.status).toBe(status);
  });
});

describe('the preview of a filter', () => {
  test('counts each part and all together, and leaves the active cells as they are', async () => {
    await filter({ subset_group_name: 'B', cell_type_filter: true, cell_type: ['B cell'] });
    const before = await activeCells();
    const answer = await preview({
      ...byGene({ min: 75, max: 90 }),
      cell_type_filter: true,
      cell_type: ['T cell'],
      patient_metadata_filter: true,
      patient_metadata: { Type: ['B cell', 'T cell'] },
    });
    expect(answer).toMatchObject({
      dataset_cells: 20_000,
      filter_counts: { gene: 18_400, cell_type: 9844, patient_metadata: 19_688 },
      thresholds: { gene: [0, 0] },
      warnings: [{ code: 'range-ends-coincide' }],
      unlabelled_cells: 0,
    });
    expect(answer.cell_count).toBeLessThan(9844);
    expect(answer.cell_count).toBe(answer.cell_type_counts['T cell']);
    expect(await activeCells()).toBe(before);
  });

  test('has the histogram of the gene with its zeros apart, and the part that is kept', async () => {
    const { histograms } = await preview(byGene({ min: 90, max: 100, among: 'expressing' }));
    const { gene } = histograms;
    expect(gene).toMatchObject({ zeros: 18_400, zeros_kept: 0, positive: 1600, missing: 0, low: 0.5 });
    expect([gene?.counts.length, sum(gene?.counts), sum(gene?.kept)]).toEqual([30, 1600, 160]);
    const zeros = await preview(byGene({ min: 75, max: 90 }));
    expect(zeros.histograms.gene).toMatchObject({ zeros_kept: 18_400 });
    expect(sum(zeros.histograms.gene?.kept)).toBe(0);
    const presence = { ...byGene({ min: 0, max: 0 }).gene, presence: 'positive' };
    const positive = await preview({ ...byGene({ min: 0, max: 0 }), gene: presence });
    expect([positive.cell_count, sum(positive.histograms.gene?.kept)]).toEqual([1600, 1600]);
  });

  test('has the histogram of a score over all cells, and warns of a score of one gene', async () => {
    const answer = await preview({
      subset_group_name: 'mine',
      signature_filter: true,
      signature: { genes: ['GENE1', 'NOPE'], min_percentile: 50, max_percentile: 99 },
    });
    const { signature } = answer.histograms;
    expect(sum(signature?.counts) + (signature?.zeros ?? 0)).toBe(20_000);
    expect(sum(signature?.kept) + (signature?.zeros_kept ?? 0)).toBe(answer.filter_counts.signature);
    // A third of the cells has neither the gene nor a control gene, so the median is 0.
    expect(answer.warnings).toMatchObject([
      { code: 'few-genes', numbers: { foundGenes: 1, setGenes: 2 } },
      { code: 'range-holds-ties', numbers: { filter: 'signature', low: 0, zeros: signature?.zeros } },
    ]);
  });

  test('of a filter that keeps no cell counts 0, where choosing it is refused', async () => {
    const none = byGene({ min: 1, max: 99, among: 'expressing', name: 'NONE' });
    const answer = await preview(none);
    expect(answer).toMatchObject({ cell_count: 0, filter_counts: { gene: 0 }, thresholds: {} });
    expect(answer.histograms.gene).toMatchObject({ zeros: 20_000, counts: [] });
    const { status, body } = await api.post('/api/filter-active-dataset', none);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'empty_subset' });
  });

  test('without a filter counts all cells, and refuses what choosing refuses', async () => {
    expect(await preview({ subset_group_name: 'x' })).toMatchObject({
      cell_count: 20_000,
      dataset_cells: 20_000,
      filter_counts: {},
      histograms: {},
    });
    const wrong = await api.post('/api/preview-filter', byGene({ min: 60, max: 20 }));
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_percentiles' } });
    const fresh = apiClient(server, await server.signIn('standard'), 'no-dataset');
    const lost = await fresh.post('/api/preview-filter', byGene({ min: 1, max: 50 }));
    expect(lost).toMatchObject({ status: 400, body: { code: 'no_dataset_loaded' } });
  });
});

test('cells without a cell type are counted beside those that have one', async () => {
  const { body } = await api.get(`/api/dataset_analysis/${id}`);
  expect(body).toMatchObject({ cell_count: 20_000, unlabelled_cells: 312 });
  expect(sum(Object.values(body.cell_type_counts as Record<string, number>))).toBe(19_688);
  expect(await filter({ subset_group_name: 'Default' })).toMatchObject({ unlabelled_cells: 312 });
  const rare = await filter(byGene({ min: 75, max: 90 }));
  expect(rare.unlabelled_cells + sum(Object.values(rare.cell_type_counts))).toBe(18_400);
  expect(rare.unlabelled_cells).toBeGreaterThan(200);
  expect(sparse.unlabelled).toBe(312);
});

describe('a cell state of which the dataset has few genes', () => {
  const state = (body: object) => api.post('/api/plot-umap-with-cell-state', body);

  test('is refused with fewer than three of them, and scored where its caller insists', async () => {
    const { status, body } = await state({ cell_state: 'ESTROGEN RESPONSE EARLY' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'too_few_genes' });
    expect(body.message).toBe(
      'The dataset has 2 of the 200 genes of ESTROGEN RESPONSE EARLY (Ca12, Slc2a1). At least 3 are required: fewer genes do not measure the state. To score it anyway, lower the minimum.',
    );
    expect(body.details).toEqual({ found_genes: ['Ca12', 'Slc2a1'], set_genes: 200, minimum_genes: 3 });
    const scored = await state({ cell_state: 'ESTROGEN RESPONSE EARLY', minimum_genes: 2 });
    expect(scored.status).toBe(200);
    expect(scored.body).toMatchObject({ minimum_genes: 2, found_genes: ['Ca12', 'Slc2a1'] });
    const { source, figure } = scored.body.plots[0];
    expect(source.content).toEqual({
      kind: 'score-umap',
      of: 'cell-state',
      cell_state: 'ESTROGEN RESPONSE EARLY',
      minimum_genes: 2,
    });
    expect(figure.cautions).toEqual(scored.body.warnings);
    expect((await api.post('/api/render-figure', { source, format: 'svg' })).status).toBe(200);
    const { minimum_genes: _, ...content } = source.content;
    // A source without it is older than the choice, and was drawn of any number.
    expect((await api.post('/api/render-figure', { source: { ...source, content } })).status).toBe(200);
    const three = { ...content, minimum_genes: 3 };
    const hidden = await api.post('/api/render-figure', { source: { ...source, content: three } });
    expect(hidden).toMatchObject({ status: 422, body: { code: 'too_few_genes' } });
  });

  test('says how many of them it is scored with, in the answer and in both figures', async () => {
    const { body } = await state({ cell_state: 'ADIPOGENESIS', violin_plot: true });
    expect(body.warnings).toMatchObject([
      { code: 'few-genes', numbers: { foundGenes: 3, setGenes: body.not_found_genes.length + 3 } },
    ]);
    expect(body.plots.map(({ figure }: { figure: object }) => figure)).toMatchObject([
      { cautions: body.warnings },
      { cautions: body.warnings },
    ]);
    expect(body.plots[0].source.content).toEqual({
      kind: 'score-umap',
      of: 'cell-state',
      cell_state: 'ADIPOGENESIS',
      minimum_genes: 3,
    });
  });

  test('says that human genes were matched with symbols in another case', async () => {
    const { body } = await state({ cell_state: 'GLYCOLYSIS' });
    expect(body.found_genes).toEqual(['Aldob', 'Pfkfb1', 'Pgam1', 'Pkm']);
    expect(body.warnings).toMatchObject([
      { code: 'few-genes', numbers: { foundGenes: 4 } },
      {
        code: 'matched-regardless-of-case',
        numbers: { otherCase: 4, foundGenes: 4, example: 'Aldob' },
      },
    ]);
  });

  test.each([0, 1.5, 'two', 1001])('the minimum %j is refused', async (minimum_genes) => {
    expect((await state({ cell_state: 'ADIPOGENESIS', minimum_genes })).status).toBe(400);
  });
});

test('a signature of one or two genes is scored, with a caution', async () => {
  const score = async (genes: string[]) =>
    (await api.post('/api/plot-signature-enrichment', { genes, score_name: 'S' })).body;
  const one = await score(['GENE1', 'NOPE']);
  expect(one.warnings).toMatchObject([{ code: 'few-genes', numbers: { foundGenes: 1, setGenes: 2 } }]);
  expect(one.plots[0].figure.cautions).toEqual(one.warnings);
  const three = await score(['GENE1', 'GENE2', 'gene3']);
  expect(three.warnings).toEqual([]);
  expect(three.plots[0].figure).not.toHaveProperty('cautions');
});

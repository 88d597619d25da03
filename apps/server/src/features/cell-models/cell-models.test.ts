import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CellModelAnswer, cellModelAnswer, cellModels } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cellModel as model, writeCellModel } from '../../testing/cell-model.ts';
import { type AnalysisDataset, hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';

const id = 'analysis.h5ad';
const path = '/api/classify-cells';
let server: TestServer;
let dataset: AnalysisDataset;
let api: ReturnType<typeof apiClient>;
const defaultRequest = { model: 'three.json', groupby: 'cell_type' };

const { types } = model;

beforeAll(async () => {
  const folder = await writeCellModel();
  await writeFile(join(folder, 'broken.json'), '{"format": "pickle"}');
  await writeFile(join(folder, 'notes.txt'), 'not a model');
  server = await startTestServer({ CELL_MODEL_DIR: folder }, async ({ objectRoot }) => {
    dataset = await writeAnalysisDataset(objectRoot, id);
  });
  api = apiClient(server, await server.signIn('standard'), 'cell-models');
  await api.get(`/api/dataset_analysis/${id}`);
});
afterAll(() => server.close());
beforeEach(() => api.post('/api/filter-active-dataset', { subset_group_name: 'Default' }));

async function run(body: object = defaultRequest): Promise<CellModelAnswer> {
  const { status, body: answer } = await api.post(path, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return cellModelAnswer.parse(answer);
}
const rowsOf = (csv: string): Record<string, string>[] =>
  parse(csv, { columns: true, comment: '#', comment_no_infix: true });

function probabilitiesOf(cell: number): number[] {
  return types.map((_, type) => {
    let score = model.intercepts[type]!;
    for (let gene = 0; gene < 30; gene++) {
      const scaled = (dataset.expression[gene]![cell]! - model.means[gene]!) / model.scales[gene]!;
      score += model.coefficients[type]![gene]! * Math.min(10, scaled);
    }
    return 1 / (1 + Math.exp(-score));
  });
}

test('each cell has the probability that its values give, and each group the type of most of its cells', async () => {
  const answer = await run();
  const cells = rowsOf(answer.cells_csv);
  expect(cells).toHaveLength(240);
  cells.forEach((row, cell) => {
    const all = probabilitiesOf(cell);
    const best = all.indexOf(Math.max(...all));
    // A name that a spreadsheet would run is text.
    expect(row['cell_type']!.replace(/^'/, '')).toBe(types[best]);
    expect(Number(row['probability'])).toBeCloseTo(all[best]!, 9);
  });
  expect(answer.suggestions.map(({ group, suggestion }) => [group, suggestion])).toEqual([
    ['B cell', '=B|calc'],
    [hostile, 'M'],
    ['T cell', 'T'],
  ]);
  const [first] = answer.suggestions;
  const ofGroup = Array.from({ length: 80 }, (_, cell) => probabilitiesOf(cell));
  const mean = ofGroup.reduce((sum, all) => sum + all[0]!, 0) / 80;
  expect(first!.best.probability).toBeCloseTo(mean, 9);
  expect(first!.best.genes).toHaveLength(10);
  for (const { gene } of first!.best.genes) expect(Number(gene.slice(4))).toBeLessThanOrEqual(10);
  const contributions = first!.best.genes.map(({ contribution }) => contribution);
  expect(contributions).toEqual(contributions.toSorted((a, b) => b - a));
  expect(answer).toMatchObject({
    genes: { found: 30, total: 32 },
    cells: { classified: 240, unclear: 0 },
    model: { name: 'Three types', licence: 'CC0', type_count: 3 },
    source: { content: { kind: 'gene-dot-plot' } },
  });
  expect(answer.dotplot_image).not.toBe('');
});

test('groups whose cells are of several types are Unclear, with the reasons', async () => {
  const answer = await run({ ...defaultRequest, groupby: 'leiden' });
  for (const { suggestion, reasons, margin, best, runner_up: next } of answer.suggestions) {
    expect(suggestion).toBeNull();
    expect(reasons).toEqual(['low-probability', 'small-share', 'small-margin']);
    expect(margin).toBeCloseTo(best.share - next!.share, 12);
  }
  expect(answer.cells.unclear).toBe(240);
  const table = rowsOf(answer.types_csv);
  expect(table[0]).toMatchObject({ group: '0', rank: '1', suggestion: 'Unclear' });
  const sure = await run({
    ...defaultRequest,
    groupby: 'leiden',
    min_probability: 0,
    min_share: 0,
    min_margin: 0,
  });
  expect(sure.suggestions.every(({ suggestion }) => suggestion !== null)).toBe(true);
});

test('a subset is classified by its own cells alone', async () => {
  const chosen = { subset_group_name: 'B', cell_type_filter: true, cell_type: ['B cell'] };
  const answer = await run({ ...defaultRequest, cells: { subset: chosen } });
  expect(answer.suggestions.map(({ group, cells }) => [group, cells])).toEqual([['B cell', 80]]);
  expect(rowsOf(answer.cells_csv)).toHaveLength(80);
  expect(answer.source.subset).toBeDefined();
});

test('models are listed, and a file that is none with the reason', async () => {
  const { body } = await api.get('/api/cell-models');
  const { models, problems } = cellModels.parse(body);
  expect(models).toEqual([
    {
      file: 'three.json',
      name: 'Three types',
      source: 'https://example.org/three',
      licence: 'CC0',
      species: 'human',
      type_count: 3,
      gene_count: 32,
    },
  ]);
  expect(problems).toEqual([{ file: 'broken.json', problem: expect.stringContaining('format and version') }]);
  expect(server.config.features.cellModels).toBe(true);
});

test.each([
  ['a model that is not there', { model: 'gone.json' }, 400, 'unknown_model'],
  ['a path out of the folder', { model: '../three.json' }, 400, 'unknown_model'],
  ['a file that is no model', { model: 'broken.json' }, 409, 'model_not_readable'],
  ['a column of numbers', { groupby: 'depth' }, 400, 'not_categorical'],
])('%s is refused', async (_, change, status, code) => {
  const answer = await api.post(path, { ...defaultRequest, ...change });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

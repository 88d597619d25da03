import { decodeColumn, type LevelColumn } from '@cellfolio/columns';
import { beforeAll, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const id = 'proteins.h5ad';
const base = `/api/datasets/${id}/columns`;
const cd3 = 'CD3 (protein)';
/** Missing in every third cell, as in a sample that lacked its antibody. */
const cd8 = 'CD8 (protein)';
const hostile = '<script>alert("x")</script>';
const values = Float32Array.from({ length: 240 }, (_, cell) => (cell < 80 ? 2 : 0.5) + (cell % 40) / 100);
let server: SharedServer;
let api: ReturnType<typeof apiClient>;
let version: string;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    const proteins = new Map([
      ['CD3', values],
      [hostile, values.map((value) => -value)],
      ['IgG2a_control', new Float32Array(240)],
      ['CD8', values.map((value, cell) => (cell % 3 === 0 ? NaN : value))],
    ]);
    ({ version } = (await writeAnalysisDataset(objectRoot, id, [], proteins)).manifest);
  });
  api = apiClient(server, await server.signIn('standard'), 'proteins');
  await api.get(`/api/dataset_analysis/${id}`);
});

const figure = async (content: object, format = 'json') => {
  const source = { dataset_filename: id, version, content };
  const { status, body } = await api.post('/api/render-figure', { source, format });
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
};

test('proteins are listed behind the columns of obs, with titles that say what they are', async () => {
  const { body } = await api.get(base);
  expect(body.obs.slice(-4)).toEqual(
    [cd3, `${hostile} (protein)`, 'IgG2a_control (protein, isotype control)', cd8].map((name) => ({
      name,
      title: name,
      kind: 'levels',
      modality: 'protein',
    })),
  );
  expect(body.obs.at(-5)).not.toHaveProperty('modality');
  expect(body.embeddings).toEqual([{ name: 'X_umap', dimensions: 2 }]);
});

test('the column of a protein and its exact values come as those of obs do', async () => {
  const answer = await api.get(`${base}/obs/${encodeURIComponent(cd3)}`);
  expect(answer.status).toBe(200);
  const column = decodeColumn(answer.body) as LevelColumn;
  expect(column.kind).toBe('levels');
  expect(column.range[1]).toBeCloseTo(2.39, 5);
  const { body } = await api.get(`${base}/cell/5?obs=${encodeURIComponent(cd3)}`);
  const cell = Number(body.barcode.replace('cell-', ''));
  expect(body.obs).toEqual([{ name: cd3, title: cd3, value: values[cell] }]);
});

test('maps, violins and scatters of a protein say that their values are centred log ratios', async () => {
  const unit = 'centered log ratio (CLR)';
  expect(await figure({ kind: 'obs-umap', column: cd3 })).toMatchObject({ title: cd3, unit });
  const violin = await figure({
    kind: 'violin',
    of: { measure: 'obs', column: cd3 },
    by: { column: 'cell_type' },
  });
  expect(violin).toMatchObject({ title: cd3, unit });
  const scatter = await figure({ kind: 'gene-scatter', x: 'GENE1', y: { measure: 'obs', column: cd3 } });
  expect(scatter.y).toMatchObject({ symbol: cd3, unit });
  const svg = new TextDecoder().decode(
    await figure({ kind: 'obs-umap', column: `${hostile} (protein)` }, 'svg'),
  );
  expect(svg).not.toContain('<script');
});

test('cells in which a protein was not measured are missing in its column and its figures, and rank nowhere', async () => {
  const answer = await api.get(`${base}/obs/${encodeURIComponent(cd8)}`);
  const column = decodeColumn(answer.body) as LevelColumn;
  expect(column.missing).toBe(80);
  const violin = await figure({
    kind: 'violin',
    of: { measure: 'obs', column: cd8 },
    by: { column: 'cell_type' },
  });
  expect(violin.summary).toBe('160 cells · 80 without a value');
  expect(violin.groups.map(({ cells }: { cells: number }) => cells)).toEqual([53, 53, 54]);
  expect(await figure({ kind: 'obs-umap', column: cd8 })).toMatchObject({
    notScored: 80,
    words: { cautions: ['80 cells have no value.'] },
  });
  const by = { of: 'column', column: cd8 };
  const ends = await api.post('/api/perform-decile-analysis', { by, share: 20, method: 'wilcoxon' });
  expect(ends.body.deg_csv).toContain('A: Highest 20 % of CD8 (protein), 32 cells;');
});

test('a protein is an axis of a gradient and ranks cells for their ends', async () => {
  const by = { of: 'column', column: 'cd3 (Protein)' };
  const gradient = await api.post('/api/perform-gradient-analysis', { axis: by, within_samples: false });
  expect([gradient.status, gradient.body.message]).toEqual([200, undefined]);
  expect(gradient.body.axis).toMatchObject({ name: cd3, unit: 'centered log ratio (CLR)' });
  const ends = await api.post('/api/perform-decile-analysis', { by, share: 20, method: 'wilcoxon' });
  expect([ends.status, ends.body.message]).toEqual([200, undefined]);
  expect(ends.body.ends.ranked_by).toBe(cd3);
  const groups = await api.post('/api/perform-marker-analysis', { groupby: cd3 });
  expect(groups.status).toBe(400);
});

test('cells are exported with the proteins that are named, and no annotation takes the name of one', async () => {
  const { body } = await api.post('/api/export-cells', { columns: ['leiden', cd3], coordinates: false });
  const lines = new TextDecoder().decode(body).trimEnd().split('\n');
  expect(lines).toContain('# Values of proteins: centered log ratio (CLR)');
  expect(lines.find((line) => line.startsWith('barcode'))).toBe(`barcode,leiden,${cd3}`);
  expect(Number(lines.at(-1)!.split(',')[2])).toBeCloseTo(values.at(-1)!, 6);
  const refused = await api.post(`/api/datasets/${id}/annotations`, { name: cd3 });
  expect([refused.status, refused.body.code]).toEqual([409, 'annotation_exists']);
});

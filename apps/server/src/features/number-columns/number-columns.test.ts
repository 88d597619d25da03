import { trajectory } from '@cellfolio/analyses';
import { analysisCall, type Annotation, type NumberColumn, numberColumn } from '@cellfolio/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeBranchingDataset } from '../analyses/testing/branching-dataset.ts';

const id = 'fork.h5ad';
const path = `/api/datasets/${id}/number-columns`;
let server: SharedServer;
let ada: ReturnType<typeof apiClient>;
let eve: ReturnType<typeof apiClient>;
let source: { content: object; version: string };
let times: Map<string, number>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) =>
    writeBranchingDataset(objectRoot, id, { shape: 'fork and island' }),
  );
  ada = apiClient(server, await server.signIn('professional'), 'numbers');
  eve = apiClient(server, await server.signIn('standard'), 'numbers');
  await ada.get(`/api/dataset_analysis/${id}`);
  await eve.get(`/api/dataset_analysis/${id}`);
  const { body } = await ada.post('/api/perform-trajectory-analysis', { groupby: 'stage' });
  const answer = analysisCall(trajectory).answer.parse(body);
  source = answer.source as typeof source;
  const rows: Record<string, string>[] = parse(answer.cells_csv!, { columns: true, comment: '#' });
  times = new Map(rows.map((row) => [row['barcode']!, Number(row['pseudotime'] || Number.NaN)]));
});

async function keep(name: string, of: object = source): Promise<NumberColumn> {
  const { status, body } = await ada.post(path, { name, source: of });
  expect([status, body.message]).toEqual([200, undefined]);
  return numberColumn.parse(body);
}

test('pseudotime that is kept is a column: listed, exact, coloured, measured, binned and an axis', async () => {
  const numberColumn = await keep('my time');
  const reached = [...times.values()].filter(Number.isFinite).length;
  expect(numberColumn).toMatchObject({ name: 'my time', revision: 1, cells: reached });
  expect(numberColumn.words).toMatch(/^Diffusion pseudotime from cell-\d+/);
  expect(numberColumn.cells + numberColumn.missing).toBe(times.size);

  const { body: list } = await ada.get(`/api/datasets/${id}/columns`);
  expect(list.obs.find((one: { name: string }) => one.name === 'my time')).toMatchObject({
    kind: 'levels',
    own: true,
  });
  const { body: cell } = await ada.get(
    `/api/datasets/${id}/columns/cell/0?version=${numberColumn.version}&obs=${encodeURIComponent('my time')}`,
  );
  expect(cell.obs[0].value).toBeCloseTo(times.get(cell.barcode)!, 12);

  const figure = (content: object) =>
    ada.post('/api/render-figure', {
      source: { dataset_filename: id, version: numberColumn.version, content },
      format: 'json',
    });
  const by = { column: 'my time', bins: { by: 'quantiles', parts: 4 } };
  for (const content of [
    { kind: 'obs-umap', column: 'my time' },
    { kind: 'violin', of: { measure: 'obs', column: 'my time' }, by: { column: 'stage' } },
    { kind: 'gene-dot-plot', genes: ['RISE1'], by },
  ]) {
    const { status, body } = await figure(content);
    expect([content.kind, status, body.message]).toEqual([content.kind, 200, undefined]);
  }
  const axis = { of: 'column', column: 'my time' };
  const gradient = await ada.post('/api/perform-gradient-analysis', { axis, within_samples: false });
  expect([gradient.status, gradient.body.message]).toEqual([200, undefined]);
  expect(gradient.body.axis.least).toBe(0);
});

test('a figure names the column at its revision, and no other user has it', async () => {
  const { id: column, revision, version } = await keep('hers');
  const content = { kind: 'obs-umap', column: 'hers' };
  const annotations = [{ id: column, revision, name: 'hers' }];
  const named = { dataset_filename: id, version, content, annotations };
  const ask = (api: typeof ada) => api.post('/api/render-figure', { source: named, format: 'json' });
  expect((await ask(ada)).status).toBe(200);
  expect((await ask(eve)).status).toBe(404);
  const { body } = await eve.get(`/api/datasets/${id}/annotations`);
  expect(body.numbers).toEqual([]);
});

test('a score that is kept is named by its genes, and one of labels is not among the annotations', async () => {
  const content = { kind: 'score-umap', of: 'signature', score_name: 'mine', genes: ['RISE1', 'RISE2'] };
  const numberColumn = await keep('score', { dataset_filename: id, content });
  expect(numberColumn.words).toMatch(/^Score of mine \(2 genes\)/);
  const { body } = await ada.get(`/api/datasets/${id}/annotations`);
  expect(body.annotations.map(({ name }: Annotation) => name)).not.toContain('score');
  expect(body.numbers.map(({ name }: NumberColumn) => name)).toContain('score');
  const refused = await ada.post(`/api/annotations/${numberColumn.id}/changes`, {
    revision: 1,
    change: { change: 'remove', group: 'x' },
  });
  expect(refused.status).toBe(404);
});

test('a name that is taken, a figure without numbers and another version are refused', async () => {
  await keep('twice');
  const again = await ada.post(path, { name: 'twice', source });
  expect([again.status, again.body.code]).toEqual([409, 'annotation_exists']);
  const own = await ada.post(path, { name: 'stage', source });
  expect([own.status, own.body.code]).toEqual([409, 'annotation_exists']);
  const categories = { dataset_filename: id, content: { kind: 'category-umap' } };
  const none = await ada.post(path, { name: 'none', source: categories });
  expect([none.status, none.body.details[0].field]).toEqual([400, 'source.content.kind']);
  const other = await ada.post(path, { name: 'other', source: { ...source, version: 'of-before' } });
  expect([other.status, other.body.code]).toEqual([409, 'dataset_changed']);
});

test('a column that is deleted is gone', async () => {
  const { id: column } = await keep('short');
  expect((await eve.send('DELETE', `/api/annotations/${column}`)).status).toBe(404);
  expect((await ada.send('DELETE', `/api/annotations/${column}`)).status).toBe(200);
  const { body } = await ada.get(`/api/datasets/${id}/annotations`);
  expect(body.numbers.map(({ name }: NumberColumn) => name)).not.toContain('short');
});

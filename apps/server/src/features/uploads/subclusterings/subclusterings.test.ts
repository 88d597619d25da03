import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  annotation,
  type Annotation,
  type Job,
  type SubclusteringLinks,
  subclusteringLinks,
} from '@cellfolio/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/running-server.ts';
import { writeTinyDataset } from '../../../testing/tiny-dataset.ts';
import { hasEnded, ownDataClient } from '../testing/own-data-client.ts';
import { runWork } from '../work/index.ts';
import { buildOf, labels, listening, simulatedCounts, writeSmallFile } from '../work/work.test-data.ts';

vi.setConfig({ testTimeout: 300_000 });

const CELLS = 130;
const GENES = 300;
const settings = { variableGenes: 200, components: 10, neighbours: 10 };
const everyCell = Array.from({ length: CELLS }, (_, cell) => cell);

let folder = '';
let server: TestServer;
let owner: ReturnType<typeof ownDataClient>;
let other: ReturnType<typeof ownDataClient>;
let parentId = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-subclusterings-'));
  const [path, plain] = [join(folder, 'parent.h5ad'), join(folder, 'plain.h5ad')];
  const rows = simulatedCounts(CELLS, GENES);
  await writeSmallFile(plain, { rows, geneNames: (gene) => `GENE${gene}` });
  await writeSmallFile(path, {
    rows,
    obs: new Map([
      ['cell_type', labels(everyCell.map((cell) => (cell < 10 ? 'few' : `kind ${cell % 2}`)))],
      ['batch', labels(everyCell.map((cell) => (cell < 100 ? 'one' : 'two')))],
      ['lone', labels(everyCell.map((cell) => (cell === 11 ? 'alone' : 'others')))],
    ]),
    // Nothing is to be computed.
    obsm: [{ name: 'X_umap', dimensions: 2, values: new Float32Array(2 * CELLS).map((_, at) => at) }],
  });
  server = await startTestServer({}, async ({ objectRoot }) => {
    await writeTinyDataset(objectRoot, 'tiny.h5ad');
    const work = buildOf({ path: plain, name: 'plain.h5ad' }, objectRoot, { datasetId: 'plain.h5ad' });
    await runWork({ ...work, processing: settings }, listening(folder).context);
  });
  owner = ownDataClient(server, await server.signIn('professional'));
  other = ownDataClient(server, await server.signIn('standard'));
  parentId = await owner.upload('parent.h5ad', readFileSync(path));
  await owner.call('POST', `/api/files/${parentId}/inspect`);
  await owner.file(parentId, ({ dataset }) => dataset?.state === 'ready');
}, 300_000);
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const own = (fileId: string) => `custom:${fileId}`;
const open = (id: string, who = owner) => who.call('GET', `/api/dataset_analysis/${encodeURIComponent(id)}`);
const linksOf = async (id: string, who = owner): Promise<SubclusteringLinks> => {
  const { body, status } = await who.call('GET', `/api/subclusterings/${encodeURIComponent(id)}`);
  expect(status).toBe(200);
  return subclusteringLinks.parse(body);
};
const kindZero = {
  subset_group_name: 'Kind <0>',
  gene_filter: false,
  signature_filter: false,
  cell_type_filter: true,
  patient_metadata_filter: false,
  cell_type: ['kind 0'],
};
const order = (more = {}) => ({ name: 'Zero', cells: { subset: kindZero }, choices: settings, ...more });
const begin = async (body: unknown, who = owner) => who.call('POST', '/api/subclusterings', body);

async function createSubset(body: unknown): Promise<string> {
  const { body: answer, status } = await begin(body);
  expect(status).toBe(202);
  const job = await owner.job((answer as { job: Job }).job.id, hasEnded);
  expect(job).toMatchObject({ kind: 'subset', state: 'done', problem: null });
  await owner.file(job.result_file_id!, ({ dataset }) => dataset?.state === 'ready');
  return job.result_file_id!;
}

test('what cannot be mapped is refused in words', async () => {
  await open(own(parentId));
  const few = { ...kindZero, cell_type: ['few'] };
  expect(await begin(order({ cells: { subset: few } }))).toMatchObject({
    status: 422,
    body: {
      code: 'too_few_cells',
      message: '10 cells are too few for a new map; at least 50 are needed.',
    },
  });
  const over = (batchColumn: string, cells: unknown = {}) =>
    begin(order({ cells, choices: { batchColumn } }));
  expect(await over('nothing')).toMatchObject({ status: 400, body: { code: 'column_not_found' } });
  expect(await over('lone')).toMatchObject({
    status: 422,
    body: {
      code: 'no_batches',
      message:
        'lone cannot separate batches of these cells: alone has 1 of them, and at least 10 are needed. Choose another column, or none.',
    },
  });
  expect(await over('lone', { subset: kindZero })).toMatchObject({
    body: { message: expect.stringContaining('it is the same for all of them') },
  });
  await open('tiny.h5ad');
  expect(await begin({ name: 'All', cells: {} })).toMatchObject({
    status: 422,
    body: { code: 'no_raw_counts' },
  });
  expect(await begin({ name: ' ', cells: {} })).toMatchObject({ status: 400 });
});

test('a user without the plan makes none, and no user learns of the datasets of another', async () => {
  await open('tiny.h5ad', other);
  expect(await begin({ name: 'All', cells: {} }, other)).toMatchObject({
    status: 403,
    body: { code: 'professional_plan_required' },
  });
  const path = `/api/subclusterings/${encodeURIComponent(own(parentId))}`;
  expect((await other.call('GET', path)).status).toBe(404);
});

/** Kind 0 is every second cell from cell 10 on; its clusters become labels of these cells in the parent. */
async function expectLabelsInParent(childId: string): Promise<void> {
  const annotations = `/api/datasets/${encodeURIComponent(own(parentId))}/annotations`;
  const create = async (name: string, from?: string) =>
    annotation.parse((await owner.call('POST', annotations, { name, ...(from && { from }) })).body);
  const assign = (to: Annotation, more: object, who = owner) =>
    who.call('POST', `/api/annotations/${to.id}/changes`, {
      revision: to.revision,
      change: { change: 'assign', column: 'batch', part: own(childId), groups, ...more },
    });
  const groups = [
    { of: 'one', group: 'early' },
    { of: 'two', group: 'few' },
  ];
  const counts = (answer: { body: unknown }) => {
    const { groups: labels, unlabelled } = annotation.parse(answer.body);
    return [...labels.map(({ name, cells }) => [name, cells]), unlabelled];
  };
  // The batch is one below 100, where 45 of the cells 10 to 128 are.
  const fresh = await assign(await create('From Zero'), {});
  expect(counts(fresh)).toEqual([['early', 45], ['few', 15], 70]);
  expect(fresh.body).toMatchObject({
    history: [{ words: 'Labeled “early”, “few” by “Batch of Zero”' }, {}],
  });
  const refined = await assign(await create('Refined', 'cell_type'), {});
  expect(counts(refined)).toEqual([['few', 25], ['kind 0', 0], ['kind 1', 60], ['early', 45], 0]);

  const more = await create('More');
  expect(await assign(more, { part: 'plain.h5ad' })).toMatchObject({
    status: 404,
    body: { code: 'subclustering_not_found' },
  });
  expect(await assign(more, { column: 'gone' })).toMatchObject({
    status: 404,
    body: { code: 'column_not_found' },
  });
  expect(await assign(more, {}, other)).toMatchObject({ status: 404 });
  const otherLabels = annotation.parse(
    (await other.call('POST', '/api/datasets/plain.h5ad/annotations', { name: 'Mine' })).body,
  );
  expect(await assign(otherLabels, {}, other)).toMatchObject({ status: 404 });
}

test('a map that is cancelled leaves nothing but its job, can be begun again, and says what its parent warns of', async () => {
  await open('plain.h5ad');
  const { body } = await begin({ name: 'Canceled', cells: {}, choices: settings });
  const { job } = body as { job: Job };
  await owner.call('POST', `/api/jobs/${job.id}/cancel`);
  const ended = await owner.job(job.id, hasEnded);
  expect(ended).toMatchObject({ state: 'cancelled', result_file_id: null });
  expect((await linksOf('plain.h5ad')).subclusterings).toEqual([]);
  const again = await owner.call('POST', `/api/jobs/${job.id}/again`, {});
  expect(again.status).toBe(202);
  const second = await owner.job((again.body as { job: Job }).job.id, hasEnded);
  expect(second).toMatchObject({ state: 'done', name: 'Canceled' });
  const warnings = [
    {
      dataset: 'plain.h5ad',
      code: 'no-mitochondrial-genes',
      message: expect.stringContaining('no filter of mitochondrial counts'),
    },
  ];
  expect((await linksOf('plain.h5ad')).subclusterings).toMatchObject([
    { name: 'Canceled', part: { name: 'plain.h5ad', warnings } },
  ]);
  await owner.remove(second.result_file_id!);
});

test('cells of a dataset become a dataset of their own that says what it is a part of, and goes on without it', async () => {
  expect((await open(own(parentId))).status).toBe(200);
  await owner.call('POST', `/api/datasets/${encodeURIComponent(own(parentId))}/annotations`, {
    name: 'My labels',
    from: 'batch',
  });
  const childId = await createSubset(order({ definition: 'Cell type is kind 0' }));
  const part = {
    dataset_filename: own(parentId),
    name: 'parent.h5ad',
    subset: 'Kind <0>',
    definition: 'Cell type is kind 0',
    cells: 60,
    of_cells: CELLS,
  };
  const row = await owner.rest('GET', `user_files?id=eq.${childId}&select=description`);
  expect(await row.json()).toEqual([
    { description: `Part of parent.h5ad: 60 of ${CELLS} cells, Cell type is kind 0` },
  ]);
  const opened = await open(own(childId));
  expect(opened.body).toMatchObject({
    cell_count: 60,
    raw_counts: true,
    patient_metadata: { batch: ['one', 'two'], 'My labels': ['one', 'two'] },
    // One type is left, so that cells are told apart by their clusters.
    cell_types: [],
    columns: { leiden_clusters: 'leiden' },
    processing: { computed: ['clusters', 'embedding'], components: 10, neighbours: 10, cellsKept: 60 },
  });
  expect(await linksOf(own(childId))).toMatchObject({
    part_of: { ...part, state: 'same' },
    subclusterings: [],
    jobs: [],
  });
  expect(await linksOf(own(parentId))).toMatchObject({
    part_of: null,
    subclusterings: [{ dataset_filename: own(childId), name: 'Zero', state: 'ready', problem: null, part }],
    jobs: [],
  });

  await expectLabelsInParent(childId);

  // Other choices for the parent: another version, of which the part was not taken.
  await owner.call('POST', `/api/files/${parentId}/build`, { columns: { patient: 'batch' } });
  const rebuilt = await owner.file(
    parentId,
    ({ dataset }) => dataset?.state === 'ready' && dataset.made_before !== null,
  );
  expect(rebuilt.dataset).toMatchObject({
    made_with: { version: rebuilt.dataset!.version, columns: { patient: 'batch' } },
    made_before: { columns: {}, processing: {} },
  });
  await owner.until('the new version', async () =>
    (await linksOf(own(childId))).part_of?.state === 'replaced' ? true : undefined,
  );

  await owner.remove(parentId);
  await owner.until('the end of the parent', async () =>
    (await linksOf(own(childId))).part_of?.state === 'removed' ? true : undefined,
  );
  expect((await open(own(childId))).status).toBe(200);
  // The part can be processed again: its file has all that it takes.
  await owner.call('POST', `/api/files/${childId}/build`, {
    processing: {
      ...settings,
      resolution: 0.2,
      samples: { doublets: 'keep', integrate: 'none', resolutions: [] },
    },
  });
  const again = await owner.file(
    childId,
    ({ dataset }) => dataset?.state === 'ready' && dataset.made_before !== null,
  );
  expect(again.dataset).toMatchObject({
    cells: 60,
    processed: { computed: ['clusters', 'embedding'], resolution: 0.2 },
    made_before: { processing: { neighbours: 10, samples: { resolutions: [0.5, 2] } } },
  });
  expect(again.part_of).toMatchObject(part);
});

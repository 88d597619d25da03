import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/running-server.ts';
import { hasEnded, ownDataClient } from './testing/own-data-client.ts';

const shared = resolve(
  process.env.CELLFOLIO_SHARED ?? resolve(import.meta.dirname, '../../../../../shared'),
  'data',
);
const there = existsSync(shared);
if (!there) console.warn(`SKIPPED: ${shared} is not there; set CELLFOLIO_SHARED.`);

let server: TestServer;
let owner: ReturnType<typeof ownDataClient>;
let other: ReturnType<typeof ownDataClient>;
beforeAll(async () => {
  server = await startTestServer({}, async () => undefined);
  owner = ownDataClient(server, await server.signIn('professional'));
  other = ownDataClient(server, await server.signIn('standard'));
});
afterAll(() => server?.close());

describe.skipIf(!there)('files of researchers', () => {
  test('M46 M62 an .h5ad is inspected, built and ready to be opened', async () => {
    const begun = performance.now();
    const id = await owner.upload('pbmc68k_reduced.h5ad', await readFile(`${shared}/pbmc68k_reduced.h5ad`));
    const file = await owner.file(id, ({ dataset }) => dataset?.state === 'ready');
    console.log('ready after', performance.now() - begun);
    expect(file).toMatchObject({
      report: { kind: 'h5ad', cells: 700 },
      problem: null,
      dataset: { cells: 700 },
    });
    const opened = await owner.call('GET', `/api/dataset_analysis/${encodeURIComponent(`custom:${id}`)}`);
    expect(opened.status).toBe(200);
  });

  test('M23 M24 a matrix and its tables are converted, processed and built', async () => {
    const begun = performance.now();
    const ids = [];
    for (const name of ['matrix.mtx', 'barcodes.tsv', 'features.tsv']) {
      ids.push(await owner.upload(name, await readFile(`${shared}/mouse_brain_10k_mtx/${name}`)));
    }
    const { status, body } = await owner.call('POST', '/api/convert', { file_ids: ids });
    expect(status).toBe(202);
    const job = await owner.job(body.job.id, hasEnded);
    console.log('converted after', performance.now() - begun, job);
    const file = await owner.file(
      job.result_file_id!,
      ({ dataset }) => dataset?.state === 'ready' || dataset?.state === 'failed',
    );
    console.log(
      'ready after',
      performance.now() - begun,
      JSON.stringify(file),
      JSON.stringify((await owner.list()).jobs[0]),
    );
    void other;
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { type OwnersWorld, ownersPassword, prepareOwners } from '../../testing/own-files.ts';
import { TestArchive } from './linked-data/archive.test-data.ts';

const missingFileId = '00000000-0000-4000-8000-000000000000';
let server: TestServer;
const files = {
  matrix: '',
  cells: '',
  genes: '',
  ready: '',
  replaced: '',
  second: '',
  failed: '',
  waiting: '',
};
const archive = new TestArchive();
const tokens = { ada: '', bob: '', bea: '', carol: '' };

/**
 * Ada has the files for a conversion, which keeps running, and a file that was replaced; Bob has the maximum number of
 * jobs.
 */
async function prepare({ addUser, addFile, holdJobs, database }: OwnersWorld): Promise<void> {
  const ada = await addUser('ada', 'Professional');
  files.matrix = await addFile(ada, 'counts.mtx');
  files.cells = await addFile(ada, 'cells.tsv');
  files.genes = await addFile(ada, 'genes.tsv');
  files.replaced = await addFile(ada, 'replaced.h5ad');
  const bob = await addUser('bob', 'Professional');
  files.ready = await addFile(bob, 'ready.h5ad');
  files.second = await addFile(bob, 'second.h5ad');
  await addUser('bea', 'Professional');
  await addUser('carol', 'Standard');
  await holdJobs();
  await database.pool.query(
    `insert into cellfolio.custom_datasets (file_id, version, outdated) values ($1, 'v', true)`,
    [files.replaced],
  );
  const insertJobs = `insert into cellfolio.jobs (owner_id, kind, file_ids, name)
    select $1, $2, array[$3::uuid], 'waiting' from generate_series(1, $4::int)`;
  await database.pool.query(insertJobs, [ada, 'convert', files.matrix, 1]);
  await database.pool.query(insertJobs, [bob, 'build', missingFileId, 50]);
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into cellfolio.jobs (owner_id, kind, file_ids, name, state, finished_at)
     values ($1, 'download', '{}', 'failed', 'failed', now()) returning id`,
    [bob],
  );
  files.failed = rows[0]!.id;
  const waits = await database.pool.query<{ id: string }>(
    `select id from cellfolio.jobs where owner_id = $1 and state = 'queued' limit 1`,
    [bob],
  );
  files.waiting = waits.rows[0]!.id;
}

beforeAll(async () => {
  await archive.listen();
  archive.pages.set('/cells.h5ad', Buffer.from('cells'));
  for (const page of ['/page', '/page.h5ad'])
    archive.pages.set(
      page,
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
  archive.pages.set(
    '/large.h5ad',
    (_request, response) => void response.writeHead(200, { 'content-length': 300e9 }).write('a'),
  );
  archive.pages.set('/silent.h5ad', () => {});
  server = await startTestServer({ LINK_ORIGINS: archive.origin }, ({ dataDir }) =>
    prepareOwners(dataDir, prepare),
  );
  for (const person of Object.keys(tokens) as (keyof typeof tokens)[])
    tokens[person] = await server.signInAs(`${person}@example.org`, ownersPassword);
});
afterAll(async () => {
  archive.close();
  await server?.close();
});

interface Refusal {
  route: string;
  by: keyof typeof tokens;
  path: string;
  body?: unknown;
  answers: readonly [status: number, code: string];
}

const convert = '/api/convert';
const build = '/api/files/{fileId}/build';
const inspect = '/api/files/{fileId}/inspect';
const job = '/api/jobs/{jobId}';
const cancel = '/api/jobs/{jobId}/cancel';
const again = '/api/jobs/{jobId}/again';
const combine = '/api/combine';
const linkedData = '/api/linked-data';
const downloads = '/api/downloads';

type MakeRefusal = (
  route: string,
  path: string,
  body: unknown,
  by: Refusal['by'],
  ...answers: Refusal['answers']
) => Refusal;

function samplesAndJobs(refusal: MakeRefusal): Refusal[] {
  const samples = (...ids: string[]) => ({
    file_name: 'both',
    samples: ids.map((file_id, at) => ({ file_id, sample: `S${at}` })),
  });
  const mine = samples(files.ready, files.replaced);
  const jobCall = (id: string) => again.replace('{jobId}', id);
  return [
    refusal(`post ${combine}`, combine, samples(files.ready), 'ada', 400, 'invalid_request'),
    refusal(`post ${combine}`, combine, samples(files.cells, files.genes), 'ada', 400, 'not_combinable'),
    refusal(`post ${combine}`, combine, mine, 'carol', 403, 'professional_plan_required'),
    refusal(`post ${combine}`, combine, mine, 'ada', 404, 'file_not_found'),
    refusal(`post ${combine}`, combine, samples(files.ready, files.second), 'bob', 429, 'too_many_jobs'),
    refusal(`post ${again}`, jobCall('one'), undefined, 'ada', 400, 'invalid_request'),
    refusal(`post ${again}`, jobCall(files.failed), undefined, 'carol', 403, 'professional_plan_required'),
    refusal(`post ${again}`, jobCall(files.failed), undefined, 'ada', 404, 'job_not_found'),
    refusal(`post ${again}`, jobCall(files.waiting), undefined, 'bob', 409, 'not_restartable'),
    refusal(`post ${again}`, jobCall(files.failed), undefined, 'bob', 429, 'too_many_jobs'),
  ];
}

function links(refusal: MakeRefusal): Refusal[] {
  const at = (path: string) => ({ link: archive.origin + path });
  const inside = { link: 'https://127.0.0.1:1/cells.h5ad' };
  const one = { datasets: ['cells.h5ad'] };
  const looks = (route: string, more: object) => [
    refusal(`post ${route}`, route, { ...at('/page'), ...more }, 'ada', 400, 'not_a_link'),
    refusal(`post ${route}`, route, { ...at('/page.h5ad'), ...more }, 'ada', 400, 'not_a_link'),
    refusal(`post ${route}`, route, { ...at('/'), ...more }, 'carol', 403, 'professional_plan_required'),
    refusal(`post ${route}`, route, { ...at('/none'), ...more }, 'ada', 404, 'linked_data_not_found'),
    refusal(`post ${route}`, route, { ...inside, ...more }, 'ada', 422, 'link_unreadable'),
  ];
  const large = { ...at('/large.h5ad'), datasets: ['large.h5ad'] };
  return [
    ...looks(linkedData, {}),
    ...looks(downloads, one),
    refusal(`post ${downloads}`, downloads, large, 'ada', 409, 'quota_exceeded'),
    refusal(`post ${downloads}`, downloads, { ...at('/cells.h5ad'), ...one }, 'bob', 429, 'too_many_jobs'),
    refusal(`post ${linkedData}`, linkedData, at('/cells.h5ad'), 'bea', 429, 'link_under_way'),
  ];
}

const refusals = (): Refusal[] => {
  const trio = [files.matrix, files.cells, files.genes];
  const refusal: MakeRefusal = (route, path, body, by, ...answers) => ({
    route,
    path,
    body,
    by,
    answers,
  });
  const fileCall = (route: string, id: string) => route.replace('{fileId}', id);
  return [
    refusal(`post ${convert}`, convert, { file_ids: [] }, 'ada', 400, 'invalid_request'),
    refusal(
      `post ${convert}`,
      convert,
      { file_ids: [...trio.slice(0, 2), files.matrix] },
      'ada',
      400,
      'not_convertible',
    ),
    refusal(`post ${convert}`, convert, { file_ids: trio }, 'carol', 403, 'professional_plan_required'),
    refusal(`post ${convert}`, convert, { file_ids: trio }, 'bob', 404, 'file_not_found'),
    refusal(`post ${convert}`, convert, { file_ids: trio }, 'ada', 409, 'already_converting'),
    refusal(`post ${build}`, fileCall(build, 'one'), {}, 'ada', 400, 'invalid_request'),
    refusal(`post ${build}`, fileCall(build, files.cells), {}, 'ada', 400, 'not_buildable'),
    refusal(`post ${build}`, fileCall(build, files.ready), {}, 'carol', 403, 'professional_plan_required'),
    refusal(`post ${build}`, fileCall(build, files.ready), {}, 'ada', 404, 'file_not_found'),
    refusal(`post ${build}`, fileCall(build, files.replaced), {}, 'ada', 409, 'file_replaced'),
    refusal(`post ${build}`, fileCall(build, files.ready), {}, 'bob', 429, 'too_many_jobs'),
    refusal(`post ${inspect}`, fileCall(inspect, 'one'), undefined, 'ada', 400, 'invalid_request'),
    refusal(
      `post ${inspect}`,
      fileCall(inspect, files.ready),
      undefined,
      'carol',
      403,
      'professional_plan_required',
    ),
    refusal(`post ${inspect}`, fileCall(inspect, files.ready), undefined, 'ada', 404, 'file_not_found'),
    ...samplesAndJobs(refusal),
    ...links(refusal),
    refusal(`get ${job}`, '/api/jobs/one', undefined, 'ada', 400, 'invalid_request'),
    refusal(`get ${job}`, `/api/jobs/${randomUUID()}`, undefined, 'ada', 404, 'job_not_found'),
    refusal(`post ${cancel}`, '/api/jobs/one/cancel', undefined, 'ada', 400, 'invalid_request'),
    refusal(`post ${cancel}`, `/api/jobs/${randomUUID()}/cancel`, undefined, 'ada', 404, 'job_not_found'),
  ];
};

/** Common to all calls; covered by the tests of keys and bodies. */
const common = new Set(['401', '413', '415']);

test('the description names each refusal of the calls on own files, and each that it names occurs', async () => {
  const { paths } = (await (await fetch(`${server.siteUrl}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { tags: string[]; responses: Record<string, unknown> }>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes('own data'))
      .flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => !status.startsWith('2') && !common.has(status))
          .map((status) => `${method} ${path} ${status}`),
      ),
  );
  // A link whose server is silent keeps another from being looked at.
  const silent = { link: `${archive.origin}/silent.h5ad` };
  void apiClient(server, tokens.bea, 'tab')
    .post(linkedData, silent)
    .catch(() => undefined);
  await vi.waitFor(() => expect(archive.requests).toContain('/silent.h5ad'), { timeout: 60_000 });
  const met = new Set<string>();
  for (const { route, by, path, body, answers } of refusals()) {
    const client = apiClient(server, tokens[by], 'tab');
    const answer = route.startsWith('get') ? await client.get(path) : await client.post(path, body ?? {});
    expect([answer.status, (answer.body as { code: string }).code], `${route} by ${by}`).toEqual(answers);
    expect((answer.body as { message: string }).message).toMatch(/\.$/);
    met.add(`${route} ${answer.status}`);
  }
  const headers = { 'x-api-key': await server.newKey(tokens.ada, ['export']) };
  for (const route of [`get ${job}`, 'get /api/own-files', `post ${cancel}`]) {
    const [method, path] = route.split(' ') as [string, string];
    const address = `${server.siteUrl}${path.replace('{jobId}', randomUUID())}`;
    const answer = await fetch(address, { method: method.toUpperCase(), headers });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'scope_missing']);
    met.add(`${route} 403`);
  }
  // All of the description but what needs fifty jobs of one user for a second time.
  expect([...met].sort()).toEqual(documented.filter((one) => one !== `post ${convert} 429`).sort());
});

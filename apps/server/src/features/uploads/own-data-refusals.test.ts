import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { type OwnersWorld, ownersPassword, prepareOwners } from '../../testing/own-files.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
let server: TestServer;
const files = { matrix: '', cells: '', genes: '', ready: '', replaced: '' };
const tokens = { ada: '', bob: '', carol: '' };

/** Ada has what a conversion takes, which goes on, and a file that was replaced; Bob has all jobs that he may. */
async function prepare({ addUser, addFile, holdJobs, database }: OwnersWorld): Promise<void> {
  const ada = await addUser('ada', 'Professional');
  files.matrix = await addFile(ada, 'counts.mtx');
  files.cells = await addFile(ada, 'cells.tsv');
  files.genes = await addFile(ada, 'genes.tsv');
  files.replaced = await addFile(ada, 'replaced.h5ad');
  const bob = await addUser('bob', 'Professional');
  files.ready = await addFile(bob, 'ready.h5ad');
  await addUser('carol', 'Standard');
  await holdJobs();
  await database.pool.query(
    `insert into cellfolio.custom_datasets (file_id, version, outdated) values ($1, 'v', true)`,
    [files.replaced],
  );
  const waiting = `insert into cellfolio.jobs (user_id, kind, file_ids, name)
    select $1, $2, array[$3::uuid], 'waiting' from generate_series(1, $4::int)`;
  await database.pool.query(waiting, [ada, 'convert', files.matrix, 1]);
  await database.pool.query(waiting, [bob, 'build', nobody, 50]);
}

beforeAll(async () => {
  server = await startTestServer({}, ({ dataDir }) => prepareOwners(dataDir, prepare));
  for (const person of Object.keys(tokens) as (keyof typeof tokens)[]) {
    const answer = await fetch(`${server.siteUrl}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: server.config.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${person}@example.org`, password: ownersPassword }),
    });
    tokens[person] = ((await answer.json()) as { access_token: string }).access_token;
  }
});
afterAll(() => server?.close());

interface Refusal {
  readonly route: string;
  readonly by: keyof typeof tokens;
  readonly path: string;
  readonly body?: unknown;
  readonly answers: readonly [status: number, code: string];
}

const convert = '/api/convert';
const build = '/api/files/{fileId}/build';
const inspect = '/api/files/{fileId}/inspect';
const job = '/api/jobs/{jobId}';
const cancel = '/api/jobs/{jobId}/cancel';

/** Every refusal that the calls on own files have of their own, and a call that meets it. */
const refusals = (): Refusal[] => {
  const trio = [files.matrix, files.cells, files.genes];
  const asked = (
    route: string,
    path: string,
    body: unknown,
    by: Refusal['by'],
    ...answers: Refusal['answers']
  ) => ({
    route,
    path,
    body,
    by,
    answers,
  });
  const fileCall = (route: string, id: string) => route.replace('{fileId}', id);
  return [
    asked(`post ${convert}`, convert, { file_ids: [] }, 'ada', 400, 'invalid_request'),
    asked(
      `post ${convert}`,
      convert,
      { file_ids: [...trio.slice(0, 2), files.matrix] },
      'ada',
      400,
      'not_convertible',
    ),
    asked(`post ${convert}`, convert, { file_ids: trio }, 'carol', 403, 'professional_plan_required'),
    asked(`post ${convert}`, convert, { file_ids: trio }, 'bob', 404, 'file_not_found'),
    asked(`post ${convert}`, convert, { file_ids: trio }, 'ada', 409, 'already_converting'),
    asked(`post ${build}`, fileCall(build, 'one'), {}, 'ada', 400, 'invalid_request'),
    asked(`post ${build}`, fileCall(build, files.cells), {}, 'ada', 400, 'not_buildable'),
    asked(`post ${build}`, fileCall(build, files.ready), {}, 'carol', 403, 'professional_plan_required'),
    asked(`post ${build}`, fileCall(build, files.ready), {}, 'ada', 404, 'file_not_found'),
    asked(`post ${build}`, fileCall(build, files.replaced), {}, 'ada', 409, 'file_replaced'),
    asked(`post ${build}`, fileCall(build, files.ready), {}, 'bob', 429, 'too_many_jobs'),
    asked(`post ${inspect}`, fileCall(inspect, 'one'), undefined, 'ada', 400, 'invalid_request'),
    asked(
      `post ${inspect}`,
      fileCall(inspect, files.ready),
      undefined,
      'carol',
      403,
      'professional_plan_required',
    ),
    asked(`post ${inspect}`, fileCall(inspect, files.ready), undefined, 'ada', 404, 'file_not_found'),
    asked(`get ${job}`, '/api/jobs/one', undefined, 'ada', 400, 'invalid_request'),
    asked(`get ${job}`, `/api/jobs/${randomUUID()}`, undefined, 'ada', 404, 'job_not_found'),
    asked(`post ${cancel}`, '/api/jobs/one/cancel', undefined, 'ada', 400, 'invalid_request'),
    asked(`post ${cancel}`, `/api/jobs/${randomUUID()}/cancel`, undefined, 'ada', 404, 'job_not_found'),
  ];
};

/** Told of all calls alike, and met by the tests of keys and bodies. */
const common = new Set(['401', '413', '415']);

test('each refusal of the calls on own files is told in the description, and each that is told is met', async () => {
  const { paths } = (await (await fetch(`${server.siteUrl}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { tags: string[]; responses: Record<string, unknown> }>>;
  };
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes('own data'))
      .flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => !status.startsWith('2') && !common.has(status))
          .map((status) => `${method} ${path} ${status}`),
      ),
  );
  const met = new Set<string>();
  for (const { route, by, path, body, answers } of refusals()) {
    const client = apiClient(server, tokens[by], 'tab');
    const answer = route.startsWith('get') ? await client.get(path) : await client.post(path, body ?? {});
    expect([answer.status, (answer.body as { code: string }).code], `${route} by ${by}`).toEqual(answers);
    expect((answer.body as { message: string }).message).toMatch(/\.$/);
    met.add(`${route} ${answer.status}`);
  }
  // All of the description but what needs fifty jobs of one user for a second time.
  expect([...met].sort()).toEqual(told.filter((one) => one !== `post ${convert} 429`).sort());
});

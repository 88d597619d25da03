// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { limits } from '../../runtime/limits/limits.ts';
import type { Owner } from '../../runtime/owners.ts';
import { openTestDatabase } from '@cellfolio/platform/testing';
import type { Database } from '@cellfolio/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isProcessThere } from '../../testing/is-process-there.ts';
import { JobsWorld } from './testing/jobs-world.ts';
import { hasEnded } from './testing/own-data-client.ts';

vi.setConfig({ testTimeout: 300_000 });

describe('files that change', () => {
  let database: Database;
  let world: JobsWorld;
  let owner: Owner;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    world = new JobsWorld(database);
    owner = await world.addUser('Professional');
  });
  afterEach(() => world?.clear());

  test('replaced bytes are inspected and rebuilt with the earlier choices, also after bytes that were none', async () => {
    const jobs = world.start();
    const { path, open: openGate } = world.gate();
    const chosen = { columns: { cellType: 'kind' }, processing: { resolution: 2 } };
    const id = await world.addFile(owner, 'a.h5ad', world.saying('columns kind other'));
    await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    await jobs.own.build(owner, id, chosen);
    await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    await world.replaceFile(id, world.saying('refuse'));
    await world.file(jobs, owner, ({ problem }) => problem?.code === 'refused');
    await world.replaceFile(id, world.saying('columns kind new'));
    const rebuilt = await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    expect(rebuilt.dataset).toMatchObject({ ...chosen, problem: null });

    const before = await world.runs();
    world.changed.length = 0;
    await world.replaceFile(id, world.saying(`inspect: wait ${path}`));
    // At once, whoever does the jobs.
    expect((await jobs.own.list(owner)).files).toMatchObject([
      { file_id: id, report: null, problem: null, dataset: null },
    ]);
    await expect(jobs.own.build(owner, id, {})).rejects.toMatchObject({ status: 409, code: 'file_replaced' });
    await world.until('the next inspection', async () => (await world.runs()).length > before.length);
    expect(world.changed.filter((one) => one === `custom:${id}`).length).toBeGreaterThan(0);
    expect((await database.pool.query('select from cellfolio.custom_datasets')).rowCount).toBe(0);

    await openGate();
    const file = await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    // A column that is not there any more is not chosen.
    expect(file).toMatchObject({ report: { kind: 'h5ad' }, dataset: { columns: {}, problem: null } });
    const { log } = (await jobs.own.list(owner)).jobs.find(({ kind }) => kind === 'inspect')!;
    expect(log.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^The new file has no 'kind'/));
    expect((await world.runs()).map((run) => run.split(' ')[0])).toEqual(
      'inspect build build inspect inspect build inspect build'.split(' '),
    );
  });

  test('work on bytes that are replaced ends, and says so', async () => {
    const jobs = world.start();
    const { path } = world.gate();
    const id = await world.addFile(owner, 'a.h5ad', world.saying(`build: wait ${path}`));
    const building = await world.job(
      jobs,
      owner,
      ({ kind, state }) => kind === 'build' && state === 'running',
    );
    await world.until('the run', async () => (await world.runs()).length === 2);
    await world.replaceFile(id, world.saying('refuse'));
    const ended = await world.job(jobs, owner, (job) => job.id === building.id && hasEnded(job));
    expect(ended).toMatchObject({ state: 'cancelled', problem: { code: 'file_replaced' } });
    const file = await world.file(jobs, owner, ({ problem }) => problem !== null);
    expect(file).toMatchObject({ problem: { code: 'refused' }, report: null, dataset: null });
    await world.until('an empty scratch folder', async () => (await world.scratch()).length === 0);
    // Its folder goes before the process has ended.
    for (const pid of await world.pids()) await expect.poll(() => isProcessThere(pid)).toBe(false);
  });

  test('a file whose inspection failed is inspected again on request of its owner, once at a time', async () => {
    const jobs = world.start();
    const { path, open: openGate } = world.gate();
    const { path: end, open: finish } = world.gate();
    const id = await world.addFile(owner, 'a.tsv', world.saying(`unless ${path} refuse`, `wait ${end}`));
    await world.file(jobs, owner, ({ problem }) => problem?.code === 'refused');
    await openGate();
    const first = await jobs.own.inspect(owner, id);
    expect(first).toMatchObject({ kind: 'inspect', state: 'queued', file_ids: [id] });
    expect((await jobs.own.inspect(owner, id)).id).toBe(first.id);
    expect((await jobs.own.list(owner)).files[0]!.problem).toBeNull();
    await finish();
    await world.file(jobs, owner, ({ report }) => report?.kind === 'barcodes');
    const other = await world.addUser('Professional');
    await expect(jobs.own.inspect(other, id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
    const visitor = await world.addUser();
    await expect(jobs.own.inspect(visitor, id)).rejects.toMatchObject({ status: 403 });
  });

  test('files have a number that they cannot go past, in one insert or many, uploads and conversions alike', async () => {
    const jobs = world.start();
    const insert = (from: number, to: number) =>
      database.pool.query(
        `insert into public.user_files (user_id, file_name, original_filename, file_path)
         select $1::uuid, 'f', 'f.tsv', $1::text || '/' || n || '_f.tsv' from generate_series($2::int, $3::int) n`,
        [owner, from, to],
      );
    await expect(insert(1, 1001)).rejects.toMatchObject({
      code: 'PT409',
      message: expect.stringContaining('1,000'),
    });
    // Rows without bytes: nothing is to look at them.
    await database.pool.query('alter table public.user_files disable trigger user_files_inspect');
    await insert(1, 997);
    await database.pool.query('alter table public.user_files enable trigger user_files_inspect');
    const trio = await Promise.all(
      ['counts.mtx', 'cells.tsv', 'genes.tsv'].map((name) => world.addFile(owner, name, world.saying())),
    );
    await expect(insert(998, 998)).rejects.toMatchObject({ code: 'PT409' });
    const { id } = await jobs.own.convert(owner, { file_ids: trio });
    const job = await world.job(jobs, owner, (one) => one.id === id && hasEnded(one));
    expect(job).toMatchObject({
      state: 'failed',
      problem: { code: 'too_many_files', message: expect.stringContaining('Delete files') },
    });
    expect((await jobs.own.list(owner)).files).toHaveLength(1000);
    const other = await world.addUser('Professional');
    await world.addFile(other, 'mine.tsv', world.saying());
  });

  test('a user who starts and cancels jobs without end keeps a bounded list of jobs', async () => {
    const jobs = world.start({ heavyJobs: 0 });
    const id = await world.addFile(owner, 'a.h5ad', world.saying());
    await database.pool.query(
      `insert into cellfolio.jobs (owner_id, kind, file_ids, name, state, finished_at)
       select $1, 'build', array[$2::uuid], 'a', 'cancelled', now() from generate_series(1, $3::int)`,
      [owner, id, 2 * limits.endedJobs.value],
    );
    await jobs.own.cancel({ userId: owner }, (await jobs.own.build(owner, id, {})).id);
    const { rows } = await database.pool.query<{ jobs: number }>(
      `select count(*)::int as jobs from cellfolio.jobs where state = 'cancelled'`,
    );
    expect(rows[0]!.jobs).toBe(limits.endedJobs.value + 1);
  });
});

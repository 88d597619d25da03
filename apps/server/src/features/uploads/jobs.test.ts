import { randomUUID } from 'node:crypto';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import type { Owner } from '../../runtime/owners.ts';
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { type BlobStore, ObjectStoreFailed } from '@cellfolio/bytes';
import { type Database, migrate } from '@cellfolio/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { paths } from '../../boot/paths.ts';
import { isProcessThere } from '../../testing/is-process-there.ts';
import { JobsWorld } from './testing/jobs-world.ts';
import { quotaRoom } from './worker/job-inputs.ts';
import { hasEnded } from './testing/own-data-client.ts';

vi.setConfig({ testTimeout: 300_000 });

describe.each(testedDatabases())('jobs in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  let world: JobsWorld;
  let owner: Owner;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    await migrate(database, paths.migrations);
  }, slowMs);
  afterAll(() => opened?.remove());
  beforeEach(async () => {
    world = new JobsWorld(database);
    owner = await world.addUser('Professional');
  });
  afterEach(() => world?.clear());

  const { saying } = { saying: (...lines: string[]) => world.saying(...lines) };
  const trio = async (...lines: string[]) =>
    Promise.all(
      ['counts.mtx', 'cells.tsv', 'genes.tsv'].map((name, at) =>
        world.addFile(owner, name, saying(...(at === 0 ? lines : []))),
      ),
    );

  test('files in a store that is no folder are copied for the run, also when it was away for longer than any job has attempts', async () => {
    let getCount = 0;
    const cause = Object.assign(new Error('busy'), { $metadata: { httpStatusCode: 503 } });
    const { blobs } = world;
    const remote: BlobStore = {
      put: (...args) => blobs.put(...args),
      get: async (...args) => {
        getCount += 1;
        if (getCount <= 4) throw new ObjectStoreFailed(args[0], 1, { cause });
        return blobs.get(...args);
      },
      head: (...args) => blobs.head(...args),
      delete: (...args) => blobs.delete(...args),
      copy: (...args) => blobs.copy(...args),
      list: (...args) => blobs.list(...args),
      resumable: blobs.resumable,
      close: async () => {},
    };
    const jobs = world.start({ blobs: remote, awayMs: 10 });
    const fileId = await world.addFile(owner, 'a.tsv', saying());
    const file = await world.file(jobs, owner, ({ report }) => report !== null);
    expect(file).toMatchObject({ problem: null });
    const job = await world.job(jobs, owner, ({ kind }) => kind === 'inspect');
    expect(job).toMatchObject({ state: 'done', attempts: 1, file_ids: [fileId] });
    expect(getCount).toBe(5);
    const removedId = await world.addFile(owner, 'b.tsv', saying());
    await database.pool.query(`delete from storage.objects where name like '%b.tsv'`);
    const removedFile = await world.file(
      jobs,
      owner,
      ({ file_id, report, problem }) => file_id === removedId && Boolean(report ?? problem),
    );
    // Inspected before its bytes went, or told that they are not there.
    expect(removedFile.problem?.code ?? 'file_missing').toBe('file_missing');
  });

  test('a file is inspected once, and its dataset built once, however many processes take jobs', async () => {
    const one = world.start();
    world.start();
    const ids = await Promise.all(
      ['a.h5ad', 'b.h5ad', 'c.tsv'].map((name) => world.addFile(owner, name, saying('strange'))),
    );
    for (const id of ids.slice(0, 2)) {
      const file = await world.file(
        one,
        owner,
        (file) => file.file_id === id && file.dataset?.state === 'ready',
      );
      expect(file).toMatchObject({ report: { kind: 'h5ad' }, dataset: { cells: 4, genes: 5 } });
    }
    const table = await world.file(one, owner, (file) => file.file_id === ids[2] && file.report !== null);
    expect(table).toMatchObject({ report: { first: ['a\uFFFDb', 'c\uFFFD'] }, dataset: null });
    expect((await world.runs()).sort()).toEqual([
      'build a.h5ad',
      'build b.h5ad',
      'inspect a.h5ad',
      'inspect b.h5ad',
      'inspect c.tsv',
    ]);
    await world.until('an empty scratch folder', async () => (await world.scratch()).length === 0);
  });

  test('a file that has a question for its owner is built only with the answer', async () => {
    const jobs = world.start();
    const id = await world.addFile(owner, 'a.h5ad', saying('asks'));
    const inspectedFile = await world.file(jobs, owner, ({ report }) => report !== null);
    expect(inspectedFile).toMatchObject({ report: { waitsFor: ['expression'] }, dataset: null });
    await expect(jobs.own.build(owner, id, {})).rejects.toMatchObject({
      status: 400,
      code: 'answer_needed',
    });
    await jobs.own.build(owner, id, { columns: { expression: 'log2' } });
    const file = await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    expect(file.dataset?.columns).toEqual({ expression: 'log2' });
    expect(await world.runs()).toEqual(['inspect a.h5ad', 'build a.h5ad']);
  });

  test('a cancelled job stops, running or waiting, and leaves nothing', async () => {
    const jobs = world.start();
    const { path } = world.gate();
    const id = await world.addFile(owner, 'a.h5ad', saying(`build: wait ${path}`));
    const running = await world.job(
      jobs,
      owner,
      ({ kind, state }) => kind === 'build' && state === 'running',
    );
    await world.until('the run', async () => (await world.runs()).length === 2);
    const second = await world.addFile(owner, 'b.h5ad', saying());
    const queued = await world.job(jobs, owner, (job) => job.kind === 'build' && job.file_ids[0] === second);
    for (const { id: job } of [queued, running]) {
      expect(await jobs.own.cancel({ userId: owner }, job)).toMatchObject({ state: 'cancelled' });
    }
    await world.until('an empty scratch folder', async () => (await world.scratch()).length === 0);
    const file = await world.file(jobs, owner, ({ file_id }) => file_id === id);
    expect(file.dataset).toMatchObject({ state: 'failed', problem: { code: 'cancelled' } });
    // What has ended stays so, and nobody takes it up again.
    expect(await jobs.own.cancel({ userId: owner }, running.id)).toMatchObject({
      state: 'cancelled',
      attempts: 1,
    });
    expect(await world.runs()).toEqual(['inspect a.h5ad', 'build a.h5ad', 'inspect b.h5ad']);
    for (const pid of await world.pids()) await expect.poll(() => isProcessThere(pid)).toBe(false);
  });

  test('a job whose process dies is tried once more, and no third time', async () => {
    const jobs = world.start();
    const { path } = world.gate();
    await world.addFile(owner, 'once.tsv', saying(`crash-once ${path}`));
    await world.addFile(owner, 'always.tsv', saying('crash'));
    const done = await world.job(jobs, owner, (job) => job.name === 'once.tsv' && hasEnded(job));
    expect(done).toMatchObject({ state: 'done', attempts: 2 });
    const failed = await world.job(jobs, owner, (job) => job.name === 'always.tsv' && hasEnded(job));
    expect(failed).toMatchObject({ state: 'failed', attempts: 2, problem: { code: 'crashed' } });
    const file = await world.file(jobs, owner, ({ problem }) => problem !== null);
    expect(file.problem?.code).toBe('crashed');
    expect((await world.runs()).filter((run) => run.endsWith('always.tsv'))).toHaveLength(2);
  });

  test('a job whose processes went away twice fails and says so, and a file without report and job is inspected', async () => {
    await world.addFile(owner, 'a.tsv', saying());
    await database.pool.query(
      `update cellfolio.jobs set state = 'running', attempts = 2, run_token = gen_random_uuid(),
         lease_until = now() - interval '1 second'`,
    );
    // As after an earlier version.
    await world.addFile(owner, 'b.tsv', saying());
    await database.pool.query(`delete from cellfolio.jobs where state = 'queued'`);
    const jobs = world.start();
    const lost = await world.job(jobs, owner, (job) => job.name === 'a.tsv' && hasEnded(job));
    expect(lost).toMatchObject({
      state: 'failed',
      problem: { code: 'worker_lost', message: expect.stringContaining('stopped twice during') },
    });
    const { problem } = await world.file(jobs, owner, ({ file_id }) => file_id === lost.file_ids[0]);
    expect(problem?.code).toBe('worker_lost');
    expect(await world.file(jobs, owner, ({ report }) => report !== null)).toMatchObject({ problem: null });
    expect(await world.runs()).toEqual(['inspect b.tsv']);
  });

  test('a process that stops hands its job back, and another one does it', async () => {
    const first = world.start();
    const { path, open: openGate } = world.gate();
    await world.addFile(owner, 'a.tsv', saying(`wait ${path}`));
    await world.until('the run', async () => (await world.runs()).length === 1);
    await first.close();
    const second = world.start({ heavyJobs: 0 });
    expect((await second.own.list(owner)).jobs).toMatchObject([{ state: 'queued', attempts: 0 }]);
    await openGate();
    const third = world.start();
    expect(await world.job(third, owner, hasEnded)).toMatchObject({ state: 'done', attempts: 1 });
  });

  test('a conversion, of packed files too, ends with a file that is inspected and built as an upload is', async () => {
    const jobs = world.start();
    const names = ['features.tsv.gz', 'Counts.mtx.GZ', 'barcodes.tsv'];
    // One after the other: a job lists its files in the order in which they came.
    const ids: string[] = [];
    for (const name of names) ids.push(await world.addFile(owner, name, saying()));
    const conversion = await jobs.own.convert(owner, { file_ids: [ids[2]!, ids[1]!, ids[0]!] });
    expect(conversion).toMatchObject({
      kind: 'convert',
      name: 'Counts.h5ad',
      state: 'queued',
      file_ids: [ids[1], ids[0], ids[2]],
    });
    const job = await world.job(jobs, owner, ({ id, state }) => id === conversion.id && state === 'done');
    expect(job.log.map(({ text }) => text)).toEqual(['Doing what the file says', 'Six entries.', 'Done']);
    await world.file(
      jobs,
      owner,
      ({ file_id, dataset }) => file_id === job.result_file_id && dataset?.state === 'ready',
    );
    const { rows } = await database.pool.query('select * from public.user_files where id = $1', [
      job.result_file_id,
    ]);
    expect(rows[0]).toMatchObject({
      file_name: 'Counts',
      original_filename: 'Counts.h5ad',
      file_size: '10',
      file_path: expect.stringMatching(new RegExp(`^${owner}/\\d+_Counts\\.h5ad$`)),
    });
  });

  test('a conversion for which there is no room says so, and leaves nothing', async () => {
    const jobs = world.start();
    const { job_id } = {
      job_id: (await jobs.own.convert(owner, { file_ids: await trio('large 20000') })).id,
    };
    const job = await world.job(jobs, owner, (one) => one.id === job_id && hasEnded(one));
    expect(job).toMatchObject({
      state: 'failed',
      attempts: 1,
      problem: { code: 'quota_exceeded', message: expect.stringContaining('10 KB') },
    });
    const { rows } = await database.pool.query(
      `select (select count(*)::int from public.user_files) as files, (select count(*)::int from storage.uploads) as uploads`,
    );
    expect(rows[0]).toEqual({ files: 3, uploads: 0 });
    await world.until('the end of the run', async () => (await world.scratch()).length === 0);
  });

  test('what cannot be converted or built is refused in words', async () => {
    const jobs = world.start({ heavyJobs: 0 });
    const ids = await trio();
    const other = await world.addUser('Professional');
    const visitor = await world.addUser();
    const refusal = (work: Promise<unknown>) => expect(work).rejects;
    await refusal(jobs.own.convert(owner, { file_ids: [ids[0]!, ids[1]!, ids[1]!] })).toMatchObject({
      status: 400,
      code: 'not_convertible',
    });
    await refusal(jobs.own.convert(other, { file_ids: ids })).toMatchObject({ status: 404 });
    await refusal(jobs.own.build(other, ids[0]!, {})).toMatchObject({ status: 404, code: 'file_not_found' });
    await refusal(jobs.own.build(owner, ids[0]!, {})).toMatchObject({
      status: 400,
      code: 'not_buildable',
    });
    await refusal(jobs.own.convert(visitor, { file_ids: ids })).toMatchObject({ status: 403 });
    // If two come at once, either is refused.
    const twice = await Promise.allSettled([
      jobs.own.convert(owner, { file_ids: ids, file_name: '../my\u0000/cells.h5ad' }),
      jobs.own.convert(owner, { file_ids: ids }),
    ]);
    const refused = twice.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => reason.code)).toEqual(['already_converting']);
    const { jobs: listed } = await jobs.own.list(owner);
    const job = listed.find(({ kind }) => kind === 'convert');
    expect(['.._my__cells.h5ad', 'counts.h5ad']).toContain(job!.name);
    await expect(jobs.own.get({ userId: other }, job!.id)).rejects.toMatchObject({ status: 404 });
    await expect(jobs.own.cancel({ userId: other }, job!.id)).rejects.toMatchObject({ status: 404 });
  });

  test('a later build takes the place of an earlier one', async () => {
    const jobs = world.start();
    const { path, open: openGate } = world.gate();
    const id = await world.addFile(owner, 'a.h5ad', saying(`build: wait ${path}`));
    const earlier = await world.job(
      jobs,
      owner,
      ({ kind, state }) => kind === 'build' && state === 'running',
    );
    const later = await jobs.own.build(owner, id, {
      columns: { cellType: 'kind' },
      processing: { resolution: 2 },
    });
    expect(await jobs.own.get({ userId: owner }, earlier.id)).toMatchObject({
      state: 'cancelled',
      problem: { code: 'superseded' },
    });
    await openGate();
    const file = await world.file(jobs, owner, ({ dataset }) => dataset?.state === 'ready');
    expect(file.dataset).toMatchObject({
      job_id: later.id,
      columns: { cellType: 'kind' },
      processing: { resolution: 2 },
      problem: null,
    });
  });

  test('a file that is deleted takes its jobs, its report and its run with it', async () => {
    const jobs = world.start();
    const { path } = world.gate();
    const id = await world.addFile(owner, 'a.h5ad', saying(`build: wait ${path}`));
    await world.until('the run', async () => (await world.runs()).length === 2);
    await database.pool.query('delete from public.user_files where id = $1', [id]);
    expect(await jobs.own.list(owner)).toMatchObject({ files: [], jobs: [] });
    const left = async () => (await database.pool.query('select from cellfolio.custom_datasets')).rowCount;
    await world.until('the end', async () => (await left()) === 0 && (await world.scratch()).length === 0);
    expect(world.changed).toContain(`custom:${id}`);
    for (const table of ['file_reports', 'custom_datasets', 'jobs']) {
      expect((await database.pool.query(`select from cellfolio.${table}`)).rowCount).toBe(0);
    }
    for (const pid of await world.pids()) await expect.poll(() => isProcessThere(pid)).toBe(false);
  });

  test('an inspection that takes too long ends with what to do, and that of another user is the next', async () => {
    const other = await world.addUser('Professional');
    for (const name of ['a.tsv', 'b.tsv']) await world.addFile(owner, name, saying('spin'));
    await world.addFile(other, 'other.tsv', saying());
    const jobs = world.start({ timeLimitsMs: { inspect: 5000 } });
    await world.file(jobs, other, ({ report }) => report !== null);
    expect((await world.runs()).slice(0, 2)).toEqual(['inspect a.tsv', 'inspect other.tsv']);
    const { files } = await jobs.own.list(owner);
    expect(files.find(({ problem }) => problem !== null)).toMatchObject({
      report: null,
      problem: {
        code: 'took_too_long',
        message: expect.stringMatching(
          /not be inspected within 5 seconds.*The file is kept.*write it again/s,
        ),
      },
    });
    const ended = (await jobs.own.list(owner)).jobs.find(({ name }) => name === 'a.tsv');
    expect(ended).toMatchObject({ state: 'failed', attempts: 1, problem: { code: 'took_too_long' } });
    expect(isProcessThere((await world.pids())[0]!)).toBe(false);
  });

  test('of one user one heavy job runs at a time, others’ beside it', async () => {
    const jobs = world.start({ heavyJobs: 3 });
    const { path, open: openGate } = world.gate();
    const other = await world.addUser('Professional');
    for (const [userId, name] of [
      [owner, 'a.h5ad'],
      [owner, 'b.h5ad'],
      [other, 'c.h5ad'],
    ] as const) {
      await world.addFile(userId, name, saying(`build: wait ${path}`));
    }
    const building = async () => (await world.runs()).filter((run) => run.startsWith('build'));
    await world.until('two builds', async () => (await building()).length === 2);
    await world.until('three builds asked for', async () => {
      const { rows } = await database.pool.query(`select from cellfolio.jobs where kind = 'build'`);
      return rows.length === 3;
    });
    expect(await building()).toContain('build c.h5ad');
    await openGate();
    await world.until('all', async () => (await building()).length === 3);
    await world.job(jobs, owner, (job) => job.kind === 'build' && job.name === 'b.h5ad' && hasEnded(job));
  });

  test('elements of a file have the room that the quota leaves beside other files and what their datasets store', async () => {
    const jobs = world.start();
    const text = saying();
    const built = await world.addFile(owner, 'a.h5ad', text);
    await world.addFile(await world.addUser('Professional'), 'b.h5ad', text);
    await world.job(jobs, owner, ({ kind, state }) => kind === 'build' && state === 'done');
    const room = (fileId: string) =>
      quotaRoom(
        { database, storage: { limits: { quotaBytes: 10_000 } } },
        { job: { owner_id: owner } },
        fileId,
      );
    expect(await room(randomUUID())).toBe(10_000 - text.length - 300);
    expect(await room(built)).toBe(10_000);
  });
});

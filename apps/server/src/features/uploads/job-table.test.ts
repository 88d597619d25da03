import { type Owner, ownerOfUser } from '../../runtime/owners.ts';
import { randomUUID } from 'node:crypto';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { passwordCost, slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { createUser, type Database, migrate } from '@cellfolio/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paths } from '../../boot/paths.ts';
import { openDatasetRecord } from './file-records.ts';
import {
  cancelJob,
  endRun,
  insertJob,
  isHeld,
  type JobKind,
  releaseLostLease,
  renewLease,
  requeueRun,
  type Run,
  LeaseLost,
  takeJob,
} from './job-table.ts';
import type { Lane } from './kinds/job-kind.ts';
import { kindsIn } from './kinds/job-kinds.ts';

describe.each(testedDatabases())('the table of jobs in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    await migrate(database, paths.migrations);
  }, slowMs);
  afterAll(() => opened?.remove());

  let ada: Owner;
  let bob: Owner;
  const addUser = async (): Promise<Owner> => {
    const account = { email: `${randomUUID()}@example.org`, password: 'correct horse', confirmed: true };
    return ownerOfUser((await createUser(database, { ...account, passwordCost })).id);
  };
  beforeEach(async () => {
    [ada, bob] = [await addUser(), await addUser()];
  });
  afterEach(() => database.pool.query('delete from auth.users'));

  const add = (owner: Owner, name: string, kind: JobKind = 'build', fileId: string = randomUUID()) =>
    database.transaction((client) => insertJob(client, { owner, kind, fileIds: [fileId], name }));
  const take = (lane: Lane = 'heavy', leaseSeconds = 60): Promise<Run | undefined> =>
    takeJob(database, kindsIn(lane), randomUUID(), leaseSeconds);
  const end = (run: Run) => database.transaction((client) => endRun(client, run, { notes: [] }));
  const stateOf = async (id: string) =>
    (await database.pool.query('select state, attempts, run_token from cellfolio.jobs where id = $1', [id]))
      .rows[0];
  const progress = { stage: 'Working', fraction: 0.5, lines: [] };

  test('users take turns, each job is taken once, and of one user one at a time', async () => {
    for (const name of ['a1', 'a2', 'a3']) await add(ada, name);
    await add(bob, 'b1');
    const [a1, b1] = [(await take())!, (await take())!];
    expect(await take()).toBeUndefined();
    await end(a1);
    const a2 = (await take())!;
    await end(b1);
    expect(await take()).toBeUndefined();
    await end(a2);
    const order = [a1, b1, a2, (await take())!].map(({ job }) => job.name);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test.each<[JobKind, Lane]>([
    ['inspect', 'inspect'],
    ['build', 'heavy'],
    ['download', 'download'],
  ])('where one user queued twenty jobs (%s), each job of another is the next', async (kind, lane) => {
    const order: string[] = [];
    const next = async () => {
      const run = (await take(lane))!;
      order.push(run.job.name);
      await end(run);
    };
    await add(ada, 'a1', kind);
    const first = (await take(lane))!;
    for (let job = 2; job <= 20; job += 1) await add(ada, `a${job}`, kind);
    await add(bob, 'b1', kind);
    await end(first);
    await next();
    // Nor does one who goes on and on keep those waiting who queued many.
    for (let job = 2; job <= 4; job += 1) {
      await add(bob, `b${job}`, kind);
      await next();
      await next();
    }
    await add(await addUser(), 'c1', kind);
    await next();
    await next();
    expect(order).toEqual(['b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4', 'c1', 'a5']);
  });

  test('a user who queued many jobs and deletes finished files goes before another at most once', async () => {
    const files = Array.from({ length: 20 }, () => randomUUID());
    for (const [job, file] of files.entries()) await add(ada, `a${job}`, 'inspect', file);
    await add(bob, 'b', 'inspect');
    const order: string[] = [];
    for (let job = 0; job < 3; job += 1) {
      const run = (await take('inspect'))!;
      order.push(run.job.name);
      await end(run);
      await database.pool.query('delete from cellfolio.jobs where id = $1', [run.job.id]);
    }
    expect(order.indexOf('b')).toBeLessThan(2);
  });

  test('inspections wait for no build of the same user, nor builds for them', async () => {
    await add(ada, 'build');
    await add(ada, 'inspection', 'inspect');
    expect((await take('heavy'))?.job.name).toBe('build');
    expect((await take('inspect'))?.job.name).toBe('inspection');
  });

  test('processes that race for jobs take each once, and never two of one user', async () => {
    const users = [ada, bob, await addUser()];
    for (const user of users) for (let job = 0; job < 4; job += 1) await add(user, `${job}`);
    const jobIds: string[] = [];
    const busy = new Set<string>();
    const work = async (): Promise<void> => {
      while (jobIds.length < 12) {
        const run = await take();
        if (!run) continue;
        expect(busy.has(run.job.owner_id)).toBe(false);
        busy.add(run.job.owner_id);
        jobIds.push(run.job.id);
        await isHeld(database, run);
        busy.delete(run.job.owner_id);
        await end(run);
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect(new Set(jobIds).size).toBe(12);
  });

  test('a job whose lease was not renewed is taken by another process, and its first run writes nothing more', async () => {
    const { id } = await add(ada, 'a');
    await add(ada, 'next');
    const lost = (await take('heavy', 0))!;
    const run = (await take())!;
    expect(run.job).toMatchObject({ id, attempts: 2 });
    expect(await isHeld(database, lost)).toBe(false);
    expect(await renewLease(database, lost, 60, progress)).toBe(false);
    await expect(end(lost)).rejects.toThrow(LeaseLost);
    await expect(requeueRun(database, lost, { counts: true, why: '' })).rejects.toThrow(LeaseLost);
    await releaseLostLease(database, lost);
    expect(await take()).toBeUndefined();
    expect(await stateOf(id)).toEqual({ state: 'running', attempts: 2, run_token: run.token });
    await end(run);
    expect(await stateOf(id)).toEqual({ state: 'done', attempts: 2, run_token: null });
  });

  test('a lease that is renewed lasts, and a job that is handed back has cost no attempt', async () => {
    const { id } = await add(ada, 'a');
    const run = (await take('heavy', 0))!;
    expect(await renewLease(database, run, 60, progress)).toBe(true);
    expect(await take()).toBeUndefined();
    await requeueRun(database, run, { counts: false, why: 'The server stops.' });
    expect(await stateOf(id)).toEqual({ state: 'queued', attempts: 0, run_token: null });
    expect((await take())?.job).toMatchObject({ id, attempts: 1 });
  });

  test('the next job of a user begins only when the process of a cancelled one has stopped, or is dead', async () => {
    const first = await add(ada, 'first');
    await add(ada, 'second');
    await add(ada, 'third');
    const cancel = (id: string) =>
      database.transaction((client) =>
        cancelJob(client, ada, id, { code: 'cancelled', message: 'Canceled.' }),
      );
    const run = (await take())!;
    await cancel(first.id);
    expect(await renewLease(database, run, 60, progress)).toBe(false);
    expect(await take()).toBeUndefined();
    await releaseLostLease(database, run);
    const dead = (await take('heavy', 0))!;
    expect(dead.job.name).toBe('second');
    await cancel(dead.job.id);
    expect((await take())?.job.name).toBe('third');
  });

  test('the state of a dataset follows from its job and from what can be opened', async () => {
    const fileId = randomUUID();
    const { id: jobId } = await add(ada, 'a', 'build', fileId);
    await database.transaction((client) =>
      openDatasetRecord(client, { fileId, jobId, columns: {}, processing: {} }),
    );
    const state = async (): Promise<string> => {
      const { rows } = await database.pool.query<{ state: string }>(
        'select cellfolio.dataset_state(d) as state from cellfolio.custom_datasets d where file_id = $1',
        [fileId],
      );
      return rows[0]!.state;
    };
    expect(await state()).toBe('queued');
    const run = (await take())!;
    expect(await state()).toBe('building');
    await end(run);
    expect(await state()).toBe('failed');
    await database.pool.query(`update cellfolio.custom_datasets set version = 'v' where file_id = $1`, [
      fileId,
    ]);
    expect(await state()).toBe('ready');
    await database.pool.query('delete from cellfolio.custom_datasets where file_id = $1', [fileId]);
  });
});

// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase } from '@cellfolio/platform/testing';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { insertJob } from './new-job.ts';
import { JobQueue } from './queue/job-queue.ts';
import { type JobsWorld, openJobsWorld } from './testing/jobs-world.ts';

vi.setConfig({ testTimeout: 300_000 });

let database: Database;
let world: JobsWorld;
beforeAll(async () => {
  database = await openTestDatabase();
  world = await openJobsWorld(database);
});
afterAll(async () => {
  await world?.close();
  await database?.close();
});

test('M62 a process that began before there was a queue does the jobs that another one has put into it', async () => {
  const user = await world.addUser('Professional');
  const file = await world.addFile(user, 'a.tsv', world.saying());
  await database.pool.query('delete from cellfolio.file_events');
  const asked = vi.spyOn(database.pool, 'query');
  const jobs = world.start();
  await world.until('its first look', async () =>
    asked.mock.calls.some(([text]) => String(text).includes('cellfolio.file_events')),
  );
  const failed: unknown[] = [];
  const other = new JobQueue(database, (error) => failed.push(error));
  expect(await other.exists()).toBe(false);
  await other.open();
  // At once, so that the first process never sees a job that it might hand over itself.
  await database.transaction(async (client) => {
    const { id } = await insertJob(client, { userId: user, kind: 'inspect', fileIds: [file], name: 'a.tsv' });
    await other.send(client, { id, kind: 'inspect', user_id: user, waiting_before: 0 });
    await client.query('update cellfolio.jobs set queued_at = now() where id = $1', [id]);
  });
  expect(await world.job(jobs, user, ({ state }) => state === 'done')).toMatchObject({ attempts: 1 });
  await other.stop();
  expect(failed).toEqual([]);
});

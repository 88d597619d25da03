// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase } from '@cellfolio/platform/testing';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leastHeartbeatSeconds, usualHeartbeatSeconds } from './heartbeat.ts';
import { JobQueue } from './job-queue.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

test('the silence after which a process counts as dead is what the setting says now, also where the queues are older', async () => {
  const kept = async (queue: JobQueue) => {
    await queue.open();
    await queue.stop();
    const { rows } = await database.pool.query<{ name: string; seconds: number }>(
      `select name, heartbeat_seconds as seconds from cellfolio_queue.queue where name in ('inspect', 'heavy') order by 1`,
    );
    return rows;
  };
  const both = (seconds: number) => [
    { name: 'heavy', seconds },
    { name: 'inspect', seconds },
  ];
  const failed: unknown[] = [];
  const log = (error: unknown) => failed.push(error);
  expect(await kept(new JobQueue(database, log))).toEqual(both(usualHeartbeatSeconds));
  expect(await kept(new JobQueue(database, log, leastHeartbeatSeconds))).toEqual(both(leastHeartbeatSeconds));
  expect(failed).toEqual([]);
});

import { randomUUID } from 'node:crypto';
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

test('M62 the next job of an owner is taken up when the one before has ended, whatever was counted meanwhile', async () => {
  const log = (error: unknown) => expect.unreachable(String(error));
  const one = new JobQueue(database, log);
  await one.open();
  const user_id = randomUUID();
  const job = () => ({ id: randomUUID(), kind: 'build' as const, user_id, waiting_before: 0 });
  const [first, second] = [job(), job()];
  for (const each of [first, second]) await database.transaction((client) => one.send(client, each));
  const claim = await one.fetch('heavy');
  expect(claim).toMatchObject({ id: first.id });
  // What the supervisor writes down once a while; the other process reads it when it begins, and keeps it.
  await database.pool.query(
    `update cellfolio_queue.queue set singletons_active = array[$1] where name = 'heavy'`,
    [user_id],
  );
  const other = new JobQueue(database, log);
  await other.open();
  expect(await other.fetch('heavy')).toBeUndefined();
  await one.close(claim!);
  expect(await other.fetch('heavy')).toMatchObject({ id: second.id });
  await one.stop();
  await other.stop();
});

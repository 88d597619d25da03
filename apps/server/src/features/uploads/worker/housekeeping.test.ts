// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase } from '@cellfolio/platform/testing';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobsWorld } from '../testing/jobs-world.ts';

let database: Database;
let world: JobsWorld;
beforeAll(async () => {
  database = await openTestDatabase();
  world = new JobsWorld(database);
});
afterAll(async () => {
  await world?.close();
  await database?.close();
});

test('processes that do jobs clear away what is past its time when they start, and leave the rest', async () => {
  await database.pool.query(
    `insert into public.contact_submissions (name, email, message, created_at)
     values ('old', 'E', 'M', now() - interval '2 years'), ('new', 'E', 'M', now())`,
  );
  world.start();
  world.start();
  const { rows } = await world.until('the first clearing up', async () => {
    const submissions = await database.pool.query('select name from public.contact_submissions');
    return submissions.rowCount === 1 && submissions;
  });
  expect(rows).toEqual([{ name: 'new' }]);
});

import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('the number of jobs and the age of the oldest come from one query, at the time of the request', async () => {
  const metrics = new Metrics();
  let looks = 0;
  metrics.watchDatabase({
    connections: () => ({ total: 0, idle: 0, waiting: 0 }),
    jobs: async () => {
      looks += 1;
      return [{ kind: 'build', state: 'queued', count: looks, oldest: 10 * looks }];
    },
    tables: async () => [],
  });
  for (const look of [1, 2]) {
    const { body } = await metrics.text();
    expect(body).toContain(`cellfolio_jobs{kind="build",state="queued"} ${look}\n`);
    expect(body).toContain(`cellfolio_job_oldest_seconds{kind="build",state="queued"} ${10 * look}\n`);
    expect(looks).toBe(look);
  }
});

test('tables report their size, and their rows when the database has estimated them', async () => {
  const metrics = new Metrics();
  metrics.watchDatabase({
    connections: () => ({ total: 0, idle: 0, waiting: 0 }),
    jobs: async () => [],
    tables: async () => [
      { table: 'public.subset_metadata', rows: 12, bytes: 81_920 },
      { table: 'auth.sessions', rows: Number.NaN, bytes: 8_192 },
    ],
  });
  const { body } = await metrics.text();
  expect(body).toContain('cellfolio_table_bytes{table="public.subset_metadata"} 81920\n');
  expect(body).toContain('cellfolio_table_bytes{table="auth.sessions"} 8192\n');
  expect(body).toContain('cellfolio_table_rows{table="public.subset_metadata"} 12\n');
  expect(body).not.toContain('cellfolio_table_rows{table="auth.sessions"}');
});

test('what housekeeping removes is counted with its bytes, also while it is nothing', async () => {
  const metrics = new Metrics();
  metrics.removed({ kind: 'objects', count: 86, bytes: 876e6 });
  const { body } = await metrics.text();
  expect(body).toContain('cellfolio_leftovers_removed_total{kind="objects"} 86\n');
  expect(body).toContain('cellfolio_leftover_bytes_removed_total{kind="objects"} 876000000\n');
  expect(body).toContain('cellfolio_leftovers_removed_total{kind="datasets"} 0\n');
});

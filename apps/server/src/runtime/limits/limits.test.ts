import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@cellfolio/platform';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits, limitsAsMarkdown, limitsOfTables } from './limits.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');

test('docs/operate.md has the table of limits as it is', async () => {
  expect(await read('docs/operate.md')).toContain(`\n${limitsAsMarkdown()}\n`);
});

test('every limit is used where it is held', async () => {
  let sources = '';
  for (const pattern of ['apps/server/src/**/*.ts', 'supabase/migrations/*_limits.sql'])
    for await (const path of glob(pattern, { cwd: root }))
      if (!/\.test\.ts$|limits\/limits\.ts$/.test(path)) sources += await read(path);
  const isUsed = (key: string, heldBy: string) =>
    heldBy === 'table'
      ? sources.includes(`limit_of('${key}')`) || sources.includes(`limit_rows_per_call('${key}')`)
      : sources.includes(`limits.${key}`);
  expect(Object.entries(limits).filter(([key, { heldBy }]) => !isUsed(key, heldBy))).toEqual([]);
});

describe.each(testedDatabases())('a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
  }, slowMs);
  afterAll(() => opened?.remove());

  test('holds the limits of its tables as they are listed', async () => {
    const { rows } = await database.pool.query<{ key: string; value: number }>(
      'select key, value::float8 as value from cellfolio.limits()',
    );
    expect(Object.fromEntries(rows.map(({ key, value }) => [key, value]))).toEqual(limitsOfTables());
  });

  test('refuses to look up a limit that is not listed', async () => {
    await expect(database.pool.query(`select cellfolio.limit_of('rows')`)).rejects.toMatchObject({
      code: 'P0002',
    });
  });
});

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { MigrationError } from './errors.ts';
import { migrate } from './migrate.ts';
import { slowMs, temporaryFolder, testedDatabases, type TestDatabase } from './test-databases.ts';
import { productMigrations } from './test-template.ts';

const kinds = testedDatabases({ bare: true });

describe.each(kinds)('migrations of a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  let root: string;
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    opened = await open();
    database = opened.database;
  }, slowMs);
  afterAll(() => opened?.remove());
  beforeEach(() => {
    root = temporaryFolder();
    // One set per test: sets are identified by folder name.
    folder = join(root, `set-${++count}`);
    mkdirSync(folder);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const write = (name: string, sql: string): void => writeFileSync(join(folder, name), sql);
  const refusal = async (): Promise<Pick<MigrationError, 'reason' | 'file'>> => {
    const error = await migrate(database, folder).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MigrationError);
    return { reason: (error as MigrationError).reason, file: (error as MigrationError).file };
  };

  test('of the product apply once, and the second time there is nothing to do', async () => {
    const first = await migrate(database, productMigrations);
    expect(first).toEqual([...first].sort());
    expect(first).toContain('20260101000300_generated_images.sql');
    expect(await migrate(database, productMigrations)).toEqual([]);
  });

  test('run in the order of their names', async () => {
    write('2_fill.sql', `insert into public.ordered_${count} values (1)`);
    write('1_make.sql', `create table public.ordered_${count} (a int)`);
    write('notes.txt', 'not a migration');
    expect(await migrate(database, folder)).toEqual(['1_make.sql', '2_fill.sql']);
  });

  test('roll back a file that fails, keep earlier ones, and resume there', async () => {
    write('1_make.sql', `create table public.half_${count} (a int)`);
    write('2_fail.sql', `create table public.other_half_${count} (a int); select 1/0`);
    expect(await refusal()).toEqual({ reason: 'failed', file: '2_fail.sql' });
    const { rows } = await database.pool.query(`select to_regclass($1) as made, to_regclass($2) as undone`, [
      `public.half_${count}`,
      `public.other_half_${count}`,
    ]);
    expect(rows[0]).toEqual({ made: `half_${count}`, undone: null });
    write('2_fail.sql', 'select 1');
    expect(await migrate(database, folder)).toEqual(['2_fail.sql']);
  });

  test('refuse a file that was changed after it was applied, but not one with other line ends', async () => {
    write('1_a.sql', 'select 1;\nselect 2;\n');
    await migrate(database, folder);
    write('1_a.sql', 'select 1;\r\nselect 2;\r\n');
    expect(await migrate(database, folder)).toEqual([]);
    write('1_a.sql', 'select 3');
    expect(await refusal()).toEqual({ reason: 'changed', file: '1_a.sql' });
  });

  test('refuse a database with unknown migrations', async () => {
    write('1_a.sql', 'select 1');
    write('2_b.sql', 'select 1');
    await migrate(database, folder);
    rmSync(join(folder, '2_b.sql'));
    expect(await refusal()).toEqual({ reason: 'missing', file: '2_b.sql' });
  });

  test('refuse a new file that sorts before one already applied', async () => {
    write('2_b.sql', 'select 1');
    await migrate(database, folder);
    write('1_a.sql', 'select 1');
    expect(await refusal()).toEqual({ reason: 'out-of-order', file: '1_a.sql' });
  });

  test('refuse a file that ends its own transaction', async () => {
    write('1_a.sql', 'commit; begin;');
    expect(await refusal()).toEqual({ reason: 'unusable', file: '1_a.sql' });
  });

  test('of several processes that start at once apply each file once', async () => {
    write('1_make.sql', `create table public.raced_${count} (a int)`);
    write('2_fill.sql', `insert into public.raced_${count} values (1)`);
    const results = await Promise.all([1, 2, 3].map(() => migrate(database, folder)));
    expect(results.flat().sort()).toEqual(['1_make.sql', '2_fill.sql']);
    const { rowCount } = await database.pool.query(`select * from public.raced_${count}`);
    expect(rowCount).toBe(1);
  });

  test('skip the bootstrap on a hosted project', async () => {
    await database.pool.query('create role supabase_auth_admin nologin');
    await database.pool.query(`delete from cellfolio.migrations where folder = 'bootstrap'`);
    write('1_a.sql', 'select 1');
    expect(await migrate(database, folder)).toEqual(['1_a.sql']);
  });
});

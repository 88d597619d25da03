import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { passwordCost, slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { createUser, type Database, migrate } from '@cellfolio/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../boot/paths.ts';
import { takeJob } from './job-table.ts';
import { kindsIn } from './kinds/job-kinds.ts';

const migration = '20260101000920_one_state_of_a_job.sql';

describe.each(testedDatabases({ bare: true }))(
  'jobs of an earlier version in a database of kind %s',
  (_kind, open) => {
    let opened: TestDatabase;
    let database: Database;
    let folder: string;
    beforeAll(async () => {
      opened = await open();
      database = opened.database;
      folder = mkdtempSync(join(tmpdir(), 'cellfolio-earlier-'));
      // Under the name by which the migrations are known.
      const earlier = join(folder, 'migrations');
      cpSync(paths.migrations, earlier, { recursive: true });
      for (const name of readdirSync(earlier)) if (name >= migration) rmSync(join(earlier, name));
      await migrate(database, earlier);
    }, slowMs);
    afterAll(async () => {
      await opened?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    test('are migrated: what ran or waited is taken again, what ended stays, and files that were not inspected are', async () => {
      const { pool } = database;
      const account = { email: 'ada@example.org', password: 'correct horse', confirmed: true };
      const { id: user } = await createUser(database, { ...account, passwordCost });
      const files: string[] = [];
      for (const name of ['built', 'running', 'new']) {
        const { rows } = await pool.query<{ id: string }>(
          `insert into public.user_files (user_id, file_name, original_filename, file_path)
         values ($1::uuid, $2, $2 || '.h5ad', $1::text || '/' || $2 || '.h5ad') returning id`,
          [user, name],
        );
        files.push(rows[0]!.id);
      }
      const [built, running, fresh] = files;
      await pool.query(`delete from cellfolio.file_events where file_id <> $1`, [fresh]);
      await pool.query(
        `insert into cellfolio.file_reports (file_id, report) select id, '{}' from unnest($1::uuid[]) id`,
        [[built, running]],
      );
      await pool.query(
        `insert into cellfolio.jobs (user_id, kind, file_ids, name, state, attempts, run_token, queued_at, finished_at) values
         ($1, 'build', array[$2::uuid], 'ended', 'done', 1, null, now(), now()),
         ($1, 'build', array[$3::uuid], 'running', 'running', 1, gen_random_uuid(), now(), null),
         ($1, 'build', array[$2::uuid], 'queued', 'queued', 0, null, now(), null),
         ($1, 'inspect', array[gen_random_uuid()], 'of no file', 'queued', 0, null, null, null)`,
        [user, built, running],
      );
      await pool.query(
        `insert into cellfolio.custom_datasets (file_id, state, version) values ($1, 'ready', 'v'), ($2, 'building', null)`,
        [built, running],
      );
      await pool.query('create schema cellfolio_queue; create table cellfolio_queue.job (id uuid)');

      expect(await migrate(database, paths.migrations)).toContain(migration);

      const { rows: jobs } = await pool.query(
        'select name, kind, state, attempts from cellfolio.jobs order by created_at, name',
      );
      expect(jobs.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
        { name: 'ended', kind: 'build', state: 'done', attempts: 1 },
        { name: 'new', kind: 'inspect', state: 'queued', attempts: 0 },
        { name: 'queued', kind: 'build', state: 'queued', attempts: 0 },
        { name: 'running', kind: 'build', state: 'running', attempts: 1 },
      ]);
      const run = await takeJob(database, kindsIn('heavy'), crypto.randomUUID(), 60);
      expect(run?.job).toMatchObject({ name: 'running', attempts: 2 });
      expect((await pool.query(`select to_regclass('cellfolio_queue.job') as left`)).rows).toEqual([
        { left: null },
      ]);
      const { rows: datasets } = await pool.query(
        'select file_id, version from cellfolio.custom_datasets order by version',
      );
      expect(datasets).toEqual([
        { file_id: built, version: 'v' },
        { file_id: running, version: null },
      ]);
    });
  },
);

import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, migrate } from '@cellfolio/platform';
import { productMigrations, slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RestPerson, type RestWorld, restWorld } from './rest-world.ts';
import { scratchFolder } from './databases.ts';

const lastBefore = '20260101000840_packed_user_files.sql';

describe.each(testedDatabases({ bare: true }))(
  'an older database of kind %s with rows in it',
  (_kind, open) => {
    let opened: TestDatabase;
    let database: Database;
    let world: RestWorld;
    let owner: RestPerson;
    let applied: string[];
    let scratch: string;

    beforeAll(async () => {
      opened = await open();
      database = opened.database;
      scratch = await scratchFolder();
      // Migrations are identified by their folder.
      const older = join(scratch, 'migrations');
      await mkdir(older);
      for (const name of await readdir(productMigrations)) {
        if (name <= lastBefore) await copyFile(join(productMigrations, name), join(older, name));
      }
      await migrate(database, older);
      world = await restWorld(database);
      owner = await world.person('Professional');
      await fill();
      applied = await migrate(database, productMigrations);
    }, slowMs);
    afterAll(async () => {
      await world?.close();
      await opened?.remove();
      await rm(scratch, { recursive: true, force: true });
    });

    const fill = async (): Promise<void> => {
      const { pool } = database;
      await pool.query(
        `insert into public.subset_metadata (user_id, subset_name, selected_cell_types)
       select $1, 'old ' || n, array(select 't' || t from generate_series(1, 5001) t) from generate_series(1, 600) n`,
        [owner.id],
      );
      await pool.query(
        `insert into public.subset_metadata (user_id, subset_name, created_at)
       select $1, name, now() - n * interval '1 day'
       from unnest(array['twin', ' twin', 'twin (2)', repeat('y', 1000), repeat('y', 1000)]) with ordinality t (name, n)`,
        [owner.id],
      );
      await pool.query(
        `insert into public.contact_submissions (name, email, message)
       select 'N', 'E', 'M' from generate_series(1, 780)`,
      );
      await pool.query(`insert into auth.sessions (user_id) select $1 from generate_series(1, 80)`, [
        owner.id,
      ]);
      await pool.query(
        `insert into public.generated_images (user_id, title, image_data, image_type)
       select $1, repeat('x', 2000), repeat('x', 4194304), 'gene' from generate_series(1, 2)`,
        [owner.id],
      );
    };
    const call = async (method: string, path: string, body?: object) => {
      const answer = await world.raw(method, path, {
        token: owner.token,
        ...(body && { body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        body: answer.text === '' ? null : (JSON.parse(answer.text) as unknown),
      };
    };

    test('is migrated, and keeps every row', async () => {
      expect(applied).toContain('20260101000850_rows_per_call.sql');
      const { rows } = await database.pool.query(
        `select (select count(*)::int from public.subset_metadata) as subsets,
         (select count(*)::int from public.contact_submissions) as messages,
         (select count(*)::int from auth.sessions where user_id = $1) as sessions,
         (select count(*)::int from public.generated_images where length(image_data) = 4194304) as images`,
        [owner.id],
      );
      // One session is that of the signed-in owner.
      expect(rows).toEqual([{ subsets: 605, messages: 780, sessions: 81, images: 2 }]);
      expect((await call('GET', '/subset_metadata?select=id')).body).toHaveLength(605);
    });

    test('numbers saved subsets of the same name, except the oldest', async () => {
      const { rows } = await database.pool.query<{ subset_name: string }>(
        `select subset_name from public.subset_metadata where subset_name !~ '^old' order by created_at, subset_name`,
      );
      const long = 'y'.repeat(190);
      expect(rows.map(({ subset_name }) => subset_name)).toEqual([
        'y'.repeat(1000),
        `${long} (2)`,
        'twin (2)',
        ' twin',
        'twin (3)',
      ]);
    });

    test('rows beyond the limits can be read and deleted, and new ones are accepted below the limits', async () => {
      const fresh = { user_id: owner.id, subset_name: 'new' };
      expect(await call('POST', '/subset_metadata', fresh)).toMatchObject({
        status: 409,
        body: { message: 'There is room for 500 saved subsets.' },
      });
      // It has more cell types than allowed, so it can only be renamed with fewer.
      const first = '/subset_metadata?subset_name=eq.old%201';
      expect((await call('PATCH', first, { percentile: 5 })).status).toBe(400);
      expect((await call('PATCH', first, { percentile: 5, selected_cell_types: ['t1'] })).status).toBe(204);
      expect((await call('DELETE', '/subset_metadata?subset_name=like.old%201*')).status).toBe(204);
      expect((await call('POST', '/subset_metadata', fresh)).status).toBe(201);
      const image = { user_id: owner.id, title: 'T', image_data: 'data:,', image_type: 'gene' };
      expect((await call('POST', '/generated_images', image)).status).toBe(201);
      expect((await call('PATCH', '/generated_images?title=like.x*', { subtitle: 's' })).status).toBe(204);
    });
  },
);

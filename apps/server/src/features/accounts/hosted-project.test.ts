import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type Database, migrate, openDatabase } from '@cellfolio/platform';
import {
  openTestPostgres,
  postgresPrograms,
  productMigrations,
  slowMs,
  type TestDatabase,
} from '@cellfolio/platform/testing';

const programs = postgresPrograms();
if (!programs)
  console.warn('SKIPPED: no PostgreSQL server programs here, so no hosted project can be set up for a test.');

/**
 * Conditions of a hosted project: an owner who is not a superuser, other owners' schemas, and grants on everything new.
 */
const hosted = `
create role supabase_auth_admin nologin;
create role supabase_storage_admin nologin;
grant usage on schema public to anon, authenticated, service_role, postgres;
grant create on schema public to postgres;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;

create schema auth authorization supabase_auth_admin;
grant usage on schema auth to postgres, anon, authenticated, service_role;
create type auth.factor_status as enum ('unverified', 'verified');
create table auth.users (
  id uuid primary key, email text, created_at timestamptz default now(), deleted_at timestamptz, banned_until timestamptz
);
create table auth.sessions (id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade);
create table auth.mfa_factors (id uuid primary key, user_id uuid not null, status auth.factor_status not null);
grant all on all tables in schema auth to postgres;
create function auth.jwt() returns jsonb language sql stable as
  $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
create function auth.uid() returns uuid language sql stable as $$ select (auth.jwt() ->> 'sub')::uuid $$;

create schema storage authorization supabase_storage_admin;
grant usage on schema storage to postgres, anon, authenticated, service_role;
create table storage.buckets (id text primary key, name text not null, public boolean default false);
create table storage.objects (
  id uuid primary key default gen_random_uuid(), bucket_id text, name text, owner_id text, metadata jsonb
);
alter table storage.objects enable row level security;
grant all on all tables in schema storage to postgres, anon, authenticated, service_role;
alter table storage.objects owner to postgres;
create function storage.foldername(name text) returns text[] language sql immutable as
  $$ select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1] $$;
create function storage.filename(name text) returns text language sql immutable as
  $$ select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)] $$;
`;

const user = '00000000-0000-4000-8000-000000000001';
const session = '00000000-0000-4000-8000-0000000000aa';
const mine: Caller = {
  role: 'authenticated',
  claims: { sub: user, role: 'authenticated', session_id: session, aal: 'aal1' },
};

describe.runIf(programs)('the tables in a hosted project', () => {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await openTestPostgres(programs!, { bare: true });
    const url = new URL((server.database.pool.options as { connectionString: string }).connectionString);
    await server.database.pool.query(
      `create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls;
       create role postgres login bypassrls createrole; grant anon, authenticated, service_role to postgres`,
    );
    await server.database.pool.query('create database project owner postgres');
    url.pathname = '/project';
    const owner = new Pool({ connectionString: url.href });
    await owner.query(hosted);
    await owner.end();
    url.username = 'postgres';
    database = await openDatabase({ url: url.href, dataDir: '/nowhere' });
    await migrate(database, productMigrations);
    await database.pool.query(`insert into auth.users (id, email) values ($1, 'a@example.org')`, [user]);
    await database.pool.query('insert into auth.sessions (id, user_id) values ($1, $2)', [session, user]);
  }, slowMs);
  afterAll(async () => {
    await database?.close();
    await server?.remove();
  });

  const run = (caller: Caller, sql: string, values: unknown[] = []) =>
    database.as(caller, async (client) => (await client.query(sql, values)).rows as unknown[]);

  test('a user makes and lists keys, and no other user does', async () => {
    expect(await run(mine, `select name from public.create_api_key('k')`)).toEqual([{ name: 'k' }]);
    expect(await run(mine, 'select name from public.list_api_keys()')).toEqual([{ name: 'k' }]);
    for (const role of ['anon', 'service_role'] as const) {
      await expect(run({ role }, 'select * from public.list_api_keys()')).rejects.toMatchObject({
        code: '42501',
      });
    }
    await expect(run(mine, 'select * from cellfolio.api_keys')).rejects.toMatchObject({ code: '42501' });
  });

  test('30 images are kept', async () => {
    await run(
      mine,
      `insert into public.generated_images (user_id, title, image_data, image_type)
       select $1, 't', 'data:,', 'gene' from generate_series(1, 40)`,
      [user],
    );
    expect(await run(mine, 'select count(*)::int as n from public.generated_images')).toEqual([{ n: 30 }]);
  });

  test('files and their records need the plan, by one rule', async () => {
    const record = () =>
      run(
        mine,
        `insert into public.user_files (user_id, file_name, original_filename, file_path)
         values ($1, 'f', 'f.h5ad', $2) returning file_name`,
        [user, `${user}/1_f.h5ad`],
      );
    const object = () =>
      run(mine, `insert into storage.objects (bucket_id, name) values ('user-files', $1)`, [
        `${user}/1_f.h5ad`,
      ]);
    for (const put of [record, object]) await expect(put()).rejects.toMatchObject({ code: '42501' });
    await database.pool.query(
      `insert into public.subscriptions (user_id, tier) values ($1, 'Professional')`,
      [user],
    );
    for (const put of [record, object]) await put();
    await database.pool.query(`update public.subscriptions set until = now() - interval '1 day'`);
    for (const put of [record, object]) await expect(put()).rejects.toMatchObject({ code: '42501' });
  });

  test('what the project grants by default is taken back', async () => {
    for (const sql of [
      'truncate public.user_files',
      `update public.subscriptions set tier = 'Professional'`,
      'select * from public.contact_submissions',
    ]) {
      await expect(run(mine, sql)).rejects.toMatchObject({ code: '42501' });
    }
    await expect(run({ role: 'anon' }, 'select * from public.generated_images')).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('rows, files and keys of an account with a second factor are closed to its password alone', async () => {
    await database.pool.query(
      `insert into auth.mfa_factors (id, user_id, status) values (gen_random_uuid(), $1, 'verified')`,
      [user],
    );
    const aal2Caller: Caller = { ...mine, claims: { ...mine.claims, aal: 'aal2' } };
    // In a hosted project the policies alone decide: as its own services, this asks no second step before them.
    const asHosted = async (caller: Caller, sql: string): Promise<unknown[]> => {
      const client = await database.pool.connect();
      try {
        await client.query('begin');
        await client.query(
          `select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`,
          [JSON.stringify(caller.claims), caller.role],
        );
        return (await client.query(sql)).rows as unknown[];
      } finally {
        await client.query('rollback');
        client.release();
      }
    };
    for (const [table, rows] of [
      ['public.generated_images', 30],
      ['public.subscriptions', 1],
      ['public.user_files', 1],
      ['storage.objects', 1],
    ] as const) {
      expect([table, (await asHosted(aal2Caller, `select 1 from ${table}`)).length]).toEqual([table, rows]);
      expect([table, (await asHosted(mine, `select 1 from ${table}`)).length]).toEqual([table, 0]);
    }
    const insertion = `insert into public.subset_metadata (user_id, subset_name) values ('${user}', 's')`;
    await asHosted(aal2Caller, insertion);
    await expect(asHosted(mine, insertion)).rejects.toMatchObject({ code: '42501' });
    expect(await asHosted(aal2Caller, 'select name from public.list_api_keys()')).toEqual([{ name: 'k' }]);
    await expect(asHosted(mine, 'select * from public.list_api_keys()')).rejects.toMatchObject({
      code: 'PT403',
    });
  });
});

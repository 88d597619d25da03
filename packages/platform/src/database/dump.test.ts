import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { RestoreError } from './errors.ts';
import { openTestEmbedded, openTestPostgres, slowMs, type TestDatabase } from './test-databases.ts';
import { postgresPrograms } from './test-postgres.ts';
import { dumpDatabase, parentsFirst, restoreDatabase } from './dump.ts';

const programs = postgresPrograms();
if (!programs)
  console.warn('SKIPPED: no PostgreSQL server programs here, so dumps go between embedded databases only.');

const options = {
  silenced: ['auth.users', 'public.user_files'],
  retired: ['cellfolio.file_events', 'cellfolio.jobs.queued_at'],
};

let source: TestDatabase;
let target: TestDatabase;
let lines: string[];
const user = crypto.randomUUID();

beforeAll(async () => {
  source = await openTestEmbedded();
  target = programs ? await openTestPostgres(programs) : await openTestEmbedded();
  const { pool } = source.database;
  await pool.query(
    `insert into auth.users (id, email, raw_user_meta_data) values ($1, 'a@example.org', $2)`,
    [user, JSON.stringify({ name: 'Zoë "Z" \\ \n 名前', n: 1 })],
  );
  await pool.query(
    `insert into auth.identities (user_id, provider, provider_id, identity_data) values ($1, 'email', $2, $3)`,
    [user, user, JSON.stringify({ email: 'A@example.org' })],
  );
  await pool.query(`insert into auth.sessions (user_id, refresh_counter) values ($1, 9007199254740993)`, [
    user,
  ]);
  await pool.query(
    `insert into public.subset_metadata (user_id, subset_name, percentile, selected_cell_types, filter_config)
     values ($1, 'S', 0.1, array['T cell', 'a,"b"'], '{"a": [1.10, null]}')`,
    [user],
  );
  await pool.query(
    `insert into public.generated_images (user_id, title, image_data, image_type)
     select $1, 'T' || g, repeat('x', 100000), 'gene' from generate_series(1, 30) g`,
    [user],
  );
  // More than one fetch.
  await pool.query(
    `insert into public.subset_metadata (user_id, subset_name) select $1, 'S' || g from generate_series(1, 120) g`,
    [user],
  );
  await pool.query(
    `insert into cellfolio.user_documents (id, owner_id, kind, name) values ('abcdefghijkm', $1, 'link', 'd')`,
    [user],
  );
  await pool.query(
    `insert into cellfolio.user_document_revisions (document_id, revision, body, bytes)
     values ('abcdefghijkm', 1, '{"address": "/explorer?dataset=d"}', decode('00ff', 'hex'))`,
  );
  await pool.query(`update storage.buckets set file_size_limit = 7 where id = 'user-files'`);
  await pool.query(
    `insert into storage.objects (bucket_id, name, version, metadata) values ('user-files', $1, 'v', '{"size": 1}')`,
    [`${user}/1_f.h5ad`],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into public.user_files (user_id, file_name, original_filename, file_path)
     values ($1, 'f.h5ad', 'f.h5ad', $2) returning id`,
    [user, `${user}/1_f.h5ad`],
  );
  await pool.query(`insert into cellfolio.custom_datasets (file_id, version) values ($1, 'v1')`, [
    rows[0]!.id,
  ]);
  lines = [];
  await dumpDatabase(source.database, (line) => void lines.push(line));
}, slowMs);
afterAll(async () => {
  await source?.remove();
  await target?.remove();
});

async function contents({ pool }: Database): Promise<unknown> {
  const { rows } = await pool.query(
    `select (select json_agg(u) from auth.users u)::text as users, (select json_agg(i) from auth.identities i)::text as identities,
       (select json_agg(s) from auth.sessions s)::text as sessions,
       (select json_agg(s order by id) from public.subset_metadata s)::text as subsets,
       (select json_agg(b) from storage.buckets b)::text as buckets, (select json_agg(o) from storage.objects o)::text as objects,
       (select json_agg(f) from public.user_files f)::text as files,
       (select json_agg(r) from cellfolio.user_document_revisions r)::text as documents,
       (select json_agg(d) from cellfolio.custom_datasets d)::text as datasets,
       (select json_agg(j) from cellfolio.jobs j)::text as jobs,
       (select json_agg(g order by image_id) from public.generated_images g)::text as images`,
  );
  return rows[0];
}

test('a dump that is cut off or damaged restores nothing', async () => {
  const damaged = [...lines.slice(0, -1), lines.at(-1)!.slice(0, -20)];
  await expect(restoreDatabase(target.database, damaged, options)).rejects.toThrow(RestoreError);
  await expect(restoreDatabase(target.database, ['{"some":"json"}'])).rejects.toThrow('not a dump');
  expect((await target.database.pool.query('select 1 from auth.users')).rowCount).toBe(0);
});

test('a dump restored into another database, of the other kind where there is one, gives the same rows', async () => {
  const { rows } = await restoreDatabase(target.database, lines, options);
  expect(rows).toBe(lines.length - 1);
  expect(await contents(target.database)).toEqual(await contents(source.database));
});

test('a dump of an earlier version is restored without dropped columns and tables', async () => {
  const { database, remove } = await openTestEmbedded();
  try {
    const earlier = lines.map((line) =>
      line.startsWith('{"table":"cellfolio.jobs"') ? line.replace(/}}$/, ',"queued_at":null}}') : line,
    );
    expect(earlier).not.toEqual(lines);
    earlier.push(`{"table":"cellfolio.file_events","row":{"id":"${crypto.randomUUID()}","kind":"added"}}`);
    await restoreDatabase(database, earlier, options);
    expect(await contents(database)).toEqual(await contents(source.database));
  } finally {
    await remove();
  }
});

test('a dump is not restored into a database with rows', async () => {
  await expect(restoreDatabase(source.database, lines)).rejects.toThrow('not empty');
});

test('tables come after those they refer to', () => {
  const table = (name: string, ...parents: string[]) => ({ name, parents });
  const names = parentsFirst([table('c', 'b'), table('a'), table('b', 'a'), table('d', 'c', 'a')]).map(
    ({ name }) => name,
  );
  expect(names).toEqual(['a', 'b', 'c', 'd']);
});

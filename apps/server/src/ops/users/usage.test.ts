import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser, openDatabase } from '@cellfolio/platform';
import { type Usage } from '../../features/quotas/index.ts';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings, type Settings } from '../../boot/settings/read-settings.ts';
import { storeDocument } from '../../testing/stored-documents.ts';
import type { Terminal } from '../terminal.ts';
import { printUsage } from './users.ts';

let dataDir: string;
let settings: Settings;
const ids: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-usage-'));
  settings = readSettings({ DATA_DIR: dataDir, USER_STORAGE_GB: '40' });
  await copyTestDatabase(dataDir);
  const database = await openDatabase({ dataDir });
  const { pool } = database;
  for (const name of ['small', 'large', 'none']) {
    const email = `${name}@example.org`;
    const cost = { memoryKib: 64, passes: 1 };
    ids.push(
      (await createUser(database, { email, password: 'correct horse', confirmed: true, passwordCost: cost }))
        .id,
    );
  }
  const [small, large] = ids;
  await pool.query(`insert into public.subset_metadata (user_id, subset_name) values ($1, 'a'), ($1, 'b')`, [
    small,
  ]);
  const link = { kind: 'link', name: 'd', body: { address: '/explorer?dataset=d', labels: [] } };
  await storeDocument(database, small!, link);
  await pool.query(`insert into auth.sessions (user_id) select $1 from generate_series(1, 3)`, [small]);
  await pool.query(
    `insert into public.user_files (user_id, file_name, original_filename, file_path, file_size)
     values ($1::uuid, 'f', 'f.h5ad', $1::uuid || '/f.h5ad', 1)`,
    [large],
  );
  // Files without a row count too.
  for (const name of ['f', 'g']) {
    await pool.query(
      `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
       values ('user-files', $1, $2, gen_random_uuid()::text, '{"size": 1500000}')`,
      [`${large}/${name}.h5ad`, large],
    );
  }
  await pool.query(`insert into public.contact_submissions (name, email, message) values ('n', 'e', 'm')`);
  await database.close();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function usage(): Promise<{ text: string; value: Usage }> {
  const outputs: unknown[] = [];
  const terminal: Terminal = {
    json: false,
    result: (value, text) => void outputs.push(text(), value),
    progress: () => ({ update: () => {}, stop: () => {} }),
  };
  const database = await openDatabase({ dataDir });
  const { signal } = new AbortController();
  await printUsage(database, { settings, terminal, signal }).finally(() => database.close());
  return { text: outputs[0] as string, value: outputs[1] as Usage };
}

test('the storage of each user is listed with the limits, the largest first', async () => {
  const { text, value } = await usage();
  expect(value.users.map(({ email }) => email)).toEqual([
    'large@example.org',
    'small@example.org',
    'none@example.org',
  ]);
  const [large, small] = value.users;
  expect(large!.use.files).toEqual({ rows: 1, bytes: 3_000_000 });
  expect(small!.use).toMatchObject({
    subsets: { rows: 2 },
    links: { rows: 1 },
    sessions: { rows: 3 },
    files: { rows: 0, bytes: 0 },
  });
  expect(small!.use.subsets.bytes).toBeGreaterThan(400);
  expect(value.totals).toMatchObject({ files: { rows: 1, bytes: 3_000_000 }, identities: { rows: 3 } });
  expect(value.messages.rows).toBe(1);
  expect(value.limits).toMatchObject({
    files: { rows: 1000, bytes: 40e9 },
    images: { rows: 30 },
    subsets: { rows: 500, bytes: 20e6 },
    sessions: { rows: 50 },
  });

  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^FILES +IMAGES +SUBSETS +LINKS +JOBS +TABS +SESSIONS +TOTAL +USER$/);
  expect(lines[1]).toMatch(/^1, 3(\.\d\d)? MB .*large@example\.org$/);
  expect(lines.at(-3)).toMatch(/all users$/);
  expect(lines.at(-2)).toMatch(/^1,000, 40 GB +30 +500, 20 MB +500 +- +100 +50 .*limit per user$/);
  expect(lines.at(-1)).toMatch(/^Messages of the contact page: 1, /);
});

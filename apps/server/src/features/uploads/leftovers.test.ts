import type { Owner } from '../../runtime/owners.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { blobKeyOf, type Database, sweepStorage } from '@cellfolio/platform';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { customDatasetId, datasetIds, FileObjectStore } from '@cellfolio/store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { removeLeftovers } from './leftovers.ts';
import { JobsWorld } from './testing/jobs-world.ts';

const silent = { error: () => {}, warn: () => {}, info: () => {} } as never;

describe.each(testedDatabases())('leftovers of files in a database of kind %s', (kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  let world: JobsWorld;
  let owner: Owner;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
  }, slowMs);
  afterAll(() => opened?.remove());
  beforeEach(async () => {
    world = new JobsWorld(database);
    owner = await world.addUser('Professional');
  });
  afterEach(async () => {
    await database.pool.query('delete from storage.uploads');
    await world.clear();
    await sweepStorage({ database, blobs: world.blobs, log: silent, now: Date.now });
  });

  const root = () => join(world.folder, 'objects');
  const sweep = (on: Pick<Database, 'pool' | 'transaction'> = database) =>
    removeLeftovers({
      database: on as Database,
      objects: new FileObjectStore(root()),
      removeDataset: async (fileId) => void removed.push(fileId),
    });
  let removed: string[] = [];
  beforeEach(() => void (removed = []));

  async function addObject(name: string, hours: number): Promise<string> {
    const version = randomUUID();
    await world.blobs.put(blobKeyOf(version), Readable.from([Buffer.from('12345')]), { maxBytes: 5 });
    await database.pool.query(
      `insert into storage.objects (bucket_id, name, owner_id, version, metadata, created_at, updated_at)
       values ('user-files', $1, $2, $3, '{"size": 5}', now() - make_interval(hours => $4), now() - make_interval(hours => $4))`,
      [`${owner}/${name}`, owner, version, hours],
    );
    return version;
  }
  const objects = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select split_part(name, '/', 2) as name from storage.objects order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const row = (name: string) =>
    [
      `insert into public.user_files (user_id, file_name, original_filename, file_path)
       values ($1::uuid, 'f', 'f.h5ad', $1::text || '/' || $2::text)`,
      [owner, name],
    ] as const;

  test('a row that its owner deletes takes its object and bytes along, and nothing of another file', async () => {
    const [first] = [
      await world.addFile(owner, 'a.h5ad', 'abc'),
      await world.addFile(owner, 'b.h5ad', 'abcd'),
    ];
    const { rows } = await database.pool.query<{ version: string }>(
      `select version from storage.objects where name like '%a.h5ad'`,
    );
    const claims = { sub: owner, role: 'authenticated' };
    await database.as({ role: 'authenticated', claims }, (client) =>
      client.query('delete from public.user_files where id = $1', [first]),
    );
    expect((await objects()).map((name) => name.replace(/^\d+_/, ''))).toEqual(['b.h5ad']);
    expect(await sweepStorage({ database, blobs: world.blobs, log: silent, now: Date.now })).toMatchObject({
      blobs: 1,
    });
    expect(await world.blobs.head(blobKeyOf(rows[0]!.version))).toBeUndefined();
  });

  test('objects that no row names are removed after a day, with their bytes', async () => {
    await world.addFile(owner, 'kept.h5ad', 'abc');
    await database.pool.query(`update storage.objects set updated_at = now() - interval '9 days'`);
    await addObject('young.h5ad', 23);
    await addObject('under-way.h5ad', 30);
    await database.pool.query(
      `insert into storage.uploads (id, bucket_id, name, folder, reserved_bytes, upsert, expires_at)
       values (gen_random_uuid(), 'user-files', $1, $2, 0, true, now() + interval '1 hour')`,
      [`${owner}/under-way.h5ad`, owner],
    );
    const orphans = [await addObject('a.h5ad', 25), await addObject('b.h5ad', 26)];
    expect(await sweep()).toEqual([
      { kind: 'objects', count: 2, bytes: 10 },
      { kind: 'datasets', count: 0, bytes: 0 },
    ]);
    const names = await objects();
    expect(names.map((name) => name.replace(/^\d+_/, '')).toSorted()).toEqual([
      'kept.h5ad',
      'under-way.h5ad',
      'young.h5ad',
    ]);
    await sweepStorage({ database, blobs: world.blobs, log: silent, now: Date.now });
    for (const version of orphans) expect(await world.blobs.head(blobKeyOf(version))).toBeUndefined();
    expect(await sweep()).toMatchObject([{ count: 0 }, { count: 0 }]);
  });

  test('an object whose row was written after it was found is left', async () => {
    await addObject('late.h5ad', 30);
    const between: Pick<Database, 'pool' | 'transaction'> = {
      pool: database.pool,
      transaction: (work) =>
        database.transaction(async (client) => {
          let queries = 0;
          const query = async (text: string, values: unknown[]) => {
            if ((queries += 1) === 2) await client.query(row('late.h5ad')[0], [...row('late.h5ad')[1]]);
            return client.query(text, values);
          };
          return work({ query } as never);
        }),
    };
    expect(await sweep(between)).toMatchObject([{ count: 0 }, { count: 0 }]);
    expect(await objects()).toEqual(['late.h5ad']);
  });

  // The embedded database does one transaction at a time.
  test.skipIf(kind === 'embedded')('an object whose row is being written is left', async () => {
    await addObject('now.h5ad', 30);
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(row('now.h5ad')[0], [...row('now.h5ad')[1]]);
      expect(await sweep()).toMatchObject([{ count: 0 }, { count: 0 }]);
      await client.query('commit');
    } finally {
      client.release();
    }
    expect(await sweep()).toMatchObject([{ count: 0 }, { count: 0 }]);
    expect(await objects()).toEqual(['now.h5ad']);
  });

  test('more objects than one transaction takes go in one sweep, by any number of processes once', async () => {
    await database.pool.query(
      `insert into storage.objects (bucket_id, name, owner_id, version, metadata, updated_at)
       select 'user-files', $1::text || '/' || n || '.h5ad', $1::text, gen_random_uuid()::text, '{"size": 2}', now() - interval '2 days'
       from generate_series(1, 1201) n`,
      [owner],
    );
    const both = await Promise.all([sweep(), sweep()]);
    const sum = (of: 'count' | 'bytes') => both.reduce((total, [first]) => total + first![of], 0);
    expect([sum('count'), sum('bytes'), (await objects()).length]).toEqual([1201, 2402, 0]);
  });

  test('datasets without a file are removed, unless a running job reads them', async () => {
    const fileId = await world.addFile(owner, 'kept.h5ad', 'abc');
    const [orphan, read] = [randomUUID(), randomUUID()];
    for (const id of [fileId, orphan, read]) await writeTinyDataset(root(), customDatasetId(id));
    await writeTinyDataset(root(), 'public.h5ad');
    await database.pool.query(
      `insert into cellfolio.jobs (owner_id, kind, file_ids, name, request, state, run_token, lease_until)
       values ($1, 'subset', array[$2::uuid], 'part', jsonb_build_object('subset', jsonb_build_object('part',
         jsonb_build_object('dataset_filename', $3::text))), 'running', gen_random_uuid(), now() + interval '1 hour')`,
      [owner, fileId, customDatasetId(read)],
    );
    expect(await datasetIds(new FileObjectStore(root()), 'custom')).toHaveLength(3);
    const [, datasets] = await sweep();
    expect(removed).toEqual([orphan]);
    expect(datasets).toMatchObject({ kind: 'datasets', count: 1 });
    expect(datasets!.bytes).toBeGreaterThan(1000);
  });

  test('downloads of accounts that are gone are removed, and those of others stay', async () => {
    const downloads = join(world.folder, 'scratch', 'downloads');
    for (const user of [owner, randomUUID()]) {
      await mkdir(join(downloads, user), { recursive: true });
      await writeFile(join(downloads, user, 'part'), 'bytes');
    }
    world.start();
    await world.until('the sweep', async () => (await readdir(downloads)).length === 1);
    expect(await readdir(downloads)).toEqual([owner]);
  });
});

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { blobKeyOf, type Database } from '@cellfolio/platform';
// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { slowMs, type TestDatabase, testedDatabases } from '@cellfolio/platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownerOfUser } from '../../runtime/owners.ts';
import { JobsWorld } from '../uploads/testing/jobs-world.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { accountArchive } from './account-archive.ts';
import { storedLabels, storeDocument } from '../../testing/stored-documents.ts';
import { accountTables, otherTables } from './account-tables.ts';
import { clearBytes, deleteAccount } from './delete-account.ts';

const silent = { error: () => {}, warn: () => {}, info: () => {} } as never;
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Paths and bytes of a zip file, read from its central directory; verifies every checksum. */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  const files = new Map<string, Buffer>();
  for (let at = zip.readUInt32LE(end + 16), read = 0; read < zip.readUInt16LE(end + 10); read++) {
    const [sum, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const start = zip.readUInt32LE(at + 42);
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const bytes = zip.subarray(from, from + size);
    expect(crc32(bytes)).toBe(sum);
    files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), bytes);
    at += 46 + nameLength + extraLength;
  }
  return files;
}

describe.each(testedDatabases())('the data of an account in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  let world: JobsWorld;
  let ada: string;
  let ben: string;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
  }, slowMs);
  afterAll(() => opened?.remove());
  beforeEach(async () => {
    world = new JobsWorld(database);
    ada = await world.addUser('Professional');
    ben = await world.addUser('Professional');
  });
  afterEach(async () => {
    await world.clear();
    await database.pool.query('delete from storage.uploads');
  });

  const archive = async (userId: string, maxFileBytes = 1e9): Promise<Map<string, Buffer>> => {
    const pieces: Uint8Array[] = [];
    const { signal } = new AbortController();
    const request = { userId, siteUrl: 'https://cells.example.org', maxFileBytes, signal };
    for await (const piece of accountArchive({ database, blobs: world.blobs }, request)) pieces.push(piece);
    return unzipped(Buffer.concat(pieces));
  };
  const json = (files: Map<string, Buffer>, name: string) => JSON.parse(files.get(name)!.toString()) as never;
  const deletion = (payments?: Parameters<typeof deleteAccount>[0]['payments']) => ({
    database,
    blobs: world.blobs,
    payments,
    log: silent,
  });

  async function fill(userId: string): Promise<string> {
    const { pool } = database;
    const fileId = await world.addFile(ownerOfUser(userId), 'cells.h5ad', world.saying('of one user'));
    const statements = [
      `insert into auth.sessions (user_id, ip) values ($1, '192.0.2.7')`,
      `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, secret) values ($1, 'Phone', 'totp', 'unverified', 'SECRET')`,
      `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, expires_at) values ($1, 'recovery', 'h', 'r', now())`,
      `insert into cellfolio.api_keys (user_id, name, key_hash, prefix) values ($1::uuid, 'script', $1::text || 'HASH', 'cfp_')`,
      `insert into public.subset_metadata (user_id, subset_name) select $1, 'subset ' || n from generate_series(1, 25) n`,
      `insert into public.generated_images (user_id, title, image_data, image_type)
         values ($1, 'UMAP: ../of <cells>', 'data:image/png;base64,${pixel}', 'default')`,
      `insert into cellfolio.active_datasets (user_id, session_id, dataset_id) values ($1, 'tab', 'd')`,
    ];
    for (const statement of statements) await pool.query(statement, [userId]);
    const documents = [
      { kind: 'display', dataset: 'd', name: 'c', body: null },
      { kind: 'gene-list', name: 'B cells', body: { genes: ['CD79A'] } },
      { kind: 'link', name: 'checksum', body: { address: '/explorer?dataset=d', labels: [] } },
    ];
    for (const document of documents) await storeDocument(database, userId, document);
    await pool.query(
      `insert into storage.uploads (id, bucket_id, name, folder, reserved_bytes, resumable, expires_at)
       values (gen_random_uuid(), 'user-files', $1::text || '/coming.h5ad', $1, 10, true, now() + interval '1 day')`,
      [userId],
    );
    await annotate(userId, `custom:${fileId}`);
    return fileId;
  }

  async function annotate(userId: string, datasetId: string): Promise<void> {
    const { packedCodes } = await import('../annotations/packed-codes.ts');
    const { packBarcodes } = await import('../annotations/packed-barcodes.ts');
    const groups = [
      { name: '=B cell', colour: '#112233', cells: 1 },
      { name: 'T', colour: '#332211', cells: 1, term: { id: 'CL:0000084', label: 'T cell' } },
    ];
    await storeDocument(database, userId, {
      kind: 'annotation',
      dataset: datasetId,
      name: 'types/mine',
      body: { ...storedLabels.body, groups },
      bytes: await packedCodes(Int8Array.of(1, -1, 0)),
    });
    const bytes = Buffer.from('AAACCCGGG');
    const barcodes = packBarcodes({ offsets: Uint32Array.of(0, 3, 6, 9), bytes });
    await database.pool.query(
      `insert into cellfolio.annotated_versions (dataset_id, version, barcodes) values ($1, 'v1', $2)`,
      [datasetId, Buffer.from(barcodes)],
    );
  }

  const tables = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname in ('auth', 'public', 'cellfolio', 'storage') order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  test('every table is in the archive, or has nothing of a user in it', async () => {
    const coveredTables = new Set([...accountTables.map(({ table }) => table), ...Object.keys(otherTables)]);
    expect((await tables()).filter((name) => !coveredTables.has(name))).toEqual([]);
    const there = new Set(await tables());
    expect([...coveredTables].filter((name) => !there.has(name))).toEqual([]);
  });

  test('the archive has all rows of its user, their labels, figures and files, and nothing of others or of secrets', async () => {
    await fill(ada);
    await fill(ben);
    const files = await archive(ada);
    const text = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n');
    expect(text).not.toMatch(new RegExp(ben));
    expect(text).not.toMatch(/HASH|SECRET|argon2|refresh_counter/);
    for (const { name, where } of accountTables) {
      expect(Array.isArray(json(files, `${name}.json`)), where).toBe(true);
    }
    const rows = json(files, 'subsets.json') as { subset_name: string }[];
    expect(new Set(rows.map(({ subset_name }) => subset_name)).size).toBe(25);
    expect(json(files, 'profile.json')).toMatchObject([{ id: ada }]);
    expect(files.get('figures/1_UMAP_ .._of _cells_.png')).toEqual(Buffer.from(pixel, 'base64'));
    const labels = [...files].find(([name]) => name.startsWith('annotations/types_mine-'));
    expect(labels?.[1].toString()).toBe(
      "barcode,label,label_ontology_term_id\nAAA,T,CL:0000084\nGGG,'=B cell,\n",
    );
    expect(files.get('files/1_cells.h5ad')?.toString()).toBe(world.saying('of one user'));
    expect(json(files, 'contents.json')).toMatchObject({
      user_id: ada,
      files: [{ name: 'cells.h5ad', file: 'files/1_cells.h5ad' }],
      tables: expect.arrayContaining([{ file: 'subsets.json', title: 'Saved subsets', rows: 25 }]) as never,
    });
  });

  test('files that exceed the byte limit have an address each instead, and the archive names files whose bytes are missing', async () => {
    await fill(ada);
    const listed = await archive(ada, 10);
    expect([...listed.keys()].some((name) => name.startsWith('files/'))).toBe(false);
    const { files } = json(listed, 'contents.json') as { files: { address: string }[] };
    expect(files[0]!.address).toMatch(
      new RegExp(`^https://cells\\.example\\.org/storage/v1/object/sign/user-files/${ada}/[\\w.]+\\?token=`),
    );
    const { rows } = await database.pool.query<{ version: string }>('select version from storage.objects');
    await world.blobs.delete(blobKeyOf(rows[0]!.version));
    expect([...(await archive(ada)).keys()]).toContain('files/1_cells.h5ad.missing.txt');
  });

  test('a deleted account leaves nothing of itself, and takes nothing of others', async () => {
    const gate = world.gate();
    world.start();
    const mine = await fill(ada);
    const other = await fill(ben);
    await writeTinyDataset(join(world.folder, 'objects'), `custom:${mine}`);
    await writeTinyDataset(join(world.folder, 'objects'), `custom:${other}`);
    const running = await world.addFile(
      ownerOfUser(ada),
      'slow.h5ad',
      world.saying(`build: wait ${gate.path}`),
    );
    await world.until('the build', async () => (await world.runs()).includes('build slow.h5ad'));
    // An object that no row names, and that an operator brought.
    await database.pool.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       values ('user-files', $1::text || '/brought.h5ad', $2, '{"size": 1}')`,
      [ada, randomUUID()],
    );
    const email = (await database.pool.query('select email from auth.users where id = $1', [ada])).rows[0]
      .email as string;
    const { rows: versions } = await database.pool.query<{ version: string; name: string }>(
      'select version, name from storage.objects',
    );
    const countsOf = async (userId: string) =>
      Promise.all(
        accountTables.map(async ({ table, where }) => {
          const { rows } = await database.pool.query(
            `select count(*)::int as n from ${table} where ${where}`,
            [userId],
          );
          return [table, rows[0].n as number];
        }),
      );
    await world.until('the other build', async () => (await world.runs()).includes('build cells.h5ad'));
    await world.until('quiet', async () => {
      const { rows } = await database.pool.query(
        `select from cellfolio.jobs where owner_id = $1 and state in ('queued', 'running')`,
        [ben],
      );
      return rows.length === 0;
    });
    const before = await countsOf(ben);

    await deleteAccount(deletion(), ada);
    await clearBytes(deletion());
    await world.until('the end of the work', async () => {
      const { rows } = await database.pool.query(
        'select from cellfolio.custom_datasets where file_id = any($1)',
        [[mine, running]],
      );
      return rows.length === 0 && (await world.scratch()).length === 0;
    });
    for (const name of await tables()) {
      const { rows } = await database.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
      for (const part of [ada, email, mine, running])
        expect(
          rows.filter(({ text }) => text.includes(part)),
          `${name}: ${part}`,
        ).toEqual([]);
    }
    for (const { version, name } of versions) {
      const there = (await world.blobs.head(blobKeyOf(version))) !== undefined;
      expect(there, name).toBe(name.startsWith(ben));
    }
    const folder = (id: string) =>
      stat(join(world.folder, 'objects', 'custom-datasets', id)).then(Boolean, () => false);
    expect([await folder(mine), await folder(other)]).toEqual([false, true]);
    expect(await countsOf(ben)).toEqual(before);
    await expect(deleteAccount(deletion(), ada)).rejects.toMatchObject({ code: 'user_not_found' });
  });

  test('bytes of an account that was deleted while the store was away go with the next sweep', async () => {
    await fill(ada);
    const { rows } = await database.pool.query<{ version: string }>('select version from storage.objects');
    const away = Object.assign(Object.create(world.blobs), {
      delete: () => Promise.reject(new Error('away')),
    }) as JobsWorld['blobs'];
    await deleteAccount(deletion(), ada);
    await clearBytes({ ...deletion(), blobs: away });
    expect(await world.blobs.head(blobKeyOf(rows[0]!.version))).toBeDefined();
    await clearBytes(deletion());
    expect(await world.blobs.head(blobKeyOf(rows[0]!.version))).toBeUndefined();
  });

  describe('with a paid plan', () => {
    let stripe: Server;
    let requests: string[];
    let status: number;
    const payments = () => ({
      kind: 'stripe' as const,
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      prices: { standard: ['price_1'] },
      apiUrl: `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`,
    });
    beforeEach(async () => {
      [requests, status] = [[], 200];
      stripe = createServer((request, response) => {
        requests.push(`${request.method} ${request.url}`);
        const body =
          status === 200
            ? { id: 'cus_1', object: 'customer', deleted: true }
            : {
                error: {
                  type: 'invalid_request_error',
                  ...(status === 404 && { code: 'resource_missing' }),
                  message: 'm',
                },
              };
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => stripe.once('listening', resolve));
      await database.pool.query(
        `insert into cellfolio.payment_customers (owner_id, customer_id) values ($1, 'cus_1')`,
        [ada],
      );
      await database.pool.query(
        `insert into cellfolio.payment_subscriptions (subscription_id, owner_id, tier, until, status, as_of, read_at)
         values ('sub_1', $1, 'Standard', now() + interval '9 days', 'active', now(), 'epoch')`,
        [ada],
      );
    });
    afterEach(() => {
      stripe.closeAllConnections();
      stripe.close();
    });
    const isThere = async () =>
      (await database.pool.query('select from auth.users where id = $1', [ada])).rowCount === 1;

    test('a deletion cancels it before anything is deleted', async () => {
      await deleteAccount(deletion(payments()), ada);
      expect(requests).toEqual(['DELETE /v1/customers/cus_1']);
      expect(await isThere()).toBe(false);
    });

    test('a deletion whose cancelling fails deletes nothing, and one that was cancelled before goes on', async () => {
      status = 400;
      await expect(deleteAccount(deletion(payments()), ada)).rejects.toMatchObject({ status: 502 });
      await expect(deleteAccount(deletion(), ada)).rejects.toMatchObject({ code: 'payments_not_configured' });
      expect(await isThere()).toBe(true);
      status = 404;
      await deleteAccount(deletion(payments()), ada);
      expect(await isThere()).toBe(false);
    });
  });
});

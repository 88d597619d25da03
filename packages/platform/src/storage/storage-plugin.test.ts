import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/test-databases.ts';
import { openStoredObject } from './objects.ts';
import { orphanedBlobs, sweepStorage } from './sweep-storage.ts';
import { type Body, type FileServer, startFileServer } from './testing/file-server.ts';

const bucket = 'user-files';
const silent = { warn: () => {}, info: () => {}, error: () => {} } as never;

let database: Database;
let server: FileServer;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  server = await startFileServer(database, { rules: { folderQuotaBytes: 10_000 } });
});
afterEach(() => server?.close());

let nameCount = 0;
const newName = () => `${server.userId}/${(nameCount += 1)}.tsv`;
const put = (name: string, body: Body, headers: Record<string, string> = {}) =>
  server.call('POST', `/object/${bucket}/${name}`, { body, headers });
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code;
const uploadsNow = async (): Promise<number> =>
  Number((await database.pool.query('select count(*) from storage.uploads')).rows[0].count);
const encoded = (name: string) => `bucketName ${btoa(bucket)},objectName ${btoa(name)}`;
const begin = (name: string, length: number) =>
  server.call('POST', '/upload/resumable', {
    headers: { 'tus-resumable': '1.0.0', 'upload-length': String(length), 'upload-metadata': encoded(name) },
  });

describe('the quota', () => {
  test('covers all files of a user, and removal frees space', async () => {
    const first = newName();
    expect((await put(first, Buffer.alloc(6000))).status).toBe(200);
    const refused = await put(newName(), Buffer.alloc(4001));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      statusCode: '413',
      code: 'QuotaExceeded',
      message: expect.stringContaining('4 KB of 10 KB are free'),
    });
    expect((await put(newName(), Buffer.alloc(4000))).status).toBe(200);
    expect(await codeOf(await put(newName(), Buffer.alloc(1)))).toBe('QuotaExceeded');
    await server.files.remove([first]);
    expect((await put(newName(), Buffer.alloc(6000))).status).toBe(200);
  });

  test('lets a file be replaced by one of its size', async () => {
    const name = newName();
    await put(name, Buffer.alloc(9000));
    expect((await put(name, Buffer.alloc(10_000), { 'x-upsert': 'true' })).status).toBe(200);
    expect(await codeOf(await put(name, Buffer.alloc(10_001), { 'x-upsert': 'true' }))).toBe('QuotaExceeded');
    expect((await server.files.info(name)).data?.size).toBe(10_000);
  });

  test('counts copies', async () => {
    const name = newName();
    await put(name, Buffer.alloc(6000));
    expect((await server.files.copy(name, newName())).error).toMatchObject({ statusCode: '413' });
    expect(await uploadsNow()).toBe(0);
  });

  test('holds for concurrent uploads', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(newName(), Buffer.alloc(1500))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    const { rows } = await database.pool.query(
      `select sum((metadata ->> 'size')::int)::int as total from storage.objects where path_tokens[1] = $1`,
      [server.userId],
    );
    expect(rows[0].total).toBe(9000);
    expect(await uploadsNow()).toBe(0);
  });

  test('is reserved for a resumable upload until it ends', async () => {
    const begun = await begin(newName(), 7000);
    expect(begun.status).toBe(201);
    expect(await codeOf(await put(newName(), Buffer.alloc(3001)))).toBe('QuotaExceeded');
    expect((await begin(newName(), 3001)).status).toBe(413);
    const url = begun.headers.get('location')!.replace('http://cells.example.org', server.url);
    await fetch(url, { method: 'DELETE', headers: { ...server.headers, 'tus-resumable': '1.0.0' } });
    expect((await put(newName(), Buffer.alloc(10_000))).status).toBe(200);
  });

  test('holds for a body without Content-Length', async () => {
    const before = await server.stored();
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 100; piece += 1) yield new Uint8Array(1000);
    }
    const answer = await put(newName(), endless() as unknown as Body);
    expect(await codeOf(answer)).toBe('QuotaExceeded');
    expect(await server.stored()).toEqual(before);
    expect(await uploadsNow()).toBe(0);
  });
});

async function beginUpload(path: string, length: number, sent: number) {
  const request = httpRequest(`${server.url}/storage/v1${path}`, {
    method: 'POST',
    headers: { ...server.headers, 'content-length': length, 'content-type': 'application/octet-stream' },
  });
  request.on('error', () => {});
  request.flushHeaders();
  if (sent > 0) await new Promise((resolve) => request.write(Buffer.alloc(sent), resolve));
  return request;
}

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('an upload', () => {
  test('is refused before its body is read', async () => {
    const refused = await beginUpload(`/object/${bucket}/somebody/a.tsv`, 5000, 0);
    const [answer] = await once(refused, 'response');
    expect(answer.statusCode).toBe(400);
    refused.destroy();
    const large = await beginUpload(`/object/${bucket}/${newName()}`, 10_001, 0);
    const [second] = await once(large, 'response');
    expect(second.statusCode).toBe(400);
    large.destroy();
  });

  test('that is refused is not read to its end', async () => {
    const refused = await beginUpload(`/object/${bucket}/somebody/a.tsv`, 10 ** 12, 100_000);
    const [answer] = await once(refused, 'response');
    expect(answer.statusCode).toBe(400);
    answer.resume();
    // The connection ends with a response or a reset, whichever comes first.
    const closed = new Promise<void>((resolve) => {
      refused.on('error', () => {});
      refused.once('close', () => resolve());
    });
    const writing = setInterval(() => refused.write(Buffer.alloc(1000)), 50);
    await closed;
    clearInterval(writing);
  });

  test('that stalls is aborted and its reservation released', async () => {
    const strict = await startFileServer(database, { settings: { stallSeconds: 0.2 } });
    try {
      const silentUpload = httpRequest(`${strict.url}/storage/v1/object/${bucket}/${strict.userId}/a.tsv`, {
        method: 'POST',
        headers: { ...strict.headers, 'content-length': 5000, 'content-type': 'application/octet-stream' },
      });
      silentUpload.on('error', () => {});
      silentUpload.write(Buffer.alloc(100));
      const [answer] = await once(silentUpload, 'response');
      expect(answer.statusCode).toBe(400);
      expect(await strict.stored()).toEqual([]);
      expect(await uploadsNow()).toBe(0);
      silentUpload.destroy();
    } finally {
      await strict.close();
    }
  });

  test('beyond the limit of a process is refused with Retry-After', async () => {
    const narrow = await startFileServer(database, {
      settings: { concurrentUploads: 1, slotWaitSeconds: 0.2 },
    });
    const path = `/object/${bucket}/${narrow.userId}`;
    const first = httpRequest(`${narrow.url}/storage/v1${path}/a.tsv`, {
      method: 'POST',
      headers: { ...narrow.headers, 'content-length': 10, 'content-type': 'application/octet-stream' },
    });
    try {
      first.write(Buffer.alloc(5));
      await until(async () => (await narrow.stored()).length > 0);
      const second = await narrow.call('POST', `${path}/b.tsv`, { body: 'x' });
      expect([second.status, second.headers.get('retry-after'), await codeOf(second)]).toEqual([
        503,
        '5',
        'SlowDown',
      ]);
      first.end(Buffer.alloc(5));
      const [answer] = await once(first, 'response');
      expect(answer.statusCode).toBe(200);
      expect((await narrow.call('POST', `${path}/b.tsv`, { body: 'x' })).status).toBe(200);
    } finally {
      first.destroy();
      await narrow.close();
    }
  });

  test('that breaks off leaves no row, no bytes and no reservation', async () => {
    const before = await server.stored();
    const name = newName();
    const cut = await beginUpload(`/object/${bucket}/${name}`, 5000, 2000);
    await until(async () => (await server.stored()).length > before.length);
    expect(await uploadsNow()).toBe(1);
    cut.destroy();
    await until(async () => (await uploadsNow()) === 0);
    await until(async () => (await server.stored()).length === before.length);
    expect((await server.files.info(name)).error).toMatchObject({ statusCode: '404' });
  });

  test('in a truncated form stores no file', async () => {
    const before = await server.stored();
    const name = newName();
    const body = '--x\r\ncontent-disposition: form-data; name=""; filename="a.tsv"\r\n\r\nhalf a fi';
    const answer = await put(name, body, { 'content-type': 'multipart/form-data; boundary=x' });
    expect(answer.status).toBe(400);
    expect(await server.stored()).toEqual(before);
    expect(await uploadsNow()).toBe(0);
  });

  test('whose permission is revoked meanwhile is not stored', async () => {
    const before = await server.stored();
    const name = newName();
    const slow = await beginUpload(`/object/${bucket}/${name}`, 5000, 2000);
    await until(async () => (await server.stored()).length > before.length);
    await database.pool.query('delete from public.subscriptions where user_id = $1', [server.userId]);
    slow.end(Buffer.alloc(3000));
    const [answer] = await once(slow, 'response');
    expect(answer.statusCode).toBe(400);
    expect(await server.stored()).toEqual(before);
    expect(await uploadsNow()).toBe(0);
  });

  test('of one name by concurrent clients leaves one complete file', async () => {
    const name = newName();
    const bodies = Array.from({ length: 8 }, (_, index) => String(index).repeat(100 + index));
    const first = await Promise.all(bodies.map((body) => put(name, body)));
    expect(first.filter(({ status }) => status === 200)).toHaveLength(1);
    const over = await Promise.all(bodies.map((body) => put(name, body, { 'x-upsert': 'true' })));
    expect(over.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect(bodies).toContain(await (await server.files.download(name)).data!.text());
    expect(await server.stored()).toHaveLength(1);
    expect(await uploadsNow()).toBe(0);
  });

  test('is read back while it is replaced, old or new but never half', async () => {
    const name = newName();
    await put(name, 'a'.repeat(1000));
    const texts = new Set<string>();
    const read = async () => texts.add((await (await server.files.download(name)).data?.text()) ?? 'none');
    for (let round = 0; round < 10; round += 1) {
      const letter = String.fromCharCode(98 + round);
      await Promise.all([put(name, letter.repeat(1000), { 'x-upsert': 'true' }), read(), read(), read()]);
    }
    for (const text of texts) expect(text).toMatch(/^([a-k])\1{999}$/);
  });
});

describe('clearing up', () => {
  const sweep = (aheadMs = 0) =>
    sweepStorage({ database, blobs: server.blobs, log: silent, now: () => Date.now() + aheadMs });

  test('keeps active uploads and deletes abandoned ones', async () => {
    const name = newName();
    const { headers } = await begin(name, 100);
    const url = headers.get('location')!.replace('http://cells.example.org', server.url);
    const patch = () =>
      fetch(url, {
        method: 'PATCH',
        headers: {
          ...server.headers,
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(50),
      });
    expect((await patch()).status).toBe(204);
    expect(await sweep(23 * 3600 * 1000)).toEqual({ uploads: 0, blobs: 0 });
    expect(await server.stored()).toHaveLength(1);
    expect(await sweep(25 * 3600 * 1000)).toEqual({ uploads: 1, blobs: 1 });
    expect(await server.stored()).toEqual([]);
    expect((await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })).status).toBe(404);
  });

  test('uses the clock of the database, not of its machine', async () => {
    await begin(newName(), 100);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 3600 * 1000 });
    try {
      expect(await sweepStorage({ database, blobs: server.blobs, log: silent, now: Date.now })).toEqual({
        uploads: 0,
        blobs: 0,
      });
    } finally {
      vi.useRealTimers();
    }
    expect((await sweep(25 * 3600 * 1000)).uploads).toBe(1);
  });

  test('forgets the address of a finished upload, never its file', async () => {
    const name = newName();
    expect((await begin(name, 0)).status).toBe(201);
    expect(await uploadsNow()).toBe(1);
    expect(await sweep(25 * 3600 * 1000)).toEqual({ uploads: 0, blobs: 0 });
    expect(await uploadsNow()).toBe(0);
    expect((await server.files.download(name)).error).toBeNull();
  });

  test('deletes the bytes that a crashed process left', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
    }
    await server.blobs.put(`files/11/${id}`, bytes(), { maxBytes: 10 });
    await database.pool.query(
      `insert into storage.uploads (id, bucket_id, name, folder, reserved_bytes, expires_at)
       values ($1, $2, $3, $4, 10000, now() + interval '5 minutes')`,
      [id, bucket, newName(), server.userId],
    );
    expect(await codeOf(await put(newName(), 'x'))).toBe('QuotaExceeded');
    await sweep(6 * 60 * 1000);
    expect(await server.stored()).toEqual([]);
    expect((await put(newName(), 'x')).status).toBe(200);
  });

  test('drops an upload with an expired reservation instead of keeping a row without bytes', async () => {
    const name = newName();
    const slow = await beginUpload(`/object/${bucket}/${name}`, 5000, 2000);
    await until(async () => (await server.stored()).length > 0);
    await sweep(3600 * 1000);
    slow.end(Buffer.alloc(3000));
    const [answer] = await once(slow, 'response');
    expect(answer.statusCode).toBe(400);
    expect((await server.files.info(name)).error).toMatchObject({ statusCode: '404' });
    // The listing finds bytes that arrived after the sweep.
    for await (const key of orphanedBlobs({ database, blobs: server.blobs })) await server.blobs.delete(key);
    expect(await server.stored()).toEqual([]);
  });

  test('reports orphaned bytes to the operator', async () => {
    await put(newName(), 'known');
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
    }
    const stray = 'files/22/22222222-2222-4222-8222-222222222222';
    await server.blobs.put(stray, bytes(), { maxBytes: 10 });
    const orphans: string[] = [];
    for await (const key of orphanedBlobs({ database, blobs: server.blobs })) orphans.push(key);
    expect(orphans).toEqual([stray]);
  });
});

test('the server itself reads a stored file, whole and in ranges', async () => {
  const name = newName();
  await put(name, '0123456789');
  const opened = await openStoredObject({ database, blobs: server.blobs }, bucket, name);
  expect(opened?.metadata.size).toBe(10);
  expect(await new Response((await opened!.read({ offset: 2, length: 3 })) as never).text()).toBe('234');
  expect(await openStoredObject({ database, blobs: server.blobs }, bucket, 'none')).toBeUndefined();
});

test('the declared type of a file cannot make it run as a page', async () => {
  const name = newName();
  await put(name, '<script>alert(1)</script>', { 'content-type': 'text/html', 'cache-control': 'max-age=1' });
  const answer = await server.call('GET', `/object/${bucket}/${name}`);
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a server with compression leaves file bytes unchanged', () => {
  const prefix = '/storage/v1';
  const named = (route: string) =>
    /\/object\/.*\*$|resumable/.test(route) && !/ \S*\/object\/info/.test(route);
  // The other routes return JSON.
  expect(server.packed.filter(named).sort()).toEqual([
    `DELETE ${prefix}/object/:bucket/*`,
    `POST ${prefix}/object/sign/:bucket/*`,
    `POST ${prefix}/object/upload/sign/:bucket/*`,
  ]);
});

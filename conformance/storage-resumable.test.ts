import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { Database } from '@cellfolio/platform';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { type Person, type StorageWorld, storageWorld } from './storage-world.ts';

const bucket = 'user-files';
const MB = 1000 * 1000;

describe.each(databases)('resumable uploads on the $name database', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: StorageWorld;
  let owner: Person;
  let other: Person;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await storageWorld(database);
    owner = await world.person('Professional');
    other = await world.person('Professional');
  });
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  const endpoint = () => `${world.server.url}/storage/v1/upload/resumable`;
  let nameCount = 0;
  const newName = () => `${owner.id}/${(nameCount += 1)}_cells.h5ad`;
  const download = async (name: string): Promise<Buffer> => {
    const { data, error } = await owner.client.storage.from(bucket).download(name);
    if (error) throw error;
    return Buffer.from(await data.arrayBuffer());
  };
  const same = (one: Buffer, other: Buffer) => expect(Buffer.compare(one, other)).toBe(0);

  /** Runs a client until it ends or `stopAfter` bytes were acknowledged. */
  const upload = (
    bytes: Buffer,
    name: string,
    more: Partial<UploadOptions> = {},
    stopAfter = Infinity,
  ): Promise<{ url: string | null; offsets: number[] }> =>
    new Promise((resolve, reject) => {
      const offsets: number[] = [];
      const client = new Upload(bytes, {
        endpoint: endpoint(),
        headers: world.headers(owner),
        chunkSize: MB,
        retryDelays: [0, 10, 10],
        metadata: {
          bucketName: bucket,
          objectName: name,
          contentType: 'application/x-hdf5',
          cacheControl: '3600',
        },
        onError: reject,
        onSuccess: () => resolve({ url: client.url, offsets }),
        onChunkComplete: (_size, accepted) => {
          offsets.push(accepted);
          if (accepted >= stopAfter) void client.abort().then(() => resolve({ url: client.url, offsets }));
        },
        ...more,
      });
      client.start();
    });

  const raw = (method: string, url: string, headers: Record<string, string> = {}, body?: Buffer) =>
    fetch(url, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
  const encoded = (metadata: Record<string, string>) =>
    Object.entries(metadata)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  const create = async (name: string, length: number, more: Record<string, string> = {}) =>
    raw('POST', endpoint(), {
      ...world.headers(owner),
      'upload-length': String(length),
      'upload-metadata': encoded({ bucketName: bucket, objectName: name }),
      ...more,
    });
  const patch = (url: string, offset: number, bytes: Buffer, headers = world.headers(owner)) =>
    raw(
      'PATCH',
      url,
      { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      bytes,
    );
  const offsetAt = async (url: string) => Number((await raw('HEAD', url)).headers.get('upload-offset'));

  test.each([
    ['in chunks', {}],
    ['in one piece', { chunkSize: Infinity }],
    ['with data in the first request', { uploadDataDuringCreation: true }],
    ['of unknown length', { uploadLengthDeferred: true }],
  ])('a file is uploaded %s and downloaded unchanged', async (_case, more: Partial<UploadOptions>) => {
    const bytes = randomBytes(3_300_000);
    const name = newName();
    const { url } = await upload(bytes, name, more);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/storage\/v1\/upload\/resumable\/[\da-f-]{36}$/);
    same(await download(name), bytes);
    const { data } = await owner.client.storage.from(bucket).info(name);
    expect(data).toMatchObject({
      size: bytes.byteLength,
      contentType: 'application/x-hdf5',
      cacheControl: 'max-age=3600',
    });
  });

  test('an empty file can be uploaded', async () => {
    const name = newName();
    expect((await create(name, 0)).status).toBe(201);
    expect(await download(name)).toHaveLength(0);
  });

  test('a stopped upload resumes in another client', async () => {
    const bytes = randomBytes(5 * MB);
    const name = newName();
    const first = await upload(bytes, name, {}, 2 * MB);
    expect(first.offsets.at(-1)).toBe(2 * MB);
    const second = await upload(bytes, name, { uploadUrl: first.url });
    expect(second.offsets[0]).toBe(3 * MB);
    same(await download(name), bytes);
  });

  test('an upload keeps the received bytes when its connection is cut', async () => {
    const bytes = randomBytes(4 * MB);
    const name = newName();
    const { headers } = await create(name, bytes.byteLength);
    const url = headers.get('location')!;
    await new Promise<void>((resolve) => {
      const cut = httpRequest(url, {
        method: 'PATCH',
        headers: {
          ...world.headers(owner),
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': bytes.byteLength,
        },
      });
      cut.on('error', () => resolve());
      cut.on('close', () => resolve());
      cut.write(bytes.subarray(0, 1_500_000), () => setTimeout(() => cut.destroy(), 1000));
    });
    const offset = await offsetAt(url);
    // On a busy machine the last bytes may not have been read.
    expect(offset).toBeGreaterThan(1_000_000);
    expect(offset).toBeLessThanOrEqual(1_500_000);
    expect((await patch(url, offset, bytes.subarray(offset))).status).toBe(204);
    same(await download(name), bytes);
  });

  test('a dead connection is replaced by the next one', async () => {
    const bytes = randomBytes(MB);
    const name = newName();
    const url = (await create(name, bytes.byteLength)).headers.get('location')!;
    const hanging = httpRequest(url, {
      method: 'PATCH',
      headers: {
        ...world.headers(owner),
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.byteLength,
      },
    });
    hanging.on('error', () => {});
    await new Promise((resolve) => hanging.write(bytes.subarray(0, 400_000), resolve));
    const partial = url.slice(-36);
    while (!(await world.files()).some((file) => file.startsWith(partial))) await new Promise(setImmediate);
    const offset = await offsetAt(url);
    expect((await patch(url, offset, bytes.subarray(offset))).status).toBe(204);
    hanging.destroy();
    same(await download(name), bytes);
  });

  test('the file exists once its last byte is received, and the address of the upload stays valid', async () => {
    const bytes = randomBytes(1000);
    const name = newName();
    const url = (await create(name, 1000)).headers.get('location')!;
    expect((await patch(url, 0, bytes.subarray(0, 999))).headers.get('upload-offset')).toBe('999');
    expect((await owner.client.storage.from(bucket).info(name)).error).toMatchObject({ statusCode: '404' });
    expect((await patch(url, 999, bytes.subarray(999))).status).toBe(204);
    same(await download(name), bytes);
    expect(await offsetAt(url)).toBe(1000);
  });

  test.each([
    ['a wrong offset', 409, (url: string) => patch(url, 5, Buffer.alloc(5))],
    ['more than the declared length', 413, (url: string) => patch(url, 0, Buffer.alloc(11))],
    ['another user', 404, (url: string) => patch(url, 0, Buffer.alloc(10), world.headers(other))],
    ['no user', 401, (url: string) => patch(url, 0, Buffer.alloc(10), {})],
    ['another user who deletes', 404, (url: string) => raw('DELETE', url, world.headers(other))],
    [
      'an unknown upload',
      404,
      (url: string) => patch(url.replace(/[\da-f-]{36}$/, randomUUID()), 0, Buffer.alloc(10)),
    ],
    [
      'an upload that cannot be',
      404,
      (url: string) => patch(url.replace(/[\da-f-]{36}$/, 'none'), 0, Buffer.alloc(10)),
    ],
    [
      'asking for an unknown one',
      404,
      (url: string) => raw('HEAD', url.replace(/[\da-f-]{36}$/, randomUUID())),
    ],
    ...['none', '%00', '%2F', 'a/b', 'x'.repeat(9_000), '00000000-0000-0000-0000-00000000000g'].map(
      (id): [string, number, (url: string) => Promise<Response>] => [
        `asking for ${id.slice(0, 40)}, which is no id,`,
        404,
        (url) => raw('HEAD', url.replace(/[\da-f-]{36}$/, id)),
      ],
    ),
    ['no version', 412, (url: string) => fetch(url, { method: 'HEAD' })],
  ])('%s gets %i, and the upload is unchanged', async (_case, status, request) => {
    const name = newName();
    const url = (await create(name, 10)).headers.get('location')!;
    const answer = await request(url);
    expect(answer.status).toBe(status);
    await answer.text();
    expect((await patch(url, 0, Buffer.alloc(10))).status).toBe(204);
  });

  test.each([
    ['too large a file', 413, { 'upload-length': String(10 ** 15) }],
    ['no length', 400, { 'upload-length': undefined }],
    ['a negative length', 400, { 'upload-length': '-1' }],
    ['no names', 400, { 'upload-metadata': 'contentType dGV4dA==' }],
    ['metadata that are none', 400, { 'upload-metadata': ',,,' }],
    [
      'metadata that are no JSON',
      400,
      { 'upload-metadata': encoded({ bucketName: bucket, objectName: 'a/a.tsv', metadata: '{' }) },
    ],
    [
      'a name with a step up',
      400,
      { 'upload-metadata': encoded({ bucketName: bucket, objectName: '../a.tsv' }) },
    ],
    ['an unknown bucket', 404, { 'upload-metadata': encoded({ bucketName: 'none', objectName: 'a/a.tsv' }) }],
    ['another folder', 403, { 'upload-metadata': encoded({ bucketName: bucket, objectName: 'a/a.tsv' }) }],
    ['pieces to be joined', 400, { 'upload-concat': 'partial' }],
  ])('%s cannot be started: %i', async (_case, status, overrides) => {
    const headers: Record<string, string> = {};
    const allHeaders = { ...world.headers(owner), 'upload-length': '5', ...overrides };
    for (const [name, value] of Object.entries(allHeaders)) if (value !== undefined) headers[name] = value;
    const answer = await raw('POST', endpoint(), headers);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/\S/);
  });

  test('a file too large for its bucket is refused like one too large for any', async () => {
    await world.service.storage.createBucket('small-files', { public: false, fileSizeLimit: 10 });
    const start = (length: number, bucketName: string) =>
      raw('POST', endpoint(), {
        apikey: world.server.keys.secretKey,
        'upload-length': String(length),
        'upload-metadata': encoded({ bucketName, objectName: newName() }),
      });
    expect((await start(10, 'small-files')).status).toBe(201);
    const ofBucket = await start(11, 'small-files');
    const ofAll = await start(10 ** 15, bucket);
    expect([ofBucket.status, await ofBucket.text()]).toEqual([413, 'Maximum size exceeded\n']);
    expect([ofAll.status, await ofAll.text()]).toEqual([413, 'Maximum size exceeded\n']);
  });

  test('an existing name is refused at the start, except with upsert', async () => {
    const name = newName();
    await upload(Buffer.from('first'), name);
    expect((await create(name, 5)).status).toBe(409);
    const url = (await create(name, 6, { 'x-upsert': 'true' })).headers.get('location')!;
    expect((await patch(url, 0, Buffer.from('second'))).status).toBe(204);
    expect((await download(name)).toString()).toBe('second');
  });

  test('a name taken meanwhile is refused until it is free again', async () => {
    const name = newName();
    const url = (await create(name, 5)).headers.get('location')!;
    await upload(Buffer.from('other'), name);
    expect((await patch(url, 0, Buffer.from('mine!'))).status).toBe(409);
    expect((await download(name)).toString()).toBe('other');
    await owner.client.storage.from(bucket).remove([name]);
    expect((await patch(url, 0, Buffer.from('mine!'))).status).toBe(204);
    expect((await download(name)).toString()).toBe('mine!');
  });

  test('a plan that ends during an upload ends the upload', async () => {
    const leaver = await world.person('Professional');
    const name = `${leaver.id}/a.h5ad`;
    const url = (
      await raw('POST', endpoint(), {
        ...world.headers(leaver),
        'upload-length': '10',
        'upload-metadata': encoded({ bucketName: bucket, objectName: name }),
      })
    ).headers.get('location')!;
    expect((await patch(url, 0, Buffer.alloc(5), world.headers(leaver))).status).toBe(204);
    await database.pool.query(`update public.subscriptions set tier = 'Standard' where user_id = $1`, [
      leaver.id,
    ]);
    expect((await patch(url, 5, Buffer.alloc(5), world.headers(leaver))).status).toBe(403);
  });

  test('a cancelled upload leaves nothing', async () => {
    const before = await world.files();
    const url = (await create(newName(), 10)).headers.get('location')!;
    await patch(url, 0, Buffer.alloc(5));
    expect(await world.files()).toHaveLength(before.length + 1);
    expect((await raw('DELETE', url, world.headers(owner))).status).toBe(204);
    expect((await raw('HEAD', url)).status).toBe(404);
    expect(await world.files()).toEqual(before);
  });

  test('a complete upload without a row is finished by the next request', async () => {
    const bytes = randomBytes(1000);
    const name = newName();
    const url = (await create(name, 1000)).headers.get('location')!;
    await patch(url, 0, bytes.subarray(0, 600));
    await patch(url, 600, bytes.subarray(600));
    // As if the process had died after the last byte.
    const id = url.slice(-36);
    await database.pool.query('delete from storage.objects where name = $1', [name]);
    await database.pool.query('delete from storage.dead_blobs where version = $1', [id]);
    const claims = JSON.stringify({
      role: 'authenticated',
      claims: { sub: owner.id, role: 'authenticated' },
    });
    await database.pool.query('update storage.uploads set finished_at = null, caller = $2 where id = $1', [
      id,
      claims,
    ]);
    expect(await offsetAt(url)).toBe(1000);
    same(await download(name), bytes);
  });

  test('a signed token lets someone else upload the file', async () => {
    const name = newName();
    const { data } = await owner.client.storage.from(bucket).createSignedUploadUrl(name);
    const bytes = randomBytes(2_500_000);
    const signed = { endpoint: `${endpoint()}/sign`, headers: { 'x-signature': data!.token } };
    const { url } = await upload(bytes, name, signed);
    expect(url).toContain('/upload/resumable/sign/');
    same(await download(name), bytes);
    await expect(upload(bytes, newName(), { ...signed, retryDelays: [] })).rejects.toThrow(/400/);
    await expect(
      upload(bytes, name, { endpoint: `${endpoint()}/sign`, headers: {}, retryDelays: [] }),
    ).rejects.toThrow(/400/);
  });

  test('the features of the service are public, also for other origins', async () => {
    const answer = await fetch(endpoint(), {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.org', 'access-control-request-method': 'PATCH' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('tus-version')).toBe('1.0.0');
    expect(answer.headers.get('tus-extension')).toBe(
      'creation,creation-with-upload,creation-defer-length,expiration,termination',
    );
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    const allowedHeaders = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    // The client sends the same headers to all services.
    expect(allowedHeaders).toEqual(
      expect.arrayContaining(['apikey', 'x-signature', 'x-metadata', 'cache-control']),
    );
    const created = await create(newName(), 5, { origin: 'https://elsewhere.org' });
    expect(created.headers.get('access-control-allow-origin')).toBe('*');
    expect(created.headers.get('access-control-expose-headers')).toContain('Location');
    expect(created.headers.get('upload-expires')).toMatch(/GMT$/);
  });

  test('the address of an upload is that of the request, and cannot be forged', async () => {
    const { port } = new URL(world.server.url);
    const located = async (headers: Record<string, string>) =>
      (await create(newName(), 5, headers)).headers.get('location');
    expect(await located({})).toContain(`http://127.0.0.1:${port}/storage/v1/`);
    // No proxy is configured.
    const forwarded = { 'x-forwarded-host': 'evil.example.org', 'x-forwarded-proto': 'https' };
    expect(await located(forwarded)).toContain(`http://127.0.0.1:${port}/storage/v1/`);
    expect(await located({ forwarded: 'host=evil.example.org;proto=https' })).toContain(
      `http://127.0.0.1:${port}/`,
    );
  });
});

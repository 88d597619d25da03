import { Readable } from 'node:stream';
import { authenticatorCode } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsOn, clientVersions } from './clients.ts';
import { databases } from './databases.ts';
import { openedForTests } from './opened-for-tests.ts';
import { password, type Person, type StorageWorld, storageWorld } from './storage-world.ts';

const bucket = 'user-files';

describe.each(databases)('files on the $name database', ({ name, open }) => {
  const opened = openedForTests(open);

  describe.each(clientsOn(name, clientVersions))('supabase-js $version', (version) => {
    let world: StorageWorld;
    let owner: Person;
    beforeAll(async () => {
      world = await storageWorld(opened.database, version);
      owner = await world.person('Professional');
    });
    afterAll(() => world?.close());

    let pathCount = 0;
    const newPath = (extension = 'h5ad') => `${owner.id}/${(pathCount += 1)}_cells.${extension}`;
    const mine = () => owner.client.storage.from(bucket);
    const stored = async (text: string, extension?: string): Promise<string> => {
      const path = newPath(extension);
      const { error } = await mine().upload(path, new File([text], 'cells'));
      if (error) throw error;
      return path;
    };
    const textAt = async (path: string): Promise<string | undefined> =>
      (await mine().download(path)).data?.text();

    test('files of an account with a second factor are closed to its password alone', async () => {
      const person = await world.person('Professional');
      const { mfa } = person.client.auth;
      const { data: factor } = await mfa.enroll({ factorType: 'totp' });
      const code = authenticatorCode(factor!.type === 'totp' ? factor!.totp.secret : '');
      expect((await mfa.challengeAndVerify({ factorId: factor!.id, code })).error).toBeNull();
      const files = person.client.storage.from(bucket);
      const path = `${person.id}/1_cells.tsv`;
      expect((await files.upload(path, Buffer.from('counts'))).error).toBeNull();
      // In the name of its maker, whose session has taken the second step.
      const { data: address } = await files.createSignedUploadUrl(`${person.id}/2_cells.tsv`);
      const uploaded = await files.uploadToSignedUrl(address!.path, address!.token, Buffer.from('counts'));
      expect(uploaded.error).toBeNull();

      const thief = version.make(world.server.url, world.server.keys.publishableKey);
      await thief.auth.signInWithPassword({ email: person.email, password });
      const theirs = thief.storage.from(bucket);
      for (const { error } of [
        await theirs.list(person.id),
        await theirs.download(path),
        await theirs.createSignedUrl(path, 60),
        await theirs.createSignedUploadUrl(`${person.id}/3_cells.tsv`),
        await theirs.upload(`${person.id}/4_cells.tsv`, Buffer.from('counts')),
        await theirs.copy(path, `${person.id}/5_cells.tsv`),
        await theirs.remove([path]),
      ])
        expect(error).not.toBeNull();
      expect((await files.list(person.id)).data).toHaveLength(2);
    });

    test('a file is uploaded as by the page and downloaded unchanged', async () => {
      const path = newPath();
      const file = new File(['counts'], 'Zellen größer.h5ad');
      const { data, error } = await mine().upload(path, file, { cacheControl: '60' });
      expect(error).toBeNull();
      expect(data).toMatchObject({ path, fullPath: `${bucket}/${path}`, id: expect.any(String) });
      expect(await textAt(path)).toBe('counts');
    });

    test.each<[string, () => unknown]>([
      ['a Blob', () => new Blob(['counts'])],
      ['an ArrayBuffer', () => new TextEncoder().encode('counts').buffer],
      ['a Buffer', () => Buffer.from('counts')],
      ['a text', () => 'counts'],
      ['a stream', () => Readable.from(['cou', 'nts'])],
      [
        'a form',
        () => {
          const form = new FormData();
          form.append('', new Blob(['counts']), 'cells');
          return form;
        },
      ],
    ])('%s can be uploaded', async (_case, body) => {
      const path = newPath('tsv');
      const { error } = await mine().upload(path, body() as Blob, { duplex: 'half' });
      expect(error).toBeNull();
      expect(await textAt(path)).toBe('counts');
    });

    test('a JSON file is a file, not a request', async () => {
      const { error } = await world.service.storage.createBucket('anything');
      if (error && !/exists/.test(error.message)) throw error;
      const path = `settings-${pathCount}-${version.version}.json`;
      const uploaded = await world.service.storage
        .from('anything')
        .upload(path, Buffer.from('{"a": 1}'), { contentType: 'application/json', upsert: true });
      expect(uploaded.error).toBeNull();
      const { data } = await world.service.storage.from('anything').download(path);
      expect(await data?.text()).toBe('{"a": 1}');
      expect(data?.type).toBe('application/json');
    });

    test('metadata is stored with a file', async () => {
      const path = newPath();
      await mine().upload(path, new Blob(['counts'], { type: 'application/x-hdf5' }), {
        metadata: { lab: 'Curie' },
        cacheControl: '17',
      });
      const raw = newPath();
      await mine().upload(raw, Buffer.from('counts'), {
        metadata: { lab: 'Curie' },
        cacheControl: '17',
        contentType: 'application/x-hdf5',
      });
      for (const one of [path, raw]) {
        expect((await mine().info(one)).data).toMatchObject({
          name: one,
          bucketId: bucket,
          size: 6,
          contentType: 'application/x-hdf5',
          cacheControl: 'max-age=17',
          metadata: { lab: 'Curie' },
          etag: expect.stringMatching(/^".+"$/),
          id: expect.any(String),
          version: expect.any(String),
          lastModified: expect.any(String),
          createdAt: expect.any(String),
        });
      }
    });

    test('an existing name is refused, except with upsert', async () => {
      const path = await stored('first');
      const again = await mine().upload(path, new Blob(['second']));
      expect(again.error).toMatchObject({ status: 400, statusCode: '409' });
      expect(await textAt(path)).toBe('first');
      expect((await mine().upload(path, new Blob(['third']), { upsert: true })).error).toBeNull();
      expect(await textAt(path)).toBe('third');
      expect((await mine().update(path, new Blob(['fourth']))).error).toBeNull();
      expect(await textAt(path)).toBe('fourth');
    });

    test('removing returns the removed files only', async () => {
      const one = await stored('1');
      const two = await stored('2');
      const { data, error } = await mine().remove([one, `${owner.id}/none.h5ad`, two, 'no key at all%']);
      expect(error).toBeNull();
      expect(data?.map(({ name }) => name).sort()).toEqual([one, two].sort());
      expect((await mine().remove([one])).data).toEqual([]);
      expect((await mine().download(one)).error).toMatchObject({ status: 400 });
    });

    test('deleting a file deletes its bytes', async () => {
      const before = await world.files();
      const path = await stored('gone');
      expect(await world.files()).toHaveLength(before.length + 1);
      await mine().update(path, new Blob(['gone as well']));
      expect(await world.files()).toHaveLength(before.length + 1);
      await mine().remove([path]);
      expect(await world.files()).toEqual(before);
    });

    test('a folder lists its direct content, folders first', async () => {
      const person = await world.person('Professional');
      const files = person.client.storage.from(bucket);
      for (const name of ['b.tsv', 'a.tsv', 'c_1.tsv', 'sub/x.tsv', 'sub/y.tsv', 'sub/deep/z.tsv', 'C.mtx']) {
        await files.upload(`${person.id}/${name}`, Buffer.from(name));
      }
      const names = async (...args: Parameters<typeof files.list>) =>
        (await files.list(...args)).data?.map(({ name }) => name);
      expect(await names(person.id)).toEqual(['sub', 'C.mtx', 'a.tsv', 'b.tsv', 'c_1.tsv']);
      expect(await names(`${person.id}/`)).toHaveLength(5);
      expect(await names(`${person.id}/sub`)).toEqual(['deep', 'x.tsv', 'y.tsv']);
      expect(await names(person.id, { limit: 2, offset: 1 })).toEqual(['C.mtx', 'a.tsv']);
      expect(await names(person.id, { search: 'C' })).toEqual(['C.mtx', 'c_1.tsv']);
      expect(await names(person.id, { search: 'c_' })).toEqual(['c_1.tsv']);
      expect(await names(person.id, { search: '%' })).toEqual([]);
      expect(await names(person.id, { sortBy: { column: 'name', order: 'desc' } })).toEqual([
        'sub',
        'c_1.tsv',
        'b.tsv',
        'a.tsv',
        'C.mtx',
      ]);
      expect(
        (await names(person.id, { sortBy: { column: 'created_at', order: 'asc' } }))?.slice(0, 3),
      ).toEqual(['sub', 'b.tsv', 'a.tsv']);
      expect(await names('')).toEqual([person.id]);
      const { data } = await files.list(person.id, { search: 'a' });
      expect(data?.[0]).toMatchObject({
        id: expect.any(String),
        metadata: {
          eTag: expect.any(String),
          size: 5,
          mimetype: expect.any(String),
          cacheControl: expect.any(String),
          lastModified: expect.any(String),
          contentLength: 5,
          httpStatusCode: 200,
        },
      });
      expect((await files.list(person.id, { search: 'sub' })).data?.[0]).toMatchObject({
        name: 'sub',
        id: null,
      });
    });

    test('files with a prefix are listed in pages, also while files are added and deleted', async () => {
      const person = await world.person('Professional');
      const files = person.client.storage.from(bucket);
      const at = (name: string) => `${person.id}/${name}`;
      for (const name of ['a.tsv', 'b.tsv', 'n/c.tsv', 'n/d.tsv', 'z.tsv']) {
        await files.upload(at(name), Buffer.from(name));
      }
      const flat = { prefix: at(''), limit: 2, sortBy: { column: 'name', order: 'asc' } } as const;
      const first = await files.listV2(flat);
      expect(first.data?.objects.map(({ name }) => name)).toEqual([at('a.tsv'), at('b.tsv')]);
      expect(first.data?.hasNext).toBe(true);
      await files.remove([at('a.tsv')]);
      const second = await files.listV2({ ...flat, cursor: first.data!.nextCursor! });
      expect(second.data?.objects.map(({ name }) => name)).toEqual([at('n/c.tsv'), at('n/d.tsv')]);
      const third = await files.listV2({ ...flat, cursor: second.data!.nextCursor! });
      expect(third.data).toMatchObject({ hasNext: false, folders: [], objects: [{ name: at('z.tsv') }] });
      expect(third.data?.nextCursor).toBeUndefined();
      const folders = await files.listV2({ prefix: at(''), with_delimiter: true });
      expect(folders.data?.folders).toEqual([{ name: at('n/'), key: 'n' }]);
      expect(folders.data?.objects).toMatchObject([
        { name: at('b.tsv'), key: 'b.tsv' },
        { name: at('z.tsv'), key: 'z.tsv' },
      ]);
      const top = await files.listV2({ with_delimiter: true });
      expect(top.data?.folders).toContainEqual({ name: `${person.id}/`, key: person.id });
      const newest: string[] = [];
      let cursor: string | undefined;
      do {
        const sortBy = { column: 'created_at', order: 'desc' } as const;
        const { data } = await files.listV2({ prefix: at(''), limit: 1, sortBy, ...(cursor && { cursor }) });
        newest.push(...data!.objects.map(({ name }) => name));
        cursor = data!.nextCursor;
      } while (cursor);
      expect(newest).toEqual([at('z.tsv'), at('n/d.tsv'), at('n/c.tsv'), at('b.tsv')]);
      expect((await files.listV2({ cursor: 'bm9uc2Vuc2U' })).error).toMatchObject({ statusCode: '400' });
    });

    test('a file with too long metadata is not stored', async () => {
      const cases = [
        [
          { metadata: { notes: 'x'.repeat(16_384) } },
          'The metadata of a file can have at most 16,384 characters.',
        ],
        [
          { cacheControl: 'x'.repeat(1_001) },
          'The cacheControl of a file can have at most 1,000 characters.',
        ],
        [{ contentType: `a/${'x'.repeat(254)}` }, 'The mimetype of a file can have at most 255 characters.'],
      ] as const;
      for (const [options, limit] of cases) {
        const path = newPath();
        const body = new Blob(['x'], 'contentType' in options ? { type: options.contentType } : {});
        const { error } = await mine().upload(path, body, options);
        expect(error, limit).toMatchObject({ status: 400, message: `${limit} Shorten it.` });
        expect((await mine().exists(path)).data).toBe(false);
      }
      const fits = { metadata: { notes: 'x'.repeat(16_000) } };
      expect((await mine().upload(newPath(), new Blob(['x']), fits)).error).toBeNull();
    });

    test('a copy may have other metadata', async () => {
      const path = newPath();
      await mine().upload(path, Buffer.from('x'), { metadata: { lab: 'Curie' }, cacheControl: '60' });
      const copy = newPath();
      const answer = await fetch(`${world.server.url}/storage/v1/object/copy`, {
        method: 'POST',
        headers: {
          ...world.headers(owner),
          'content-type': 'application/json',
          'x-metadata': btoa(JSON.stringify({ lab: 'Meitner' })),
        },
        body: JSON.stringify({
          bucketId: bucket,
          sourceKey: path,
          destinationKey: copy,
          copyMetadata: false,
          metadata: { cacheControl: 'max-age=7' },
        }),
      });
      expect(answer.status).toBe(200);
      expect((await mine().info(copy)).data).toMatchObject({
        metadata: { lab: 'Meitner' },
        cacheControl: 'max-age=7',
      });
      const plain = newPath();
      await mine().copy(path, plain);
      expect((await mine().info(plain)).data).toMatchObject({
        metadata: { lab: 'Curie' },
        cacheControl: 'max-age=60',
      });
    });

    test('the existence of a file can be checked', async () => {
      const path = await stored('here');
      expect((await mine().exists(path)).data).toBe(true);
      expect((await mine().exists(`${path}x`)).data).toBe(false);
    });

    test('a file can be moved and copied', async () => {
      const path = await stored('travels');
      const moved = newPath();
      const copied = newPath();
      expect((await mine().move(path, moved)).data).toMatchObject({ message: expect.any(String) });
      expect(await textAt(path)).toBeUndefined();
      expect((await mine().copy(moved, copied)).data).toEqual({ path: `${bucket}/${copied}` });
      await mine().remove([moved]);
      expect(await textAt(copied)).toBe('travels');
      expect((await mine().move(moved, newPath())).error).toMatchObject({ statusCode: '404' });
      expect((await mine().copy(moved, newPath())).error).toMatchObject({ statusCode: '404' });
      const other = await stored('other');
      expect((await mine().move(other, copied)).error).toMatchObject({ statusCode: '409' });
      expect((await mine().copy(other, copied)).error).toMatchObject({ statusCode: '409' });
    });

    test('a signed address gives access without a key until it expires', async () => {
      const path = await stored('shared');
      const { data } = await mine().createSignedUrl(path, 60, { download: 'größer "1".h5ad' });
      const answer = await fetch(data!.signedUrl);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('shared');
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; .*filename\*=UTF-8''gr%C3%B6%C3%9Fer/,
      );
      world.server.clock.advance(61);
      const late = await fetch(data!.signedUrl);
      expect(late.status).toBe(400);
      expect(await late.json()).toMatchObject({ code: 'ExpiredToken' });
    });

    test('a signed address works for names with spaces and special characters', async () => {
      for (const name of ['two words.tsv', "it's (1) & more.tsv", 'a+b=c;d@e.tsv']) {
        const path = `${owner.id}/signed/${name}`;
        const upload = await mine().upload(path, new Blob([name]));
        expect(upload.error, name).toBeNull();
        const { data } = await mine().createSignedUrl(path, 60);
        expect(await (await fetch(data!.signedUrl)).text(), name).toBe(name);
      }
    });

    test('many addresses can be signed in one call, each with its own error', async () => {
      const path = await stored('shared');
      expect((await mine().createSignedUrl(path, 7 * 24 * 3600 + 1)).error).toMatchObject({ status: 400 });
      const { data } = await mine().createSignedUrls([path, `${owner.id}/none.h5ad`], 60);
      expect(data?.[0]).toMatchObject({ path, error: null });
      expect(await (await fetch(data![0]!.signedUrl!)).text()).toBe('shared');
      expect(data?.[1]).toMatchObject({ signedUrl: null, error: expect.any(String) });
      expect((await mine().createSignedUrl(`${owner.id}/none.h5ad`, 60)).error).toMatchObject({
        statusCode: '404',
      });
    });

    test('a signed upload address accepts one file from anybody', async () => {
      const path = newPath();
      const { data } = await mine().createSignedUploadUrl(path);
      const anyone = world.anon.storage.from(bucket);
      const uploaded = await anyone.uploadToSignedUrl(path, data!.token, new Blob(['handed over']));
      expect(uploaded.error).toBeNull();
      expect(await textAt(path)).toBe('handed over');
      expect((await mine().info(path)).data?.size).toBe(11);
      // Not twice, not for another name, and not for reading.
      expect((await anyone.uploadToSignedUrl(path, data!.token, new Blob(['x']))).error).toMatchObject({
        statusCode: '409',
      });
      expect((await anyone.uploadToSignedUrl(newPath(), data!.token, new Blob(['x']))).error).toMatchObject({
        statusCode: '400',
      });
      const read = await fetch(
        `${world.server.url}/storage/v1/object/sign/${bucket}/${path}?token=${data!.token}`,
      );
      expect(await read.json()).toMatchObject({ code: 'InvalidSignature' });
    });

    test('a signed upload address can replace a file if created with upsert', async () => {
      const path = await stored('first');
      const refused = await mine().createSignedUploadUrl(path);
      expect(refused.error).toMatchObject({ statusCode: '409' });
      const { data } = await mine().createSignedUploadUrl(path, { upsert: true });
      await world.anon.storage.from(bucket).uploadToSignedUrl(path, data!.token, new Blob(['second']));
      expect(await textAt(path)).toBe('second');
    });

    test('the secret key can create, read, change, empty and delete buckets', async () => {
      const { storage } = world.service;
      const id = `bucket-${version.version}-${opened.database.kind}`;
      expect((await storage.createBucket(id, { public: false, fileSizeLimit: '1kb' })).data).toEqual({
        name: id,
      });
      expect((await storage.createBucket(id)).error).toMatchObject({ statusCode: '409' });
      const expectedBucket = {
        id,
        name: id,
        owner: '',
        public: false,
        file_size_limit: 1000,
        allowed_mime_types: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      };
      expect((await storage.getBucket(id)).data).toEqual(expectedBucket);
      expect((await storage.listBuckets()).data).toContainEqual({ ...expectedBucket, type: 'STANDARD' });
      const files = storage.from(id);
      expect((await files.upload('large.bin', Buffer.alloc(1001))).error).toMatchObject({
        statusCode: '413',
      });
      expect((await files.upload('small.bin', Buffer.alloc(1000))).error).toBeNull();
      await storage.updateBucket(id, { public: true, fileSizeLimit: null, allowedMimeTypes: ['image/*'] });
      expect(
        (await files.upload('a.txt', Buffer.from('a'), { contentType: 'text/plain' })).error,
      ).toMatchObject({
        statusCode: '415',
      });
      expect((await files.upload('a.png', Buffer.from('a'), { contentType: 'image/png' })).error).toBeNull();
      const { publicUrl } = files.getPublicUrl('a.png').data;
      expect((await fetch(publicUrl)).headers.get('content-type')).toBe('image/png');
      await storage.updateBucket(id, { public: false });
      expect((await fetch(publicUrl)).status).toBe(400);
      expect((await storage.deleteBucket(id)).error).toMatchObject({ statusCode: '409' });
      const full = await fetch(`${world.server.url}/storage/v1/bucket/${id}`, {
        method: 'DELETE',
        headers: { apikey: world.server.keys.secretKey },
      });
      expect([full.status, await full.json()]).toEqual([
        400,
        {
          statusCode: '409',
          code: 'ResourceNotEmpty',
          error: 'ResourceNotEmpty',
          message: 'The bucket you tried to delete is not empty',
        },
      ]);
      expect((await storage.emptyBucket(id)).error).toBeNull();
      expect((await storage.deleteBucket(id)).error).toBeNull();
      expect((await storage.getBucket(id)).error).toMatchObject({ statusCode: '404' });
    });

    test('range and conditional requests work', async () => {
      const path = await stored('0123456789');
      const get = (more: Record<string, string>, method = 'GET') =>
        fetch(`${world.server.url}/storage/v1/object/${bucket}/${path}`, {
          method,
          headers: { ...world.headers(owner), ...more },
        });
      const whole = await get({});
      const etag = whole.headers.get('etag')!;
      expect(whole.headers.get('accept-ranges')).toBe('bytes');
      expect(whole.headers.get('content-length')).toBe('10');
      expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await whole.text()).toBe('0123456789');
      const part = await get({ range: 'bytes=2-4' });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        'bytes 2-4/10',
        '234',
      ]);
      const tail = await get({ range: 'bytes=-3' });
      expect([tail.status, await tail.text()]).toEqual([206, '789']);
      const past = await get({ range: 'bytes=10-' });
      expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */10']);
      expect((await get({ 'if-none-match': etag })).status).toBe(304);
      expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
      expect((await get({ 'if-modified-since': whole.headers.get('last-modified')! })).status).toBe(304);
      expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
      expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
      const head = await get({}, 'HEAD');
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    });

    test.each([
      ['letters that are not ASCII', 'größer.h5ad'],
      ['a step up', '../other.h5ad'],
      ['an encoded step up', '%2e%2e/other.h5ad'],
      ['an encoded slash and a step up', '..%2f..%2fother.h5ad'],
      ['an empty segment', 'a//b.h5ad'],
      ['a backslash', 'a%5c..%5cb.h5ad'],
      ['a NUL', 'a%00b.h5ad'],
      ['a line break', 'a%0ab.h5ad'],
      ['markup', '%3Cscript%3E.h5ad'],
      ['a thousand letters too many', `${'a'.repeat(1100)}.h5ad`],
    ])('a name with %s is refused, in every call', async (_case, name) => {
      const before = await world.files();
      const call = (method: string, path: string, body?: string, type = 'application/octet-stream') =>
        fetch(`${world.server.url}/storage/v1${path}`, {
          method,
          headers: { ...world.headers(owner), ...(body !== undefined && { 'content-type': type }) },
          ...(body !== undefined && { body }),
        });
      const answers = [
        await call('POST', `/object/${bucket}/${owner.id}/${name}`, 'bytes'),
        await call('PUT', `/object/${bucket}/${owner.id}/${name}`, 'bytes'),
        await call('GET', `/object/${bucket}/${owner.id}/${name}`),
        await call(
          'POST',
          `/object/sign/${bucket}/${owner.id}/${name}`,
          '{"expiresIn":9}',
          'application/json',
        ),
      ];
      // Fetch resolves some of them to a name that does not exist.
      for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      expect(await world.files()).toEqual(before);
    });
  });
});

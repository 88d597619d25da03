import { randomUUID } from 'node:crypto';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { type Person, type StorageWorld, storageWorld } from './storage-world.ts';

const bucket = 'user-files';

/** Result of a call: status in the body, 200 on success, or the number of affected files. */
type Outcome = number | `${number} done`;

type Who = 'owner' | 'lapsed' | 'other' | 'trial' | 'anon' | 'service';
const everyone: readonly Who[] = ['owner', 'lapsed', 'other', 'trial', 'anon', 'service'];

interface Verb {
  name: string;
  run(call: Call, file: string): Promise<Outcome>;
  expected: Readonly<Record<Who, Outcome>>;
}
type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Outcome>;

const json = (value: unknown) => JSON.stringify(value);
const beside = (file: string) => file.replace(/[^/]+$/, `${randomUUID()}.tsv`);

/** Only the owner may upload, with the required plan; and read and delete. */
const storing = { owner: 200, lapsed: 403, other: 403, trial: 403, anon: 403, service: 200 } as const;
const having = { owner: 200, lapsed: 200, other: 404, trial: 404, anon: 404, service: 200 } as const;

const verbs: Verb[] = [
  {
    name: 'upload',
    run: (call, file) => call('POST', `/object/${bucket}/${beside(file)}`, 'bytes'),
    expected: storing,
  },
  {
    name: 'upload over a file',
    run: (call, file) => call('POST', `/object/${bucket}/${file}`, 'bytes', { 'x-upsert': 'true' }),
    expected: storing,
  },
  {
    name: 'replace',
    run: (call, file) => call('PUT', `/object/${bucket}/${file}`, 'bytes'),
    expected: storing,
  },
  {
    name: 'sign an upload',
    run: (call, file) => call('POST', `/object/upload/sign/${bucket}/${beside(file)}`, {}),
    expected: storing,
  },
  {
    name: 'begin a resumable upload',
    run: (call, file) =>
      call('POST', '/upload/resumable', undefined, {
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa(beside(file))}`,
      }),
    expected: storing,
  },
  { name: 'download', run: (call, file) => call('GET', `/object/${bucket}/${file}`), expected: having },
  {
    name: 'download by the longer address',
    run: (call, file) => call('GET', `/object/authenticated/${bucket}/${file}`),
    expected: having,
  },
  {
    name: 'download as if it were public',
    run: (call, file) => call('GET', `/object/public/${bucket}/${file}`),
    expected: { owner: 404, lapsed: 404, other: 404, trial: 404, anon: 404, service: 404 },
  },
  { name: 'info', run: (call, file) => call('GET', `/object/info/${bucket}/${file}`), expected: having },
  {
    name: 'sign',
    run: (call, file) => call('POST', `/object/sign/${bucket}/${file}`, { expiresIn: 60 }),
    expected: having,
  },
  {
    name: 'sign many',
    run: (call, file) => call('POST', `/object/sign/${bucket}`, { expiresIn: 60, paths: [file] }),
    expected: {
      owner: '1 done',
      lapsed: '1 done',
      other: '0 done',
      trial: '0 done',
      anon: '0 done',
      service: '1 done',
    },
  },
  {
    name: 'list the folder',
    run: (call, file) => call('POST', `/object/list/${bucket}`, { prefix: file.split('/')[0] }),
    expected: {
      owner: '1 done',
      lapsed: '1 done',
      other: '0 done',
      trial: '0 done',
      anon: '0 done',
      service: '1 done',
    },
  },
  {
    name: 'move',
    run: (call, file) =>
      call('POST', '/object/move', { bucketId: bucket, sourceKey: file, destinationKey: beside(file) }),
    expected: { ...having, lapsed: 403 },
  },
  {
    name: 'copy',
    run: (call, file) =>
      call('POST', '/object/copy', { bucketId: bucket, sourceKey: file, destinationKey: beside(file) }),
    expected: { ...having, lapsed: 403 },
  },
  {
    name: 'remove by list',
    run: (call, file) => call('DELETE', `/object/${bucket}`, { prefixes: [file] }),
    expected: {
      owner: '1 done',
      lapsed: '1 done',
      other: '0 done',
      trial: '0 done',
      anon: '0 done',
      service: '1 done',
    },
  },
  { name: 'remove one', run: (call, file) => call('DELETE', `/object/${bucket}/${file}`), expected: having },
];

const onlyService = (refused: Outcome): Verb['expected'] => ({
  owner: refused,
  lapsed: refused,
  other: refused,
  trial: refused,
  anon: refused,
  service: 200,
});
const bucketVerbs: Verb[] = [
  {
    name: 'read the bucket',
    run: (call) => call('GET', `/bucket/${bucket}`),
    expected: onlyService(404),
  },
  {
    name: 'make a bucket',
    run: (call) => call('POST', '/bucket', { name: `made-${randomUUID()}` }),
    expected: onlyService(403),
  },
  {
    name: 'make the bucket public',
    run: (call) => call('PUT', `/bucket/${bucket}`, { public: false }),
    expected: onlyService(404),
  },
  {
    name: 'empty the bucket',
    run: (call) => call('POST', `/bucket/${bucket}/empty`),
    expected: onlyService(404),
  },
];

describe.each(databases)('access to files on the $name database', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let database: Database;
  let world: StorageWorld;
  const people = new Map<Who, Person>();
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
    world = await storageWorld(database);
    people.set('owner', await world.person('Professional'));
    people.set('other', await world.person('Professional'));
    people.set('trial', await world.person(null));
  });
  afterAll(async () => {
    await world?.close();
    await opened?.close();
  });

  const owner = () => people.get('owner')!;
  const setTier = (tier: 'Professional' | 'Standard', until: Date | null = null) =>
    database.pool.query('update public.subscriptions set tier = $2, until = $3 where user_id = $1', [
      owner().id,
      tier,
      until,
    ]);

  const headersOf = (who: Who): Record<string, string> => {
    const { publishableKey, secretKey } = world.server.keys;
    if (who === 'anon') return { apikey: publishableKey, authorization: `Bearer ${publishableKey}` };
    if (who === 'service') return { apikey: secretKey, authorization: `Bearer ${secretKey}` };
    return world.headers(people.get(who === 'lapsed' ? 'owner' : who)!);
  };
  const raw = (who: Who, method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    fetch(`${world.server.url}/storage/v1${path}`, {
      method,
      headers: {
        ...headersOf(who),
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'application/octet-stream' : 'application/json',
        }),
        ...more,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : json(body) }),
    });
  const callAs =
    (who: Who): Call =>
    async (method, path, body, more) => {
      const answer = await raw(who, method, path, body, more);
      const text = await answer.text();
      if (answer.headers.has('tus-resumable')) return answer.status === 201 ? 200 : answer.status;
      if (answer.status !== 200) return Number((JSON.parse(text) as { statusCode: string }).statusCode);
      const parsed: unknown = text.startsWith('[') ? JSON.parse(text) : undefined;
      if (!Array.isArray(parsed)) return 200;
      return `${parsed.filter((one: { signedURL?: unknown }) => one.signedURL !== null).length} done`;
    };

  let file: string;
  const prepare = async () => {
    await setTier('Professional');
    await world.service.storage.emptyBucket(bucket);
    await database.pool.query('delete from storage.uploads');
    file = `${owner().id}/1_cells.tsv`;
    const { error } = await owner().client.storage.from(bucket).upload(file, Buffer.from('bytes'));
    if (error) throw error;
  };
  beforeEach(prepare);

  test.each([...verbs, ...bucketVerbs].map((verb) => [verb.name, verb] as const))(
    '%s',
    async (_name, verb) => {
      const outcomes: Partial<Record<Who, Outcome>> = {};
      let isPrepared = true;
      for (const who of everyone) {
        if (!isPrepared) await prepare();
        await setTier('Professional', who === 'lapsed' ? new Date(Date.now() - 1000) : null);
        outcomes[who] = await verb.run(callAs(who), file);
        // What was refused has changed nothing: the next one finds the file.
        isPrepared = outcomes[who] !== 200 && outcomes[who] !== '1 done';
      }
      expect(outcomes).toEqual(verb.expected);
    },
  );

  test('the Standard plan cannot upload files', async () => {
    await setTier('Standard');
    expect(await callAs('owner')('POST', `/object/${bucket}/${beside(file)}`, 'bytes')).toBe(403);
  });

  test.each<[string, (name: string) => [string, string, unknown?, Record<string, string>?]]>([
    ['download', (name) => ['GET', `/object/${bucket}/${name}`]],
    ['head', (name) => ['HEAD', `/object/${bucket}/${name}`]],
    ['info', (name) => ['GET', `/object/info/${bucket}/${name}`]],
    ['sign', (name) => ['POST', `/object/sign/${bucket}/${name}`, { expiresIn: 5 }]],
    ['sign many', (name) => ['POST', `/object/sign/${bucket}`, { expiresIn: 5, paths: [name] }]],
    ['list', (name) => ['POST', `/object/list/${bucket}`, { prefix: name }]],
    ['list the folder', (name) => ['POST', `/object/list/${bucket}`, { prefix: name.split('/')[0] }]],
    ['remove', (name) => ['DELETE', `/object/${bucket}`, { prefixes: [name] }]],
    ['remove one', (name) => ['DELETE', `/object/${bucket}/${name}`]],
    ['upload', (name) => ['POST', `/object/${bucket}/${name}`, 'x']],
    ['upload over', (name) => ['POST', `/object/${bucket}/${name}`, 'x', { 'x-upsert': 'true' }]],
    ['replace', (name) => ['PUT', `/object/${bucket}/${name}`, 'x']],
    ['sign an upload', (name) => ['POST', `/object/upload/sign/${bucket}/${name}`, {}]],
    [
      'move away',
      (name) => ['POST', '/object/move', { bucketId: bucket, sourceKey: name, destinationKey: 'x/x.tsv' }],
    ],
    [
      'copy away',
      (name) => ['POST', '/object/copy', { bucketId: bucket, sourceKey: name, destinationKey: 'x/x.tsv' }],
    ],
  ])(
    'the response to a stranger who tries to %s does not reveal whether the file exists',
    async (_verb, request) => {
      for (const who of ['other', 'trial', 'anon'] as const) {
        const answers = [];
        for (const name of [file, `${owner().id}/2_none.tsv`]) {
          const answer = await raw(who, ...request(name));
          const body = (await answer.text()).replaceAll(name, 'NAME');
          answers.push({ status: answer.status, body });
        }
        expect(answers[0]).toEqual(answers[1]);
      }
      expect((await owner().client.storage.from(bucket).download(file)).error).toBeNull();
    },
  );

  test('a stranger cannot upload into the folder of the owner', async () => {
    const other = people.get('other')!;
    const theirs = other.client.storage.from(bucket);
    await theirs.upload(`${other.id}/mine.tsv`, Buffer.from('mine'));
    for (const destination of [file, beside(file)]) {
      expect((await theirs.move(`${other.id}/mine.tsv`, destination)).error).toMatchObject({
        statusCode: '403',
      });
      expect((await theirs.copy(`${other.id}/mine.tsv`, destination)).error).toMatchObject({
        statusCode: '403',
      });
    }
    expect(await (await owner().client.storage.from(bucket).download(file)).data?.text()).toBe('bytes');
  });

  test('no upload accepts other types of files', async () => {
    const files = owner().client.storage.from(bucket);
    for (const name of ['a.exe', 'a', '.h5ad', 'a.h5ad.html', 'h5ad', 'a.tsv/b']) {
      const bad = `${owner().id}/${name}`;
      expect((await files.upload(bad, Buffer.from('x'))).error).toMatchObject({ statusCode: '415' });
      expect((await files.createSignedUploadUrl(bad)).error).toMatchObject({ statusCode: '415' });
      expect((await files.move(file, bad)).error).toMatchObject({ statusCode: '415' });
      expect((await files.copy(file, bad)).error).toMatchObject({ statusCode: '415' });
      expect((await world.service.storage.from(bucket).upload(bad, Buffer.from('x'))).error).toMatchObject({
        statusCode: '415',
      });
      const metadata = `bucketName ${btoa(bucket)},objectName ${btoa(bad)}`;
      const begun = await raw('owner', 'POST', '/upload/resumable', undefined, {
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-metadata': metadata,
      });
      expect(begun.status).toBe(415);
      await begun.text();
    }
    for (const name of ['a.MTX', 'a.b.Tsv', 'a.H5AD']) {
      expect((await files.upload(`${owner().id}/${name}`, Buffer.from('x'))).error).toBeNull();
    }
  });

  test('the database enforces the same rules without the server', async () => {
    const claims = { sub: owner().id, role: 'authenticated' };
    const insert = (name: string, more = '') =>
      database.as({ role: 'authenticated', claims }, (client) =>
        client.query(
          `insert into storage.objects (bucket_id, name, version, metadata) values ($1, $2, $3, '{"size": 1}') ${more}`,
          [bucket, name, randomUUID()],
        ),
      );
    await insert(`${owner().id}/a.tsv`);
    for (const name of [`${owner().id}/a.exe`, `${people.get('other')!.id}/a.tsv`, 'a.tsv']) {
      await expect(insert(name)).rejects.toMatchObject({ code: '42501' });
    }
    await setTier('Standard');
    await expect(insert(`${owner().id}/b.tsv`)).rejects.toMatchObject({ code: '42501' });
    const reach = (sql: string) =>
      database
        .as({ role: 'authenticated', claims }, (client) => client.query(sql))
        .catch((error: unknown) => error);
    for (const table of ['uploads', 'dead_blobs']) {
      expect(await reach(`select * from storage.${table}`)).toMatchObject({ code: '42501' });
    }
  });

  test('deleting an account deletes its files and their bytes', async () => {
    const leaver = await world.person('Professional');
    const before = await world.files();
    await leaver.client.storage.from(bucket).upload(`${leaver.id}/a.tsv`, Buffer.from('x'));
    expect(await world.files()).toHaveLength(before.length + 1);
    await database.pool.query('delete from auth.users where id = $1', [leaver.id]);
    // The next sweep.
    await owner().client.storage.from(bucket).remove([file]);
    expect((await world.service.storage.from(bucket).list(leaver.id)).data).toEqual([]);
    expect(await world.files()).toHaveLength(before.length - 1);
  });

  const gatewayBody = { message: expect.any(String), hint: expect.any(String) };
  const refusal = {
    statusCode: '403',
    code: 'AccessDenied',
    error: 'Unauthorized',
    message: expect.any(String),
  };
  test.each<[string, Record<string, string>, number, object]>([
    ['no key', {}, 401, gatewayBody],
    ['an unknown key', { apikey: 'sb_publishable_other' }, 401, gatewayBody],
    ['a broken token alone', { authorization: 'Bearer a.b.c' }, 400, refusal],
    ['a broken token', { apikey: 'KEY', authorization: 'Bearer a.b.c' }, 400, refusal],
  ])('%s is refused', async (_case, headers, status, body) => {
    const { publishableKey } = world.server.keys;
    const requestHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', publishableKey)]),
    );
    for (const path of [`/object/${bucket}/${file}`, '/bucket', `/object/info/${bucket}/${file}`]) {
      const answer = await fetch(`${world.server.url}/storage/v1${path}`, { headers: requestHeaders });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual(body);
    }
  });

  test('clients without an API key are identified by their bearer token', async () => {
    const read = (bearer: string) =>
      fetch(`${world.server.url}/storage/v1/object/${bucket}/${file}`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
    expect((await read(owner().token)).status).toBe(200);
    expect((await read(world.server.keys.secretKey)).status).toBe(200);
    expect((await read(people.get('other')!.token)).status).toBe(400);
    expect((await read(world.server.keys.publishableKey)).status).toBe(400);
  });
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { blobKeyOf } from '@cellfolio/platform';
import { expect, test } from 'vitest';
import { openFiles } from './open-stores.ts';
import { readSettings } from './settings/read-settings.ts';
import { InvalidSettings } from './settings/setting-types.ts';

interface S3Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const load = createRequire(import.meta.url);
const S3rver = load('@20minutes/s3rver') as new (options: Record<string, unknown>) => S3Server;

test('an S3 store has both datasets and the files of users', async () => {
  const url = 's3://key:secret@s3.example.org/bucket/prefix';
  const settings = readSettings({ OBJECT_STORE_URL: url, DATA_DIR: '/srv/cells', OBJECT_CACHE_MB: '10' });
  expect(settings.filesUrl).toBe(url);
  expect(settings.objects).toEqual({
    kind: 's3',
    bucket: 'bucket',
    prefix: 'prefix/',
    endpoint: 'https://s3.example.org',
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    forcePathStyle: true,
    cacheFolder: resolve('/srv/cells/cache/objects'),
    cacheBytes: 10 * 1024 * 1024,
    stagingFolder: resolve('/srv/cells/objects'),
  });
  const files = await openFiles(settings);
  expect(files.constructor.name).toBe('S3BlobStore');
  await files.close();
});

test('without one, files of users are beside the datasets', async () => {
  const settings = readSettings({ OBJECT_STORE_URL: 'file:///srv/objects' });
  expect(settings.objects).toEqual({ kind: 'file', root: '/srv/objects' });
  expect(settings).not.toHaveProperty('filesUrl');
  expect((await openFiles(settings)).constructor.name).toBe('FileBlobStore');
});

test.each([
  ['s3://bucket', 'the bucket after the host is missing'],
  ['s3://key:geheim@host/bucket?mode=x', 'it has an unknown parameter "mode"'],
  ['s3://key@host/bucket', 'it has a key without a secret'],
  ['s3:///bucket', 'without a host it needs a region'],
])('an invalid address is refused with the name of its setting: %s', (url, reason) => {
  const open = () => openFiles(readSettings({ OBJECT_STORE_URL: url }));
  expect(open).toThrow(InvalidSettings);
  expect(open).toThrow(`OBJECT_STORE_URL: ${reason}`);
  expect(open).not.toThrow('geheim');
});

test('objects are in the S3 store only, not on the disk', async () => {
  const [store, dataDir] = await Promise.all(
    ['s3', 'data'].map((name) => mkdtemp(join(tmpdir(), `cellfolio-${name}-`))),
  );
  const s3 = new S3rver({
    directory: store,
    silent: true,
    port: 0,
    address: '127.0.0.1',
    vhostBuckets: false,
    configureBuckets: [{ name: 'cells', configs: [] }],
  });
  const { port } = await s3.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  const url = `s3://S3RVER:S3RVER@127.0.0.1/cells/lab?endpoint=${endpoint}`;
  const settings = readSettings({ OBJECT_STORE_URL: url, DATA_DIR: dataDir! });
  const files = await openFiles(settings);
  try {
    const key = blobKeyOf('ab12');
    const body = (async function* () {
      yield Buffer.from('bytes of a user');
    })();
    await files.put(key, body, { maxBytes: 100 });
    const storedPaths = await readdir(store!, { recursive: true });
    expect(storedPaths.some((path) => path.startsWith(`cells/lab/${key}`))).toBe(true);
    expect(await readdir(dataDir!)).toEqual([]);
    const pieces = await (await files.get(key)).toArray();
    expect(Buffer.concat(pieces).toString()).toBe('bytes of a user');
  } finally {
    await files.close();
    await s3.close();
    await Promise.all([store, dataDir].map((path) => rm(path!, { recursive: true, force: true })));
  }
});

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from './environment.ts';
import { InvalidSettings } from './invalid-settings.ts';
import { openFiles } from './open-files.ts';

test('an S3 store takes the files of users, and datasets stay in the data folder', async () => {
  const url = 's3://key:secret@s3.example.org/bucket/prefix';
  const settings = readSettings({ OBJECT_STORE_URL: url, DATA_DIR: '/srv/cells' });
  expect(settings).toMatchObject({ filesUrl: url, objectRoot: resolve('/srv/cells/objects') });
  const files = openFiles(settings);
  expect(files.constructor.name).toBe('S3BlobStore');
  await files.close();
});

test('without one, files of users are beside the datasets', () => {
  const settings = readSettings({ OBJECT_STORE_URL: 'file:///srv/objects' });
  expect(settings).toMatchObject({ objectRoot: '/srv/objects' });
  expect(settings).not.toHaveProperty('filesUrl');
  expect(openFiles(settings).constructor.name).toBe('FileBlobStore');
});

test.each([
  ['s3://bucket', 'the bucket after the host is missing'],
  ['s3://key:geheim@host/bucket?mode=x', 'it has a setting "mode" that is not known'],
  ['s3://key@host/bucket', 'it has a key without a secret'],
  ['s3:///bucket', 'without a host it needs a region'],
])('an address that cannot be used is refused by the name of its setting: %s', (url, reason) => {
  const open = () => openFiles(readSettings({ OBJECT_STORE_URL: url }));
  expect(open).toThrow(InvalidSettings);
  expect(open).toThrow(`OBJECT_STORE_URL: ${reason}`);
  expect(open).not.toThrow('geheim');
});

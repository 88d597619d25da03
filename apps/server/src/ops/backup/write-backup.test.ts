import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BackupSource, writeBackup } from './write-backup.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const failing = (error: Error): BackupSource =>
  ({
    database: new Proxy(
      {},
      {
        get: () => {
          throw error;
        },
      },
    ),
    dataDir: folder,
  }) as BackupSource;

const write = (error: Error) =>
  writeBackup(failing(error), join(folder, 'new'), () => {}, new AbortController().signal);

test('without disk space a backup fails with advice and leaves no files', async () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const failed = new Error('The blob store failed at "files/04/0".', { cause: full });
  await expect(write(failed)).rejects.toMatchObject({
    name: 'BackupFailed',
    message: expect.stringMatching(/disk space for the backup in .*Free space or choose another folder/),
    cause: failed,
  });
  expect(await readdir(folder)).toEqual([]);
});

test('other errors of a backup are passed on', async () => {
  const failed = new Error('away', { cause: new Error('connection lost') });
  await expect(write(failed)).rejects.toBe(failed);
});

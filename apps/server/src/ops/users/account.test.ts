import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { customDatasetId } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../boot/settings/read-settings.ts';
import { prepareOwners } from '../../testing/own-files.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import type { CommandContext } from '../command.ts';
import { deleteUser, exportUser } from './account.ts';

let dataDir: string;
let database: Database;
let dataset: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-account-'));
  await copyTestDatabase(dataDir);
  const fileId = await prepareOwners(dataDir, async ({ database: opened, addUser, addFile }) => {
    const ada = await addUser('ada', 'Professional');
    await addUser('ben', undefined);
    const id = await addFile(ada, 'cells.h5ad');
    await opened.pool.query('insert into cellfolio.custom_datasets (file_id) values ($1)', [id]);
    return id;
  });
  await writeTinyDataset(join(dataDir, 'objects'), customDatasetId(fileId));
  dataset = join(dataDir, 'objects', 'custom-datasets', fileId);
  database = await openDatabase({ dataDir });
});
afterAll(async () => {
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const texts: string[] = [];
const context = (): CommandContext => ({
  settings: readSettings({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }),
  terminal: {
    json: false,
    result: (_value, text) => void texts.push(text()),
    progress: () => ({ update: () => {}, stop: () => {} }),
  },
  signal: new AbortController().signal,
});

test('an operator takes the data of a user along, never over a file that is there, then deletes the user', async () => {
  const to = join(dataDir, 'ada.zip');
  const take = () => exportUser({ email: ' Ada@example.org', to }, database, context());
  await take();
  const zip = await readFile(to);
  expect(zip.includes('profile.json') && zip.includes('ada@example.org')).toBe(true);
  expect(zip.includes('ben@example.org')).toBe(false);
  expect((await stat(to)).mode & 0o077).toBe(0);
  await expect(take()).rejects.toMatchObject({ exitCode: 5 });
  expect(await readFile(to)).toEqual(zip);

  await expect(deleteUser('nobody@example.org', database, context())).rejects.toMatchObject({ exitCode: 4 });
  expect((await stat(dataset)).isDirectory()).toBe(true);
  await deleteUser('ada@example.org', database, context());
  await expect(stat(dataset)).rejects.toThrow('ENOENT');
  const { rows } = await database.pool.query('select email from auth.users');
  expect(rows).toEqual([{ email: 'ben@example.org' }]);
  await expect(take()).rejects.toMatchObject({ exitCode: 4 });
  expect(texts).toEqual([
    expect.stringMatching(/ada\.zip: all data of ada@example\.org, [\d.]+ KB\.$/),
    'ada@example.org and all their data are deleted.',
  ]);
});

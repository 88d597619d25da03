import { createHash } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackupDamaged, type BackupEntry, listName, readList, writeList } from './backup-list.ts';
import { lastMigration, migrate, openDatabase } from '@cellfolio/platform';
import { paths } from '../../boot/paths.ts';
import { readSettings } from '../../boot/settings/read-settings.ts';
import { runBackup, runRestore } from './backup-and-restore.ts';
import { checkBackup } from './restore-backup.ts';
import { countsOfOwners, lastBeforeOwners, rowsBeforeOwners } from '../../testing/rows-before-owners.ts';

const files: Readonly<Record<string, string>> = {
  'database.jsonl': '{"cellfolioDump":1}\n',
  'files/ab/ab12': 'bytes of a user',
  'objects/datasets/small.h5ad/manifest.json': '{}',
  'objects/datasets/small.h5ad/empty': '',
};
let folder: string;
let good: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-backup-'));
  good = join(folder, 'good');
  await writeFiles(good, files);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function writeFiles(target: string, contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), text);
  }
  await writeList(target, { writtenAt: '2026-01-01T00:00:00.000Z', entries: entriesOf(contents) });
}

function entriesOf(contents: Readonly<Record<string, string>>): BackupEntry[] {
  return Object.entries(contents).map(([path, text]) => ({
    path,
    size: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
}

const check = (source: string) => checkBackup(source, () => {}, new AbortController().signal);

let copyCount = 0;
async function spoilt(spoil: (copy: string) => Promise<unknown>): Promise<string> {
  const copy = join(folder, `copy ${(copyCount += 1)}`);
  await cp(good, copy, { recursive: true });
  await spoil(copy);
  return copy;
}

test('an intact backup passes, and every byte of it is read', async () => {
  const stages: [string, number, number][] = [];
  const onStage = (...stage: [string, number, number]) => void stages.push(stage);
  const { entries, writtenAt } = await checkBackup(good, onStage, new AbortController().signal);
  expect(writtenAt).toBe('2026-01-01T00:00:00.000Z');
  expect(entries.map(({ path }) => path)).toEqual(Object.keys(files));
  const total = Object.values(files).join('').length;
  expect(stages.at(-1)).toEqual(['checking every byte', total, total]);
});

test.each<[string, (copy: string) => Promise<unknown>, RegExp, string | undefined]>([
  ['has no list', (copy) => rm(join(copy, listName)), /backup\.jsonl is missing/, undefined],
  [
    'has a list that is cut off',
    (copy) => truncate(join(copy, listName), 150),
    /truncated or was changed/,
    listName,
  ],
  [
    'lacks the last line of its list',
    async (copy) => {
      const text = await readFile(join(copy, listName), 'utf8');
      await writeFile(join(copy, listName), text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
    },
    /truncated or was changed/,
    listName,
  ],
  ['has an empty list', (copy) => truncate(join(copy, listName), 0), /truncated or was changed/, listName],
  [
    'has a list with another size in it',
    async (copy) => {
      const text = await readFile(join(copy, listName), 'utf8');
      await writeFile(join(copy, listName), text.replace('"size":15', '"size":16'));
    },
    /truncated or was changed/,
    listName,
  ],
  ['lacks a file', (copy) => rm(join(copy, 'files/ab/ab12')), /files\/ab\/ab12 is missing/, 'files/ab/ab12'],
  [
    'has a file that is cut off',
    (copy) => truncate(join(copy, 'files/ab/ab12'), 3),
    /files\/ab\/ab12 is corrupt \(3 of 15 bytes\)/,
    'files/ab/ab12',
  ],
  [
    'has a file with another byte in it',
    (copy) => writeFile(join(copy, 'files/ab/ab12'), 'bytes of a uſer'.slice(0, 14) + 'x'),
    /is corrupt/,
    'files/ab/ab12',
  ],
  [
    'has a file that has grown',
    (copy) => appendFile(join(copy, 'database.jsonl'), '{}'),
    /is corrupt/,
    'database.jsonl',
  ],
])('a backup that %s is refused', async (_case, spoil, message, part) => {
  const copy = await spoilt(spoil);
  const refusal = await check(copy).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(BackupDamaged);
  expect(refusal).toMatchObject({ message: expect.stringMatching(message), folder: copy });
  expect((refusal as BackupDamaged).part).toBe(part);
});

test.each(['../outside', '/etc/passwd', 'files/../../outside', 'files//x', 'a\\b', '..', './x'])(
  'a list with the path %j is refused',
  async (path) => {
    const copy = join(folder, `named ${(copyCount += 1)}`);
    await mkdir(copy);
    await writeList(copy, { writtenAt: '', entries: [{ path, size: 0, sha256: '' }] });
    await expect(check(copy)).rejects.toThrow(/lists a file outside its folder/);
  },
);

test('a backup without rows is refused, as is another folder, a file or a missing path', async () => {
  const rowless = join(folder, 'rowless');
  const { 'database.jsonl': _rows, ...others } = files;
  await writeFiles(rowless, others);
  await expect(check(rowless)).rejects.toThrow(/there is no database\.jsonl/);
  await expect(check(folder)).rejects.toThrow(BackupDamaged);
  await expect(check(join(good, listName))).rejects.toThrow(BackupDamaged);
  await expect(check(join(folder, 'nowhere'))).rejects.toThrow(BackupDamaged);
});

test('a list of another version is refused', async () => {
  const copy = await spoilt(async (path) => {
    await rm(join(path, listName));
    const lines = '{"cellfolioBackup":2}\n';
    const sha256 = createHash('sha256').update(lines).digest('hex');
    await writeFile(join(path, listName), `${lines}${JSON.stringify({ files: 0, sha256 })}\n`);
  });
  await expect(readList(copy)).rejects.toThrow(/another version of this program/);
});

test('the check can be cancelled', async () => {
  const interrupted = AbortSignal.abort(new DOMException('Interrupted', 'AbortError'));
  await expect(checkBackup(good, () => {}, interrupted)).rejects.toThrow('Interrupted');
});

const beforeDocuments = '20260101001040_follow_ups_in_code.sql';
const user = '0d9f1a52-5a3c-4f0e-9f64-0a4b1c6d7e8f';
const mine = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const numbers = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';
/** Rows of users in the tables of before there was one for all kinds. */
const earlierRows = [
  `insert into auth.users (id, email) values ('${user}', 'ada@example.org')`,
  `insert into cellfolio.gene_lists (user_id, name, genes, revision) values ('${user}', 'B “cells”', '{CD79A,"MS4A1"}', 4)`,
  `insert into cellfolio.annotations (id, user_id, dataset_id, name, revision, last_revision, numbers) values
     ('${mine}', '${user}', 'd', 'mine', 2, 3, false), ('${numbers}', '${user}', 'd', 'score', 1, 1, true)`,
  `insert into cellfolio.annotation_revisions (annotation_id, revision, version, words, cells, groups, unlabelled, codes) values
     ('${mine}', 1, 'v1', 'Begun', 0, '[]', 3, '\\x00'),
     ('${mine}', 2, 'v1', 'Labeled', 2, '[{"name": "B", "color": "#112233", "cells": 2}]', 1, '\\x0102'),
     ('${numbers}', 1, 'v1', 'A score', 3, '[]', 0, '\\x03')`,
  `insert into cellfolio.category_displays (user_id, dataset_id, column_name, revision, categories) values
     ('${user}', 'd', 'cell_type', 1, '[{"name": "B"}]'), ('${user}', 'd', 'cell_type', 2, null)`,
  `insert into cellfolio.links (id, user_id, address, labels) values
     ('abcdefghijkm', '${user}', '/explorer?dataset=d', '[{"id": "${mine}", "name": "mine", "revision": 2}]')`,
  `insert into cellfolio.link_labels (link_id, annotation_id, name, version, words, groups, unlabelled, codes)
     values ('abcdefghijkm', '${mine}', 'mine', 'v1', 'Came', '[]', 1, '\\x0102')`,
];

const settingsOf = (name: string) => readSettings({ DATA_DIR: join(folder, name) });
const terminal = { json: false, result: () => {}, progress: () => ({ update: () => {}, stop: () => {} }) };
const { signal } = new AbortController();

/** Backs up a database of an earlier version with these rows, and restores it into a new one. */
async function restoredFrom(name: string, until: string, statements: readonly string[]) {
  const old = await openDatabase({ dataDir: join(folder, `${name} old`) });
  await migrate(old, paths.migrations, { until });
  for (const statement of statements) await old.pool.query(statement);
  await old.close();
  const backup = join(folder, `${name} backup`);
  await runBackup(backup, { settings: settingsOf(`${name} old`), terminal, signal });
  await runRestore(backup, { settings: settingsOf(name), terminal, signal });
  return { backup, restored: await openDatabase({ dataDir: join(folder, name) }) };
}

test('a backup of an earlier version brings lists, labels, displays and links into the tables of today', async () => {
  const { backup, restored } = await restoredFrom('documents', beforeDocuments, earlierRows);
  expect((await lastMigration(restored, paths.migrations))! > beforeDocuments).toBe(true);
  const { rows } = await restored.pool.query(
    `select d.kind, d.dataset_id, d.name, d.revision, d.last_revision, r.revision as state, r.body,
       encode(r.bytes, 'hex') as bytes
     from cellfolio.user_documents d join cellfolio.user_document_revisions r on r.document_id = d.id
     where d.owner_id = '${user}' order by d.kind, d.name, r.revision`,
  );
  const { rows: shared } = await restored.pool.query(
    `select link_id, annotation_id, name, body ->> 'words' as words, encode(bytes, 'hex') as bytes
     from cellfolio.shared_labels`,
  );
  await restored.close();
  const ofLabels = { numbers: false, version: 'v1' };
  const labels = { kind: 'annotation', dataset_id: 'd', name: 'mine', revision: 2, last_revision: 3 };
  const display = { kind: 'display', dataset_id: 'd', name: 'cell_type', revision: 2, last_revision: 2 };
  expect(rows).toMatchObject([
    { ...labels, state: 1, body: { ...ofLabels, words: 'Begun', groups: [], unlabelled: 3 }, bytes: '00' },
    { ...labels, state: 2, body: { ...ofLabels, cells: 2, groups: [{ name: 'B' }] }, bytes: '0102' },
    { kind: 'annotation', name: 'score', body: { numbers: true, words: 'A score', cells: 3 }, bytes: '03' },
    { ...display, state: 1, body: { categories: [{ name: 'B' }] } },
    { ...display, state: 2, body: null },
    { kind: 'gene-list', dataset_id: '', name: 'B “cells”', state: 4, body: { genes: ['CD79A', 'MS4A1'] } },
    { kind: 'link', state: 1, body: { address: '/explorer?dataset=d', labels: [{ id: mine, revision: 2 }] } },
  ]);
  expect(shared).toEqual([
    { link_id: 'abcdefghijkm', annotation_id: mine, name: 'mine', words: 'Came', bytes: '0102' },
  ]);
  await expect(runRestore(backup, { settings: settingsOf('documents'), terminal, signal })).rejects.toThrow(
    /of a later version than the backup/,
  );
});

test('a backup of before there were owners gives what users had to owners, and so does one of today', async () => {
  const { restored } = await restoredFrom('owners', lastBeforeOwners, rowsBeforeOwners);
  const counts = await countsOfOwners(restored);
  expect(counts).toMatchObject({ owners: 2, plans: 1, files: 1, documents: 1, customers: 1, paid: 1 });
  await restored.close();
  const again = join(folder, 'owners again');
  await runBackup(again, { settings: settingsOf('owners'), terminal, signal });
  await runRestore(again, { settings: settingsOf('owners twice'), terminal, signal });
  const twice = await openDatabase({ dataDir: join(folder, 'owners twice') });
  expect(await countsOfOwners(twice)).toEqual(counts);
  await twice.pool.query(`insert into auth.users (id) values ('00000000-0000-4000-8000-000000000009')`);
  expect(await countsOfOwners(twice)).toEqual({ ...counts, owners: 3 });
  await twice.close();
});

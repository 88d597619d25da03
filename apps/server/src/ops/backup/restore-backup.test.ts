import { createHash } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackupDamaged, type BackupEntry, listName, readList, writeList } from './backup-list.ts';
import { checkBackup } from './restore-backup.ts';

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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSamplesTable } from './samples-table.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-samples-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function table(text: string | Buffer): Promise<string> {
  const path = join(folder, 'samples.csv');
  await writeFile(path, text);
  return path;
}

test.each([
  ['commas', 'sample,file,condition\nS1,a.h5ad,well\nS2,/data/b,"ill, acute"\n'],
  ['tabs', '\uFEFFsample\tfile\tcondition\r\nS1\ta.h5ad\twell\r\n\r\nS2\t/data/b\till, acute\r\n'],
])('a table with %s gives samples, their files beside it, and further columns', async (_, text) => {
  const { lines, columns } = await readSamplesTable(await table(text));
  expect(columns).toEqual(['condition']);
  expect(lines).toEqual([
    { sample: 'S1', source: join(folder, 'a.h5ad'), values: new Map([['condition', 'well']]) },
    { sample: 'S2', source: '/data/b', values: new Map([['condition', 'ill, acute']]) },
  ]);
});

test('an address is taken as it is, and a missing value stays empty', async () => {
  const { lines } = await readSamplesTable(
    await table('file,sample,patient\nhttps://example.org/a.h5ad,A,\nb.h5ad,B,P2\n'),
  );
  expect(lines[0]).toEqual({
    sample: 'A',
    source: 'https://example.org/a.h5ad',
    values: new Map([['patient', '']]),
  });
});

test.each([
  ['without files', 'sample,path\nA,a\nB,b\n', "has no column 'file'; its columns are sample, path"],
  ['of one sample', 'sample,file\nA,a\n', 'lists 1 samples, and two are needed'],
  ['that repeats a sample', 'sample,file\nA,a\nA,b\n', "line 3 repeats the sample 'A'"],
  ['with a line without a file', 'sample,file\nA,a\nB,\n', 'line 3 has no file'],
  ['that repeats a title', 'sample,file,x,x\nA,a,1,2\nB,b,1,2\n', "the column 'x' twice"],
  ['with a column that processing writes', 'sample,file,leiden\nA,a,1\nB,b,2\n', 'cannot be called'],
  [
    'that is not UTF-8',
    Buffer.from('sample,file\nA,a\nM\u{fc}ller,b\n', 'latin1'),
    'line 3 is not UTF-8; save',
  ],
  ['with a quote that does not end', 'sample,file\nA,"a\nB,b\n', 'it cannot be read'],
])('a table %s is refused with its name and what is wrong', async (_, text, message) => {
  const path = await table(text);
  const refused = readSamplesTable(path);
  await expect(refused).rejects.toMatchObject({ name: 'CommandFailure', exitCode: 3 });
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toThrow(path);
});

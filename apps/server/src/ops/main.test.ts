import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakePublisher, startPublisher } from '../features/gene-sets/testing/fake-publisher.ts';

/**
 * Tests the program as a process: its streams, exit codes and signals. The commands are tested in
 * `command-line.test.ts`.
 */

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const sets = 'A\t\tCDK1\tPLK1\t\nB\t\tCDK1\tBAX\t\n';
let dataDir: string;
let publisher: FakePublisher;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-program-'));
  publisher = await startPublisher(new Map([['KEGG_2021_Human', sets]]));
});

afterAll(async () => {
  await publisher.close();
  await rm(dataDir, { recursive: true, force: true });
});

function start(...words: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir, GENE_SET_URL: publisher.base };
  const child = spawn(process.execPath, [main, ...words], { env });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

test('results go to standard output, errors to standard error, each with its exit code', async () => {
  const pulled = await start('genesets', 'pull', 'KEGG_2021_Human').ended;
  expect(pulled).toMatchObject({
    code: 0,
    out: expect.stringMatching(/KEGG_2021_Human +fetched +2 +3\n/),
  });
  expect(pulled.err).not.toContain('fetched  ');
  const refused = await start('genesets', 'remove', 'nothing').ended;
  expect(refused).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringMatching(/^cellfolio: .*nothing.*\n$/),
  });
});

test('an interrupted pull keeps stored libraries and leaves no partial file', async () => {
  const library = join(dataDir, 'objects/gene-sets/KEGG_2021_Human');
  const before = await readdir(library);
  expect(before).toHaveLength(2);
  const downloadStarted = new Promise<void>((done) =>
    publisher.answerNext((response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write(sets, () => done());
    }),
  );
  const { child, ended } = start('genesets', 'pull', 'KEGG_2021_Human');
  await downloadStarted;
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted') });
  expect(await readdir(library)).toEqual(before);
});

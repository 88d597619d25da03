import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from './index.ts';
import { fixtureCatalogue } from './testing/hdf5-fixtures.ts';

const source = join(import.meta.dirname, '../fixtures/late-fraction.h5ad');
const catalogue = fixtureCatalogue('Faults');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function disturbed(name: string, stage: string, disturb: (path: string) => void): Promise<unknown> {
  const path = join(folder, `${name}.h5ad`);
  copyFileSync(source, path);
  let done = false;
  const onProgress = (progress: { stage: string }) => {
    if (done || progress.stage !== stage) return;
    done = true;
    disturb(path);
  };
  const root = join(folder, name);
  const columns = { expression: 'log1p' } as const;
  const work = importH5ad({ path, root, id: 'x', catalogue, columns, memoryBudget: 2 ** 21, onProgress });
  const outcome: unknown = await work.then(
    () => 'imported',
    (error: unknown) => error,
  );
  expect(done).toBe(true);
  expect(readdirSync(join(root, 'incoming'))).toEqual([]);
  expect(existsSync(join(root, 'datasets', 'x'))).toBe(false);
  return outcome;
}

test.each(['read', 'write', 'tables'])(
  'a file that vanishes during %s is reported, nothing is left',
  async (stage) => {
    const outcome = await disturbed(`vanished-${stage}`, stage, (path) => rmSync(path));
    expect(outcome).toMatchObject({ name: 'H5adError', code: 'vanished' });
  },
);

test('a file that is cut while it is read is reported, nothing is left', async () => {
  const outcome = await disturbed('cut', 'read', (path) => truncateSync(path, 60_000));
  expect(outcome).toMatchObject({ name: 'H5adError', code: 'vanished' });
});

test('an aborted import throws the reason and leaves nothing', async () => {
  const reason = new Error('the client went');
  const controller = new AbortController();
  const root = join(folder, 'aborted');
  const work = importH5ad({
    path: source,
    root,
    id: 'x',
    catalogue,
    columns: { expression: 'log1p' },
    memoryBudget: 2 ** 21,
    signal: controller.signal,
    onProgress: ({ stage }) => stage === 'write' && controller.abort(reason),
  });
  await expect(work).rejects.toBe(reason);
  expect(readdirSync(join(root, 'incoming'))).toEqual([]);
});

test('a full disk is reported, nothing is left', async (context) => {
  const root = join(folder, 'full');
  mkdirSync(root);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', root], { stdio: 'ignore' });
  } catch {
    console.warn('SKIPPED: a full disk can only be tried where a small file system may be mounted');
    context.skip();
  }
  try {
    const work = importH5ad({ path: source, root, id: 'x', catalogue, memoryBudget: 2 ** 21 });
    await expect(work).rejects.toThrow(/full|space/i);
    expect(readdirSync(join(root, 'incoming'))).toEqual([]);
  } finally {
    execFileSync('umount', [root]);
  }
});

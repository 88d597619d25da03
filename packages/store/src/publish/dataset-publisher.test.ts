import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import { expect, test } from 'vitest';
import { incomingPath, sweepIncoming } from './dataset-publisher.ts';

async function leftover(root: string, change: (parts: string[]) => string[], role?: 'old' | 'removed') {
  const parts = basename(incomingPath(root, 'd', role)).split('~');
  const path = join(root, 'incoming', change(parts).join('~'));
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'zarr.json'), '{}');
  return path;
}

const byDead = ([id, host, , start, ...rest]: string[]) => [id!, host!, '4194305', start!, ...rest];
const byEarlier = ([id, host, pid, , ...rest]: string[]) => [id!, host!, pid!, '0a0b0c0d-1', ...rest];
const elsewhere = ([id, , ...rest]: string[]) => [id!, 'ffffffff', ...rest];

const names = (root: string) => readdir(join(root, 'incoming'));

test('what a running writer is filling stays, what a dead one left goes', async () => {
  const root = await temporaryRoot();
  const mine = await leftover(root, (parts) => parts);
  await leftover(root, byDead);
  await sweepIncoming(root);
  expect(await names(root)).toEqual([basename(mine)]);
});

test.runIf(process.platform === 'linux')(
  'a later process with the number of the dead one does not protect it',
  async () => {
    const root = await temporaryRoot();
    await leftover(root, byEarlier);
    await sweepIncoming(root);
    expect(await names(root)).toEqual([]);
  },
);

test('what another machine writes goes only a day after its last change', async () => {
  const root = await temporaryRoot();
  const fresh = await leftover(root, elsewhere);
  const stale = await leftover(root, elsewhere);
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000);
  for (const path of [join(stale, 'zarr.json'), stale]) await utimes(path, twoDaysAgo, twoDaysAgo);
  await sweepIncoming(root);
  expect(await names(root)).toEqual([basename(fresh)]);
});

test('a dataset whose replacement died between the two moves is put back', async () => {
  const root = await temporaryRoot();
  await mkdir(join(root, 'datasets'));
  await leftover(root, byDead, 'old');
  await sweepIncoming(root);
  expect([await readdir(join(root, 'datasets', 'd')), await names(root)]).toEqual([['zarr.json'], []]);
});

test('a replaced dataset whose successor is in place, and a removed one, do not come back', async () => {
  const root = await temporaryRoot();
  const whole = await leftover(root, (parts) => parts);
  await mkdir(join(root, 'datasets'));
  await leftover(root, byDead, 'removed');
  await sweepIncoming(root);
  expect(await readdir(join(root, 'datasets'))).toEqual([]);
  await rename(whole, join(root, 'datasets', 'd'));
  await leftover(root, byDead, 'old');
  await sweepIncoming(root);
  expect([await readdir(join(root, 'datasets')), await names(root)]).toEqual([['d'], []]);
});

test('files that no writer made are left alone', async () => {
  const root = await temporaryRoot();
  await mkdir(join(root, 'incoming', 'notes'), { recursive: true });
  await sweepIncoming(root);
  expect(await names(root)).toEqual(['notes']);
});

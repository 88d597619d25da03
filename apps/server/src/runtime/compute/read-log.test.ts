import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReadLog } from './read-log.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-reads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('reads of one task are counted, and kept where that is asked', async () => {
  const log = new ReadLog();
  const objects = log.before(new FileObjectStore(folder));
  await objects.put('a', Buffer.from('0123456789'));
  log.begin(true);
  expect(Buffer.from(await objects.get('a', { range: { offset: 2, length: 3 } })).toString()).toBe('234');
  await objects.get('a');
  expect(await objects.head('a')).toMatchObject({ size: 10 });
  const { count, bytes, kept } = log.taken();
  expect({ count, bytes }).toEqual({ count: 2, bytes: 13 });
  expect(kept.map((read) => [read.key, read.bytes])).toEqual([
    ['a', 3],
    ['a', 10],
  ]);
  expect(kept.every(({ startedAt, endedAt }) => startedAt <= endedAt)).toBe(true);
  log.begin(false);
  await objects.get('a');
  expect(log.taken()).toEqual({ count: 1, bytes: 10, kept: [] });
  await objects.close();
});

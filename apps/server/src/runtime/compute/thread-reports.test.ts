import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CacheUse, FileObjectStore } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReadLog, ThreadReports } from './thread-reports.ts';

const use = (hits: number, bytes: number): CacheUse => ({ hits, misses: 1, evictions: 0, bytes, limit: 100 });

test('the last report of each thread counts, also after the thread has ended', () => {
  const reports = new ThreadReports();
  reports.add({ id: 1, expression: use(5, 50), objects: undefined });
  reports.add({ id: 2, expression: use(1, 10), objects: undefined });
  reports.add({ id: 2, expression: use(2, 20), objects: undefined });
  const counted = (alive: number[]) => reports.caches(new Set(alive), undefined);
  const both = { hits: 7, misses: 2, evictions: 0 };
  expect(counted([1, 2])).toEqual([['expression', { ...both, bytes: 70, limit: 200 }]]);
  expect(counted([2])).toEqual([['expression', { ...both, bytes: 20, limit: 100 }]]);
  expect(counted([2])).toEqual([['expression', { ...both, bytes: 20, limit: 100 }]]);
});

test('the shared disk cache is counted once: with the largest size that a thread knows', () => {
  const reports = new ThreadReports();
  reports.add({ id: 1, expression: use(0, 0), objects: use(1, Number.NaN) });
  reports.add({ id: 2, expression: use(0, 0), objects: use(2, 40) });
  const [, objects] = reports.caches(new Set([1, 2]), use(3, 30));
  expect(objects).toEqual(['objects', { hits: 6, misses: 3, evictions: 0, bytes: 40, limit: 100 }]);
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-reads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the reads of one task are counted, and recorded on request', async () => {
  const log = new ReadLog();
  const objects = log.wrap(new FileObjectStore(folder));
  await objects.put('a', Buffer.from('0123456789'));
  log.begin(true);
  expect(Buffer.from(await objects.get('a', { range: { offset: 2, length: 3 } })).toString()).toBe('234');
  await objects.get('a');
  expect(await objects.head('a')).toMatchObject({ size: 10 });
  const { count, bytes, firstReads } = log.reads;
  expect({ count, bytes }).toEqual({ count: 2, bytes: 13 });
  expect(firstReads.map((read) => [read.key, read.bytes])).toEqual([
    ['a', 3],
    ['a', 10],
  ]);
  expect(firstReads.every(({ startedAt, endedAt }) => startedAt <= endedAt)).toBe(true);
  log.begin(false);
  await objects.get('a');
  expect(log.reads).toEqual({ count: 1, bytes: 10, firstReads: [] });
  await objects.close();
});

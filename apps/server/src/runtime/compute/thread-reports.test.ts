import type { CacheUse } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { ThreadReports } from './thread-reports.ts';

const use = (hits: number, bytes: number): CacheUse => ({ hits, misses: 1, evictions: 0, bytes, limit: 100 });

test('of threads the last report counts, and what one that is gone has counted stays', () => {
  const reports = new ThreadReports();
  reports.add({ id: 1, expression: use(5, 50), objects: undefined });
  reports.add({ id: 2, expression: use(1, 10), objects: undefined });
  reports.add({ id: 2, expression: use(2, 20), objects: undefined });
  const counted = (here: number[]) => reports.caches(new Set(here), undefined);
  const both = { hits: 7, misses: 2, evictions: 0 };
  expect(counted([1, 2])).toEqual([['expression', { ...both, bytes: 70, limit: 200 }]]);
  expect(counted([2])).toEqual([['expression', { ...both, bytes: 20, limit: 100 }]]);
  expect(counted([2])).toEqual([['expression', { ...both, bytes: 20, limit: 100 }]]);
});

test('the folder on the disk is one, whatever its users know of it', () => {
  const reports = new ThreadReports();
  reports.add({ id: 1, expression: use(0, 0), objects: use(1, Number.NaN) });
  reports.add({ id: 2, expression: use(0, 0), objects: use(2, 40) });
  const [, objects] = reports.caches(new Set([1, 2]), use(3, 30));
  expect(objects).toEqual(['objects', { hits: 6, misses: 3, evictions: 0, bytes: 40, limit: 100 }]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/test-databases.ts';
import { countingQueries } from '../../counting-queries.ts';
import { SigningKeys } from './signing-keys.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.pool.query('delete from auth.signing_keys');
});

const hour = 3_600_000;

test('processes that start at once on an empty database agree on one key', async () => {
  const kids = await Promise.all(
    Array.from({ length: 4 }, async () => (await new SigningKeys(database).current()).kid),
  );
  expect(new Set(kids).size).toBe(1);
  const { rows } = await database.pool.query('select kid from auth.signing_keys');
  expect(rows).toEqual([{ kid: kids[0] }]);
});

test('a retired key is published until the last token it signed has expired', async () => {
  let now = Date.now();
  const keys = new SigningKeys(database, () => now);
  const first = (await keys.current()).kid;
  const second = await keys.rotate(3600);
  expect((await keys.current()).kid).toBe(second);
  now += hour;
  expect((await keys.published()).map(({ kid }) => kid)).toEqual([second, first]);
  expect(await keys.verifyingKey(first)).toBeDefined();
  now += hour;
  expect((await keys.published()).map(({ kid }) => kid)).toEqual([second]);
  expect(await keys.verifyingKey(first)).toBeUndefined();
  await keys.rotate(3600);
  const { rows } = await database.pool.query('select 1 from auth.signing_keys');
  expect(rows).toHaveLength(2);
});

test('a key that another process made is found at its first use', async () => {
  let now = Date.now();
  const [ours, theirs] = [new SigningKeys(database, () => now), new SigningKeys(database, () => now)];
  await ours.current();
  const kid = await theirs.rotate(3600);
  now += 6_000;
  expect(await ours.verifyingKey(kid)).toBeDefined();
  expect((await ours.current()).kid).toBe(kid);
});

test('a thousand tokens with invented key ids cost at most one query in five seconds', async () => {
  let now = Date.now();
  const counted = countingQueries(database);
  const keys = new SigningKeys(counted.database, () => now);
  await keys.current();
  now += 6_000;
  const before = counted.queries();
  await Promise.all(Array.from({ length: 1000 }, (_, index) => keys.verifyingKey(`invented-${index}`)));
  expect(counted.queries() - before).toBe(1);
});

test('published keys cannot sign', async () => {
  const [key] = await new SigningKeys(database).published();
  expect(key).toBeDefined();
  expect(key).not.toHaveProperty('d');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestEmbedded, slowMs } from '../database/test-databases.ts';
import { type Library, openLibrary } from './testing/open-library.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary(openTestEmbedded, { visitorWrites: 3 });
}, slowMs);
afterAll(() => library?.close());

test('a visitor leaves three messages and has to wait; reading, and a signed-in user, is not counted', async () => {
  const body = { name: 'n', email: 'e', message: 'm' };
  const leave = (as: string) => library.call('POST', '/contact_submissions', { as, body });
  for (let time = 0; time < 3; time += 1) expect(await leave('nobody')).toMatchObject({ status: 201 });
  const refused = await leave('nobody');
  expect(refused).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit', details: null } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await library.call('GET', '/books?limit=1', { as: 'nobody' })).toMatchObject({ status: 200 });
  expect(await leave('ada')).toMatchObject({ status: 201 });
  const { rows } = await library.database.pool.query('select 1 from public.contact_submissions');
  expect(rows).toHaveLength(4);
});

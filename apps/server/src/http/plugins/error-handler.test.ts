import fastify from 'fastify';
import { expect, test } from 'vitest';
import { ObjectStoreFailed } from '@cellfolio/store';
import { handleError } from './error-handler.ts';

const inside = 'could not extend file "base/16384/17001": No space left on device';

test.each([
  ['the database', Object.assign(new Error(inside), { code: '53100' })],
  ['a file', Object.assign(new Error('ENOSPC: no space left on device, write /data/x'), { code: 'ENOSPC' })],
  [
    'the object store',
    new ObjectStoreFailed('datasets/x', 1, { cause: Object.assign(new Error(inside), { code: 'ENOSPC' }) }),
  ],
])('a disk that is full is told as one, with nothing of the inside: %s', async (_case, error) => {
  const app = fastify();
  app.setErrorHandler(handleError);
  app.get('/', async () => {
    throw error;
  });
  const { statusCode, headers, body } = await app.inject({ url: '/' });
  expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([
    507,
    '30',
    expect.objectContaining({ code: 'disk_full' }),
  ]);
  expect(body).not.toMatch(/extend|base\/|device|\/data|datasets/);
  await app.close();
});

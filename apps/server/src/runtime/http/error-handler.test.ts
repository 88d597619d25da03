import { NotAdmitted } from '@cellfolio/platform';
import fastify from 'fastify';
import { ObjectStoreFailed } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { ComputeFailure } from '../compute/compute-pool.ts';
import { handleError } from './error-handler.ts';

test.each([
  [new ComputeFailure('TookTooLong', 'It took too long.'), 504, 'took_too_long', undefined],
  [new ComputeFailure('OutOfMemory', 'It needed too much.'), 503, 'out_of_memory', '30'],
  [new ComputeFailure('ObjectStoreFailed', 'at "secret/key"'), 503, 'store_unavailable', '30'],
  [new ObjectStoreFailed('secret/key', 4, { cause: 1 }), 503, 'store_unavailable', '30'],
  [new NotAdmitted('user', 'Too many.', 2), 429, 'too_many_calls', '2'],
  [new NotAdmitted('server', 'Busy.', 5), 503, 'busy', '5'],
  [new ComputeFailure('TypeError', 'x is not a function'), 500, 'internal_error', undefined],
])('the response to a failure has its status and Retry-After: %s', async (error, ...expected) => {
  const app = fastify();
  app.setErrorHandler(handleError);
  app.get('/', async () => {
    throw error;
  });
  const { statusCode, headers, body } = await app.inject('/');
  const { code, message } = JSON.parse(body) as { code: string; message: string };
  expect([statusCode, code, headers['retry-after']]).toEqual(expected);
  expect(message).not.toMatch(/secret|not a function/);
});

const inside = 'could not extend file "base/16384/17001": No space left on device';

test.each([
  ['the database', Object.assign(new Error(inside), { code: '53100' })],
  ['a file', Object.assign(new Error('ENOSPC: no space left on device, write /data/x'), { code: 'ENOSPC' })],
  [
    'the object store',
    new ObjectStoreFailed('datasets/x', 1, { cause: Object.assign(new Error(inside), { code: 'ENOSPC' }) }),
  ],
])('a full disk is reported without internal details: %s', async (_case, error) => {
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

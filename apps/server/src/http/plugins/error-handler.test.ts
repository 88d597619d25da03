import { NotAdmitted } from '@cellfolio/platform';
import fastify from 'fastify';
import { ObjectStoreFailed } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { ComputeFailure } from '../../compute/compute-pool.ts';
import { handleError } from './error-handler.ts';

test.each([
  [new ComputeFailure('TookTooLong', 'It took too long.'), 504, 'took_too_long', undefined],
  [new ComputeFailure('OutOfMemory', 'It needed too much.'), 503, 'out_of_memory', '30'],
  [new ComputeFailure('ObjectStoreFailed', 'at "secret/key"'), 503, 'store_unavailable', '30'],
  [new ObjectStoreFailed('secret/key', 4, { cause: 1 }), 503, 'store_unavailable', '30'],
  [new NotAdmitted('user', 'Too many.', 2), 429, 'too_many_calls', '2'],
  [new NotAdmitted('server', 'Busy.', 5), 503, 'busy', '5'],
  [new ComputeFailure('TypeError', 'x is not a function'), 500, 'internal_error', undefined],
])(
  'what a call could not be done for is told with its status, and when to come again: %s',
  async (error, ...told) => {
    const app = fastify();
    app.setErrorHandler(handleError);
    app.get('/', async () => {
      throw error;
    });
    const { statusCode, headers, body } = await app.inject('/');
    const { code, message } = JSON.parse(body) as { code: string; message: string };
    expect([statusCode, code, headers['retry-after']]).toEqual(told);
    expect(message).not.toMatch(/secret|not a function/);
  },
);

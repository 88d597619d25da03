import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { EngineError, TransactionAbortedError } from '../database/errors.ts';
import { databaseRefusal } from './rest-error.ts';

function refused(code: string): DatabaseError {
  return Object.assign(new DatabaseError('no', 1, 'error'), { code });
}

test.each([
  ['22P02', 400],
  ['23502', 400],
  ['23514', 400],
  ['42703', 400],
  ['21000', 400],
  ['23505', 409],
  ['23503', 409],
  ['42P01', 404],
  ['42883', 404],
  ['25006', 405],
  ['54001', 413],
  ['53100', 507],
  ['53200', 503],
  ['53300', 503],
  ['58030', 500],
  ['XX000', 500],
  ['08006', 503],
  ['57014', 500],
  ['57P02', 503],
  ['40001', 503],
  ['P0001', 400],
  ['PT418', 418],
  ['PT999', 400],
])('the SQLSTATE %s is status %i', (code, status) => {
  expect(databaseRefusal(refused(code), { anonymous: true })).toMatchObject({ code, status });
});

test('a value that is too long is reported with its limit', () => {
  const long = Object.assign(refused('23514'), { constraint: 'title takes 2,000 characters at most' });
  expect(databaseRefusal(long, { anonymous: false })).toMatchObject({
    status: 400,
    hint: 'Shorten it: title takes 2,000 characters at most.',
  });
  const other = Object.assign(refused('23514'), { constraint: 'generated_images_image_type_check' });
  expect(databaseRefusal(other, { anonymous: false })?.hint).toBeNull();
});

test.each(['08006', '53100', '53200', '57P02', '58030', 'F0000', 'XX000'])(
  'an error inside the database (%s) is reported without its files and settings',
  (code) => {
    const inside = 'could not extend file "base/16384/17001": No space left on device';
    const error = Object.assign(new DatabaseError(inside, 1, 'error'), {
      code,
      detail: inside,
      hint: 'Check free disk space in /var/lib.',
    });
    const { message, details, hint } = databaseRefusal(error, { anonymous: false })!;
    expect(JSON.stringify([message, details, hint])).not.toMatch(/extend|base\/|device|free|\/var/);
  },
);

test('a missing grant answers 401 or 403, depending on the caller', () => {
  expect(databaseRefusal(refused('42501'), { anonymous: true })?.status).toBe(401);
  expect(databaseRefusal(refused('42501'), { anonymous: false })?.status).toBe(403);
});

test('an unreachable database answers 503 with Retry-After', () => {
  const outages = [
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new EngineError('The embedded database is not running.'),
  ];
  for (const outage of outages) {
    const answer = databaseRefusal(outage, { anonymous: true });
    expect(answer).toMatchObject({ status: 503, code: 'PGRST001', headers: { 'retry-after': '1' } });
    // Internal addresses must not leak.
    expect(JSON.stringify([answer?.message, answer?.details, answer?.hint])).not.toMatch(/127\.0|5432/);
  }
});

test('an internal error is not reported as a database error', () => {
  expect(databaseRefusal(new TypeError('x'), { anonymous: true })).toBeUndefined();
  expect(databaseRefusal(new TransactionAbortedError(), { anonymous: true })).toBeUndefined();
});

import { expect, test } from 'vitest';
import { ObjectNotFound, ObjectStoreFailed, StoreWriteFailed } from '../errors.ts';
import { isStoreUnavailable } from './retries.ts';

const answered = (httpStatusCode: number): Error =>
  Object.assign(new Error('said'), { $metadata: { httpStatusCode } });
const ofSystem = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ['503', answered(503)],
  ['500', answered(500)],
  ['429', answered(429)],
  ['an answer that broke off', answered(200)],
  ['a connection that is refused', ofSystem('ECONNREFUSED')],
  ['a connection that broke', ofSystem('ECONNRESET')],
  ['a body that broke off', ofSystem('ERR_STREAM_PREMATURE_CLOSE')],
])('a store that answers with %s is unavailable', (_case, cause) => {
  expect(isStoreUnavailable(new ObjectStoreFailed('files/a', 4, { cause }))).toBe(true);
  const written = new StoreWriteFailed('files/a', { cause: new ObjectStoreFailed('files/a', 4, { cause }) });
  expect(isStoreUnavailable(written)).toBe(true);
});

test.each([
  ['keys that are refused', new StoreWriteFailed('files/a', { cause: answered(403) })],
  ['a bucket that is not there', new StoreWriteFailed('files/a', { cause: answered(404) })],
  ['a folder without the right to write', new StoreWriteFailed('files/a', { cause: ofSystem('EACCES') })],
  ['a mistake of ours', new StoreWriteFailed('files/a', { cause: new TypeError('no') })],
  ['a blob that is not there', new ObjectNotFound('files/a', { cause: answered(503) })],
])('%s will not pass by waiting', (_case, error) => {
  expect(isStoreUnavailable(error)).toBe(false);
});

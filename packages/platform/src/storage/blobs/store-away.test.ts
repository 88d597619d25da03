import { expect, test } from 'vitest';
import { BlobNotFound, BlobStoreFailed } from './blob-errors.ts';
import { isStoreAway } from './store-away.ts';

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
])('a store that answers with %s is away', (_case, cause) => {
  expect(isStoreAway(new BlobStoreFailed('files/a', { cause }))).toBe(true);
});

test.each([
  ['keys that are refused', new BlobStoreFailed('files/a', { cause: answered(403) })],
  ['a bucket that is not there', new BlobStoreFailed('files/a', { cause: answered(404) })],
  ['a folder without the right to write', new BlobStoreFailed('files/a', { cause: ofSystem('EACCES') })],
  ['a mistake of ours', new BlobStoreFailed('files/a', { cause: new TypeError('no') })],
  ['a blob that is not there', new BlobNotFound('files/a', { cause: answered(503) })],
])('%s will not pass by waiting', (_case, error) => {
  expect(isStoreAway(error)).toBe(false);
});

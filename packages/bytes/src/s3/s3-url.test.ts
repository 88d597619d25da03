import { expect, test } from 'vitest';
import { openBlobStore } from '../open-stores.ts';
import { minPartBytesFor, partBytesFor } from './multipart-upload.ts';
import { parseS3Url } from './s3-url.ts';

test('an address names the server, the bucket, the prefix and the key', () => {
  expect(parseS3Url('s3://KEY:SE%2FCRET@s3.example.org/cells/some/where')).toEqual({
    bucket: 'cells',
    prefix: 'some/where/',
    endpoint: 'https://s3.example.org',
    region: 'us-east-1',
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'SE/CRET' },
    forcePathStyle: true,
  });
  expect(
    parseS3Url('s3://K:S@127.0.0.1/cells?endpoint=http%3A%2F%2F127.0.0.1%3A9000%2F&region=eu-west-1'),
  ).toMatchObject({ endpoint: 'http://127.0.0.1:9000', region: 'eu-west-1', prefix: '' });
});

test('on AWS the region is enough, and the machine may know who it is', () => {
  expect(parseS3Url('s3:///cells?region=eu-central-1')).toEqual({
    bucket: 'cells',
    prefix: '',
    endpoint: undefined,
    region: 'eu-central-1',
    credentials: undefined,
    forcePathStyle: false,
  });
});

test.each([
  ['nonsense', 's3:\\\\', /not|missing/],
  ['no bucket', 's3://K:TOPSECRET@host', /bucket/],
  ['an impossible bucket', 's3://K:TOPSECRET@host/a_b', /bucket/],
  ['a space in the prefix', 's3://K:TOPSECRET@host/cells/a%20b', /prefix/],
  ['a key without a secret', 's3://K@host/cells', /secret/],
  ['an unknown setting', 's3://K:TOPSECRET@host/cells?regoin=x', /regoin/],
  ['an endpoint that is none', 's3://K:TOPSECRET@host/cells?endpoint=ftp://a', /endpoint/],
  [
    'a bucket in place of the host',
    's3://K:TOPSECRET@cells/objects?endpoint=http://s3:8333',
    /"cells".*"s3"/,
  ],
  ['no region and no host', 's3:///cells', /region/],
  ['an unknown style', 's3://K:TOPSECRET@host/cells?style=free', /style/],
  ['a broken encoding', 's3://K:TOPSECRET%@host/cells', /encoded|URL/],
])('an address with %s is refused, and its secret not repeated', (_case, url, reason) => {
  expect(() => parseS3Url(url)).toThrow(reason);
  expect(() => parseS3Url(url)).toThrow(/^(?!.*TOPSECRET).*$/);
});

test.each(['http://host/cells', '/data', ''])('the store at %j is refused', async (url) => {
  await expect(openBlobStore(url)).rejects.toThrow(/file:|s3:/);
});

test('parts are small enough for memory and few enough for S3, up to its largest object', () => {
  const MiB = 1024 ** 2;
  for (const length of [0, 1, 10 ** 9, 200 * 10 ** 9, 5 * 1024 ** 4]) {
    expect(partBytesFor(length)).toBeGreaterThanOrEqual(8 * MiB);
    expect(minPartBytesFor(length)).toBeGreaterThanOrEqual(5 * MiB);
    expect(minPartBytesFor(length)).toBeLessThanOrEqual(partBytesFor(length));
    expect(length / minPartBytesFor(length)).toBeLessThan(10_000);
  }
  expect(partBytesFor(200 * 10 ** 9)).toBeLessThan(24 * MiB);
});

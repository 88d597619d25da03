import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { absoluteUrl } from './tus-protocol.ts';

const at = (headers: Record<string, string>, trustProxy: boolean, encrypted = false) =>
  absoluteUrl(
    { headers, socket: { encrypted } } as unknown as Pick<IncomingMessage, 'headers' | 'socket'>,
    '/storage/v1/upload/resumable/id',
    { publicUrl: 'https://cells.example.org/platform', trustProxy },
  );
const path = '/platform/storage/v1/upload/resumable/id';
const forwarded = { 'x-forwarded-host': 'other.example.org', 'x-forwarded-proto': 'https' };

test.each([
  ['the public host, which is https', { host: 'cells.example.org' }, false, 'https://cells.example.org'],
  ['another name of the machine', { host: '10.0.0.7:3000' }, false, 'http://10.0.0.7:3000'],
  ['an untrusted proxy', { host: '10.0.0.7:3000', ...forwarded }, false, 'http://10.0.0.7:3000'],
  ['a trusted proxy', { host: '10.0.0.7:3000', ...forwarded }, true, 'https://other.example.org'],
  ['two trusted proxies', { host: 'x', 'x-forwarded-host': 'a.org, b.org' }, true, 'http://a.org'],
  ['a host that is none', { host: 'evil.org/?' }, false, 'https://cells.example.org'],
  ['no host at all', {}, false, 'https://cells.example.org'],
])('reached by %s, an upload is there', (_case, headers, trustProxy, origin) => {
  expect(at(headers as Record<string, string>, trustProxy)).toBe(origin + path);
});

test('an encrypted connection makes an encrypted address', () => {
  expect(at({ host: 'a.org' }, false, true)).toBe(`https://a.org${path}`);
});

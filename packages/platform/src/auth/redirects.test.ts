import { expect, test } from 'vitest';
import { allowedTarget } from './redirects.ts';

const site = 'https://cells.example.org';

test.each([
  [site, 'https://cells.example.org/dataset-selector', 'https://cells.example.org/dataset-selector'],
  [site, 'https://cells.example.org.evil.net/', site],
  [site, 'http://cells.example.org/', site],
  [site, 'https://cells.example.org:8443/', site],
  [site, 'https://user@cells.example.org/', site],
  [site, 'https://evil.net/#https://cells.example.org', site],
  [site, '//evil.net', site],
  [site, 'javascript:alert(1)', site],
  [site, 'not an address', site],
  [site, '', site],
  [site, undefined, site],
  ['http://127.0.0.1:3000', 'http://localhost:5173/explorer', 'http://localhost:5173/explorer'],
  ['http://127.0.0.1:3000', 'http://192.0.2.1:3000/', 'http://127.0.0.1:3000'],
])('from %s a link to %s leads to %s', (siteUrl, requested, expected) => {
  expect(allowedTarget(siteUrl, requested)).toBe(expected);
});

test.each([
  [['https://*.example.net/**'], 'https://lab.example.net/a/b?c=d#e', true],
  [['https://*.example.net/**'], 'https://a.lab.example.net/', false],
  [['https://*.example.net/*'], 'https://lab.example.net/a/b', false],
  [['https://*.example.net/*'], 'https://lab.example.net/a', true],
  [['https://example.net'], 'https://example.net/', true],
  [['https://example.net'], 'https://example.net.evil.org/', false],
  [['https://example.net'], 'https://exampleXnet/', false],
  [['https://example.net/?'], 'https://example.net/a', true],
  [['https://example.net/(a+)+$'], 'https://example.net/aaaa', false],
  [['**'], 'javascript:alert(1)', false],
  [['**'], 'data:text/html,hello', false],
  [['https://example.net/**'], 'https://user:word@example.net/', false],
  [['lab-app://callback'], 'lab-app://callback', true],
  [['https://example.net/**'], `https://example.net/${'a'.repeat(3_000)}`, false],
])('with the list %j a link to %s is allowed: %s', (list, requested, allowed) => {
  expect(allowedTarget(site, requested, list) !== site).toBe(allowed);
});

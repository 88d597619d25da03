import { expect, test } from 'vitest';
import { allowedTarget } from './redirect-target.ts';

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
])('from %s a link to %s leads to %s', (siteUrl, asked, expected) => {
  expect(allowedTarget(siteUrl, asked)).toBe(expected);
});

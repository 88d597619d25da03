import { expect, test } from 'vitest';
import { nextPage } from './next-page.ts';

test('sign-in goes on to pages of the tool, with all that their address says', () => {
  const requestedPath = '/explorer?dataset=a.h5ad&view=gene-umap%3ACD3D#top';
  expect(nextPage(requestedPath)).toEqual({ address: requestedPath, name: 'the explorer' });
  expect(nextPage('/account')).toEqual({ address: '/account', name: 'your account' });
  expect(nextPage('/l/4Hq2mZt8WcXa')).toEqual({
    address: '/l/4Hq2mZt8WcXa',
    name: 'the view that the link leads to',
  });
});

test.each([
  'https://elsewhere.example/explorer',
  '//elsewhere.example/explorer',
  '/\\elsewhere.example/explorer',
  'javascript:alert(1)',
  '/auth',
  '/explorer/../admin',
  '/l/../admin',
  '/l/a/b',
  '/l/',
  'http://',
  '',
  null,
  undefined,
  { pathname: '/explorer' },
])('it goes on nowhere else: %j', (requestedPath) => {
  expect(nextPage(requestedPath)).toBeNull();
});

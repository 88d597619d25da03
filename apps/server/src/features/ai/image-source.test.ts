import { expect, test } from 'vitest';
import { imageOf, maxImageBytes, ownPath } from './image-source.ts';
import type { ServerFigures } from './image-source.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]);
const webp = Buffer.from('RIFF\0\0\0\0WEBP');
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const origins = ['https://cells.example.org', 'http://127.0.0.1:3000'];
const deps = { serverFigures: undefined, origins, signal: new AbortController().signal };

test.each([
  ['image/png', 'image/png', png],
  ['image/jpeg', 'image/jpeg', jpeg],
  ['IMAGE/JPG', 'image/jpeg', jpeg],
  ['image/webp', 'image/webp', webp],
])('a data URL of %s is its bytes', async (type, mediaType, bytes) => {
  const image = await imageOf(dataUrl(type, bytes), deps);
  expect(image.mediaType).toBe(mediaType);
  expect(Buffer.from(image.bytes).equals(bytes)).toBe(true);
});

test.each([
  ['of another kind', dataUrl('image/gif', Buffer.from('GIF89a'))],
  ['of an image that can run', dataUrl('image/svg+xml', Buffer.from('<svg/>'))],
  ['of text that calls itself an image', dataUrl('image/png', Buffer.from('<script>'))],
  ['of one kind that calls itself another', dataUrl('image/webp', png)],
  ['without base64', 'data:image/png,%89PNG'],
  ['with something else than base64', 'data:image/png;base64,iVBORw0KGgo#'],
  ['of nothing', 'data:image/png;base64,'],
  ['without a comma', 'data:image/png;base64'],
  ['with a head without end', `data:image/png;${'a=b;'.repeat(10_000)}base64,iVBORw0KGgo=`],
])('a data URL %s is refused', async (_case, url) => {
  await expect(imageOf(url, deps)).rejects.toMatchObject({ status: 400, code: 'not_an_image' });
});

test('a picture may have its limit and no more', async () => {
  const full = Buffer.alloc(maxImageBytes);
  png.copy(full);
  await expect(imageOf(dataUrl('image/png', full), deps)).resolves.toMatchObject({
    mediaType: 'image/png',
  });
  const over = Buffer.concat([full, Buffer.alloc(3)]);
  await expect(imageOf(dataUrl('image/png', over), deps)).rejects.toMatchObject({ status: 413 });
});

test.each([
  ['/api/datasets/a%20b.h5ad/umap.png?version=2#x', '/api/datasets/a%20b.h5ad/umap.png'],
  ['https://cells.example.org/api/x', '/api/x'],
  ['HTTPS://CELLS.example.org/api/x', '/api/x'],
  ['http://127.0.0.1:3000/api/x', '/api/x'],
  ['/a/../../api/x', '/api/x'],
])('%s is an address of ours', (address, path) => {
  expect(ownPath(address, origins)).toBe(path);
});

const foreign = [
  '//evil.example/x.png',
  '/\\evil.example/x.png',
  '\\\\evil.example\\x.png',
  '/\t/evil.example/x.png',
  'https://evil.example/api/x',
  'https://cells.example.org.evil.example/x',
  'https://cells.example.org@evil.example/x',
  'https://evil.example@cells.example.org/x',
  'https://cells.example.org:8443/x',
  'http://cells.example.org/x',
  'http://169.254.169.254/latest/meta-data',
  'http://localhost:3000/x',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'ftp://cells.example.org/x',
  'blob:https://cells.example.org/1',
  'javascript:alert(1)',
  'https:/cells.example.org/x',
  ' https://cells.example.org/x',
  'https://cells.example.org/x\n',
  'api/x',
  '',
];

test.each(foreign)('%j is no address of ours', (address) => {
  expect(ownPath(address, origins)).toBeUndefined();
});

test('addresses of other sites are refused without a request to them', async () => {
  const requestedPaths: string[] = [];
  const serverFigures: ServerFigures = {
    imageAt: async (path) => {
      requestedPaths.push(path);
      return path === '/api/known' ? { bytes: png, mediaType: 'image/png' } : undefined;
    },
    specOf: async () => undefined,
  };
  for (const address of [...foreign, '/etc/passwd']) {
    await expect(imageOf(address, { ...deps, serverFigures })).rejects.toMatchObject({
      status: 400,
      code: 'image_not_ours',
    });
  }
  expect(requestedPaths).toEqual(['/etc/passwd']);
  expect(await imageOf('/api/known', { ...deps, serverFigures })).toMatchObject({
    mediaType: 'image/png',
  });
});

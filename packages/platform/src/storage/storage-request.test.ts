import { expect, test } from 'vitest';
import { checkBucketName, checkObjectKey, folderOf } from './storage-request.ts';

test.each(['a', 'a/b.tsv', "A_0!-.*'() &$@=;:+,?/x", '.hidden', 'a/...', `${'a'.repeat(1024)}`])(
  'the name %j is taken as it is',
  (name) => {
    expect(checkObjectKey(name)).toBe(name);
  },
);

test.each([
  '',
  '/',
  '/a',
  'a/',
  'a//b',
  '.',
  '..',
  'a/./b',
  'a/../b',
  'ä',
  'a\\b',
  'a\nb',
  'a\0b',
  'a"b',
  '<a>',
  'a%b',
  'a#b',
  'a'.repeat(1025),
])('the name %j is refused', (name) => {
  expect(() => checkObjectKey(name)).toThrow(expect.objectContaining({ code: 'InvalidKey', status: 400 }));
});

test.each(['', ' a', 'a ', 'a/b', '..', 'ä', 'a'.repeat(101)])('the bucket name %j is refused', (name) => {
  expect(() => checkBucketName(name)).toThrow(expect.objectContaining({ code: 'InvalidBucketName' }));
});

test('the folder of a name is its first segment, and that of a bare name none', () => {
  expect([folderOf('u/a/b'), folderOf('u/a'), folderOf('a')]).toEqual(['u', 'u', '']);
});

import { expect, test } from 'vitest';
import { parseRange, attachment } from './download.ts';

test.each([
  ['bytes=0-4', 10, { offset: 0, length: 5 }],
  ['bytes=3-', 10, { offset: 3, length: 7 }],
  ['bytes=-3', 10, { offset: 7, length: 3 }],
  ['bytes=-30', 10, { offset: 0, length: 10 }],
  ['bytes=9-99', 10, { offset: 9, length: 1 }],
  ['Bytes=0-0', 10, { offset: 0, length: 1 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=99999999999999999999-', 10, 'unsatisfiable'],
  ['bytes=5-2', 10, undefined],
  ['bytes=0-1,4-5', 10, undefined],
  ['bytes=-', 10, undefined],
  ['items=0-1', 10, undefined],
  ['bytes=a-b', 10, undefined],
  [undefined, 10, undefined],
] as const)('%s of %i bytes requests %o', (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});

test.each([
  ['cells.h5ad', `attachment; filename="cells.h5ad"; filename*=UTF-8''cells.h5ad`],
  ['', 'attachment'],
  ['größer.tsv', `attachment; filename="gr__er.tsv"; filename*=UTF-8''gr%C3%B6%C3%9Fer.tsv`],
  ['a"b;c.tsv', `attachment; filename="a'b;c.tsv"; filename*=UTF-8''a%22b%3Bc.tsv`],
  ["it's (1).tsv", `attachment; filename="it's (1).tsv"; filename*=UTF-8''it%27s%20%281%29.tsv`],
  ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
  ['a\r\nset-cookie: b', `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a__set-cookie%3A%20b`],
  ['cells_\u202evst.exe', `attachment; filename="cells__vst.exe"; filename*=UTF-8''cells__vst.exe`],
  ['\ud800.tsv', `attachment; filename="_.tsv"; filename*=UTF-8''%EF%BF%BD.tsv`],
])('the name %j is encoded safely', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test('a long name is cut between characters', () => {
  expect(attachment('💥'.repeat(1000))).toContain(`filename*=UTF-8''${'%F0%9F%92%A5'.repeat(200)}`);
});

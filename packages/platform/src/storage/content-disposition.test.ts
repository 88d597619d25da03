import { expect, test } from 'vitest';
import { attachment } from './content-disposition.ts';

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
])('the name %j is said safely', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test('an endless name is cut between characters', () => {
  expect(attachment('💥'.repeat(1000))).toContain(`filename*=UTF-8''${'%F0%9F%92%A5'.repeat(200)}`);
});

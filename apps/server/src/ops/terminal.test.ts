import { expect, test } from 'vitest';
import { alignColumns, printable } from './terminal.ts';

test('columns are aligned, without trailing spaces', () => {
  expect(
    alignColumns([
      ['a', 'one', 'x'],
      ['long', 'β', ''],
    ]),
  ).toBe('a     one  x\nlong  β');
});

test('control characters in untrusted text are replaced', () => {
  expect(printable('T cell\u001b[2J\u0007')).toBe('T cell�[2J�');
});

import { expect, test } from 'vitest';
import { alignColumns, printable } from './terminal.ts';

test('columns line up and nothing trails', () => {
  expect(
    alignColumns([
      ['a', 'one', 'x'],
      ['long', 'β', ''],
    ]),
  ).toBe('a     one  x\nlong  β');
});

test('control characters of a stranger do not reach the terminal', () => {
  expect(printable('T cell\u001b[2J\u0007')).toBe('T cell�[2J�');
});

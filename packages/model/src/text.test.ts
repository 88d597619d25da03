import { expect, test } from 'vitest';
import {
  boundedNames,
  countText,
  cutText,
  isSystemFile,
  isUtf16,
  listedNames,
  maxNameLength,
  quotedHead,
} from './text.ts';

const million = 1_000_000;

test('a text that fits is not touched, a longer one ends in an ellipsis', () => {
  expect(cutText('B cell')).toBe('B cell');
  expect(cutText('x'.repeat(maxNameLength))).toBe('x'.repeat(maxNameLength));
  expect(cutText('x'.repeat(million))).toBe(`${'x'.repeat(maxNameLength - 1)}…`);
  expect(cutText('', 3)).toBe('');
});

test.each([
  ['a surrogate pair', '𝕏'],
  ['a letter with its accents', 'e\u0301\u0323'],
  ['a joined emoji', '👩‍👩‍👧'],
  ['a flag', '🇩🇪'],
])('%s at the cut is kept or dropped whole', (_, grapheme) => {
  for (let before = maxNameLength - 20; before <= maxNameLength; before++) {
    const cut = cutText(`${'x'.repeat(before)}${grapheme.repeat(300)}`);
    expect(cut.length).toBeLessThanOrEqual(maxNameLength);
    expect(cut.isWellFormed()).toBe(true);
    const rest = cut.slice(before, -1);
    expect(rest).toBe(grapheme.repeat(rest.length / grapheme.length));
  }
});

test('accents without end are cut all the same', () => {
  const cut = cutText(`e${'\u0301'.repeat(million)}`);
  expect(cut.length).toBeLessThanOrEqual(maxNameLength);
  expect(cut.length).toBeGreaterThan(maxNameLength - 10);
});

test('names that differ in their last character only stay different, and the same one stays the same', () => {
  const long = (end: string) => `${'x'.repeat(million)}${end}`;
  const names = [long('a'), 'short', long('b'), long('a'), long('c')];
  const shown = boundedNames(names);
  expect(shown[0]).toBe(shown[3]);
  expect(shown[1]).toBe('short');
  expect(new Set(shown).size).toBe(4);
  for (const name of shown) expect(name.length).toBeLessThanOrEqual(maxNameLength);
  expect(shown[2]!.endsWith('… (2)')).toBe(true);
  expect(shown[4]!.endsWith('… (3)')).toBe(true);
});

test('a name that looks like one that was cut is not taken for it', () => {
  const long = 'x'.repeat(million);
  const [cut] = boundedNames([long]);
  const shown = boundedNames([long, cut!, `${cut} (2)`]);
  expect(shown.slice(1)).toEqual([cut, `${cut} (2)`]);
  expect(new Set(shown).size).toBe(3);
});

test('names of the usual length cost no copy', () => {
  const names = ['a', 'b', 'a'];
  expect(boundedNames(names)).toBe(names);
});

test('the first characters in a message steer nothing', () => {
  expect(quotedHead(`a\u0000b\n\u202E"<b>${'x'.repeat(million)}`, 12)).toBe('"a�b��\\"<b>xx…"');
});

test('counts have a comma at each thousand, whatever the language of the machine', () => {
  expect([0, 999, 1000, 1_234_567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('lists the first names of many, each cut, and counts the others', () => {
  expect(listedNames(['A', 'B', 'C'], 3)).toBe('A, B, C');
  expect(listedNames(['A', 'long name', 'C', 'D'], 2, 5)).toBe('A, long… and 2 more');
  expect(
    listedNames(
      Array.from({ length: 1240 }, () => 'A'),
      1,
    ),
  ).toBe('A and 1,239 more');
  expect(listedNames([])).toBe('');
});

test.each([
  ['._matrix.mtx.gz', true],
  ['S1/outs/._matrix.mtx.gz', true],
  ['S1/.DS_Store', true],
  ['__MACOSX/S1/matrix.mtx', true],
  ['obs/.zarray', false],
  ['obs/.id/codes/0', false],
  ['./matrix.mtx', false],
  ['a._b/matrix.mtx', false],
])('%s is put there by a system: %s', (path, expected) => {
  expect(isSystemFile(path)).toBe(expected);
});

test('text in UTF-16 is known by its mark, or by a zero in each character', () => {
  const long = 'gene,cell1,cell2\n';
  const reversed = Buffer.from(long, 'utf16le').swap16();
  for (const text of [Buffer.from(long, 'utf16le'), reversed, Buffer.from('\uFEFFé', 'utf16le')])
    expect(isUtf16(text)).toBe(true);
  for (const text of [long, 'café', '', '\uFEFFgene,cell', 'a'])
    expect(isUtf16(Buffer.from(text))).toBe(false);
  expect(isUtf16(new Uint8Array(64))).toBe(false);
});

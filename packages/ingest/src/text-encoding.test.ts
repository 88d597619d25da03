import { packStrings, type PackedStrings, unpackStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { decodedText, encodingCaution, recodedStrings } from './text-encoding.ts';

function packedBytes(...strings: readonly (readonly number[])[]): PackedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  strings.forEach((bytes, row) => (offsets[row + 1] = offsets[row]! + bytes.length));
  return { bytes: Uint8Array.from(strings.flat()), offsets };
}

test('strings of UTF-8 are left as they are', () => {
  for (const strings of [[], [''], ['T cell', 'B cell'], ['café', '', '细胞', '\uFEFFa', '\uFFFD']])
    expect(recodedStrings(packStrings(strings))).toBeUndefined();
});

test('one string that is not UTF-8 has all read as Windows-1252', () => {
  const recoded = recodedStrings(packedBytes([0x63, 0xe9], [0xc3, 0xa9], [], [0x35, 0x80], [0x61]));
  expect(recoded && unpackStrings(recoded)).toEqual(['cé', 'Ã©', '', '5€', 'a']);
});

test('each byte is another character, those too that Windows-1252 does not define', () => {
  const recoded = recodedStrings(packedBytes(...Array.from({ length: 255 }, (_, at) => [at + 1])))!;
  expect(new Set(unpackStrings(recoded)).size).toBe(255);
  expect(unpackStrings(recoded).join('')).not.toContain('\uFFFD');
});

test('halves of a character in two strings are not UTF-8, though their bytes together are', () => {
  const recoded = recodedStrings(packedBytes([0xc3], [0xa9]))!;
  expect(unpackStrings(recoded)).toEqual(['Ã', '©']);
});

test('a text is decoded without its byte-order mark', () => {
  expect(decodedText(Buffer.from('\uFEFFé'))).toEqual({ text: 'é', encoding: 'utf-8' });
  expect(decodedText(Uint8Array.of(0xe9, 0x92))).toEqual({ text: 'é’', encoding: 'windows-1252' });
});

test('a caution names the parts, and there is none without any', () => {
  expect(encodingCaution(new Set())).toEqual([]);
  const many = Array.from({ length: 7 }, (_, at) => `obs/c${at}`);
  expect(encodingCaution(new Set(['obs/a']))[0]?.message).toContain(
    'The text of obs/a is not UTF-8; it was read',
  );
  expect(encodingCaution(new Set(many))[0]?.message).toContain(
    'obs/c4 and 2 more are not UTF-8; they were read',
  );
});

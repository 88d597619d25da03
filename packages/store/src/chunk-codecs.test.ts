import { packStrings, unpackStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { stringBytes, stringsFromBytes } from './chunk-codecs.ts';

test('strings cut into chunks are read back, padding left out', () => {
  const names = ['AAAC-1', '', 'Zelle β', '細胞', '👩‍🔬'];
  const packed = packStrings(names);
  const chunks = [stringBytes(packed, 0, 3, 3), stringBytes(packed, 3, 5, 3)];
  expect(unpackStrings(stringsFromBytes(chunks, 5))).toEqual(names);
});

test('the form is a count and lengths of 32 bits before the text', () => {
  expect([...stringBytes(packStrings(['ab']), 0, 1, 2)]).toEqual([
    2, 0, 0, 0, 2, 0, 0, 0, 97, 98, 0, 0, 0, 0,
  ]);
});

test('a chunk cut short is refused', () => {
  const bytes = stringBytes(packStrings(['abc', 'def']), 0, 2, 2);
  expect(() => stringsFromBytes([bytes.subarray(0, -1)], 2)).toThrow('leaves its chunk');
  expect(() => stringsFromBytes([bytes], 3)).toThrow('expected 3 strings, found 2');
});

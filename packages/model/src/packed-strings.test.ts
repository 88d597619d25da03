import { expect, test } from 'vitest';
import { packStrings, stringAt, unpackStrings } from './packed-strings.ts';

test('strings of any script survive packing', () => {
  const names = ['AAACCTG-1', '', 'Zelle β', '細胞', 'a\u0000b', '👩‍🔬'];
  expect(unpackStrings(packStrings(names))).toEqual(names);
});

test('one row is read without the others', () => {
  const packed = packStrings(['CD79A', 'CST3']);
  expect(stringAt(packed, 1)).toBe('CST3');
  expect(() => stringAt(packed, 2)).toThrow(RangeError);
});

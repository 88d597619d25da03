import { expect, test } from 'vitest';
import { lzfDecode } from './lzf-filter.ts';

test('runs and overlapping copies are unpacked', () => {
  // Three literal bytes, then six more copied from three back, which repeats them.
  const packed = Uint8Array.of(2, 97, 98, 99, (4 << 5) | 0, 2);
  expect(Buffer.from(lzfDecode(packed)!).toString()).toBe('abcabcabc');
});

test('a copy of more than eight bytes has its length in a byte of its own', () => {
  const packed = Uint8Array.of(0, 120, (7 << 5) | 0, 255, 0);
  expect(Buffer.from(lzfDecode(packed)!).toString()).toBe('x'.repeat(265));
});

test('data that are not LZF are refused', () => {
  expect(lzfDecode(Uint8Array.of(5, 1, 2))).toBeUndefined();
  expect(lzfDecode(Uint8Array.of(0, 1, (1 << 5) | 3, 9))).toBeUndefined();
  expect(lzfDecode(Uint8Array.of(0, 1, 1 << 5))).toBeUndefined();
});

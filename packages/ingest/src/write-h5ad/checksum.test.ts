import { expect, test } from 'vitest';
import { lookup3 } from './checksum.ts';

// From the driver of lookup3.c, and libhdf5's own test of it.
test.each([
  ['', 0xdeadbeef],
  ['Four score and seven years ago', 0x17770551],
])('the checksum of %j is that of the reference', (text, sum) => {
  expect(lookup3(new TextEncoder().encode(text))).toBe(sum);
});

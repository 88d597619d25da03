import { expect, test } from 'vitest';
import { pngSize } from './gene.ts';

test('the size of a PNG is in its header', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000004b0000003e80802000000', 'hex');
  expect(pngSize(png)).toEqual({ width: 1200, height: 1000 });
});

test('other files are refused', () => {
  expect(() => pngSize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'))).toThrow(RangeError);
});

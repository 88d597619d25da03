import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test('M24 sizes read in bytes, KB, MB or GB with two decimals, and say when they are unknown', () => {
  const shown = [0, 1, 1023, 1024, 1536, 1024 ** 2 - 1, 5.25 * 1024 ** 2, 3 * 1024 ** 4].map((size) =>
    fileSize(size),
  );
  expect(shown).toEqual([
    '0 Bytes',
    '1 Bytes',
    '1023 Bytes',
    '1.00 KB',
    '1.50 KB',
    '1.00 MB',
    '5.25 MB',
    '3072.00 GB',
  ]);
  expect([fileSize(null), fileSize(undefined), fileSize(Number.NaN)]).toEqual(
    Array.from({ length: 3 }, () => 'Unknown size'),
  );
});

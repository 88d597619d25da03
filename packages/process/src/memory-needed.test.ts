import { expect, test } from 'vitest';
import { memoryNeeded } from './memory-needed.ts';
import { usualSettings } from './testing/usual-settings.ts';

test('50,000 cells of 20,000 genes are held within 2 GiB, a million are not', () => {
  const perCell = { geneCount: 20_000 };
  const needed = (cellCount: number) =>
    memoryNeeded({ ...perCell, cellCount, entryCount: cellCount * 2000 }, usualSettings);
  expect(needed(50_000)).toBeLessThan(2 * 2 ** 30);
  expect(needed(1_000_000)).toBeGreaterThan(8 * 2 ** 30);
});

test('what was measured is foretold, with room to spare', () => {
  const measured = [
    { cellCount: 5000, geneCount: 3000, entryCount: 1_304_544, peak: 341_012_480 },
    { cellCount: 50_000, geneCount: 20_000, entryCount: 87_622_597, peak: 1_687_490_560 },
  ];
  for (const { peak, ...size } of measured) expect(memoryNeeded(size, usualSettings)).toBeGreaterThan(peak);
});

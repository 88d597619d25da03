import type { BarcodeMatch } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { matchText } from './match-text.ts';

const whole: BarcodeMatch = {
  given: 12,
  matched: 12,
  by_suffix: 0,
  ambiguous: 0,
  unknown: 0,
  repeated: 0,
  examples: [],
  unlabelled: 1,
};

test('the result of matching labels names each loss and a few of the barcodes that were not found', () => {
  expect(matchText(whole)).toBe('12 of 12 labels matched a cell. 1 cell has no label.');
  const lossy = { matched: 7, by_suffix: 7, unknown: 1, ambiguous: 2, repeated: 2, unlabelled: 5 };
  expect(matchText({ ...whole, ...lossy, examples: ['A-1', 'A-2', 'B', 'C'] })).toBe(
    '7 of 12 labels matched a cell, 7 of them except for an ending such as -1. 1 is not in this dataset, 2 fit several cells or lines, 2 name a cell that already had a label. Not found: A-1, A-2, B, … 5 cells have no label.',
  );
});

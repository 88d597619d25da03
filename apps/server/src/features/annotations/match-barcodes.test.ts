import { packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { BarcodeMatcher } from './match-barcodes.ts';

function match(cells: string[], barcodes: string[]) {
  const matcher = new BarcodeMatcher(packStrings(cells));
  barcodes.forEach((barcode, code) => matcher.add(barcode, code));
  const { codes, match: report } = matcher.finish();
  return { codes: [...codes], ...report };
}

test('barcodes with and without an ending are one cell', () => {
  expect(match(['AAAC-1', 'AAAG-1'], ['AAAG', 'AAAC'])).toMatchObject({
    codes: [1, 0],
    matched: 2,
    by_suffix: 2,
  });
  expect(match(['AAAC', 'AAAG'], ['AAAC-1', 'AAAG-12'])).toMatchObject({ codes: [0, 1], by_suffix: 2 });
});

test('cells that differ by their ending alone are never mixed up', () => {
  expect(match(['AAAC-1', 'AAAC-2'], ['AAAC-2', 'AAAC-1'])).toMatchObject({ codes: [1, 0], by_suffix: 0 });
  expect(match(['AAAC-1', 'AAAC-2'], ['AAAC'])).toMatchObject({ codes: [-1, -1], ambiguous: 1, matched: 0 });
  expect(match(['AAAC'], ['AAAC-1', 'AAAC-2'])).toMatchObject({
    codes: [-1],
    ambiguous: 2,
    examples: ['AAAC-1', 'AAAC-2'],
  });
});

test('the first of two labels of a cell counts', () => {
  expect(match(['AAAC-1'], ['AAAC-1', 'AAAC-1', 'AAAC'])).toMatchObject({
    codes: [0],
    matched: 1,
    repeated: 2,
  });
  expect(match(['AAAC', 'AAAG'], ['AAAC-1', 'AAAG-1', 'AAAC-1'])).toMatchObject({
    codes: [0, 1],
    matched: 2,
    by_suffix: 2,
    repeated: 1,
    ambiguous: 0,
  });
});

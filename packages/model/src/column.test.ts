import { expect, test } from 'vitest';
import {
  type Column,
  isCategorical,
  isWide,
  mismatchedColumns,
  packStrings,
  stringAt,
  unpackStrings,
} from './column.ts';

const cluster: Column = {
  kind: 'categorical',
  codes: Int8Array.of(0, -1, 1),
  categories: ['0', '1'],
  categoryType: 'string',
  ordered: false,
};

test('only categorical columns pass the guard', () => {
  expect(isCategorical(cluster)).toBe(true);
  expect(isCategorical({ kind: 'boolean', values: Uint8Array.of(1) })).toBe(false);
  expect(isCategorical(undefined)).toBe(false);
});

test('columns of another length than the table are named', () => {
  const table = {
    rowCount: 3,
    indexName: '_index',
    index: packStrings(['a', 'b', 'c']),
    columns: new Map<string, Column>([
      ['cluster', cluster],
      ['short', { kind: 'numeric', dtype: 'float32', values: Float32Array.of(1) }],
    ]),
  };
  expect(mismatchedColumns(table)).toEqual(['short']);
});

test('64-bit integers of 2^53 and more in size are wide, smaller ones and other types are not', () => {
  const largest = 2 ** 53 - 1;
  expect(isWide('int64', Float64Array.of(0, -largest, largest))).toBe(false);
  expect(isWide('int64', Float64Array.of(0, -largest - 1))).toBe(true);
  expect(isWide('uint64', Float64Array.of(2 ** 64))).toBe(true);
  expect(isWide('float64', Float64Array.of(2 ** 60))).toBe(false);
  expect(isWide('uint64', new Float64Array(0))).toBe(false);
});

test('strings of any script survive packing', () => {
  const names = ['AAACCTG-1', '', 'Zelle β', '細胞', 'a\u0000b', '👩‍🔬'];
  expect(unpackStrings(packStrings(names))).toEqual(names);
});

test('one row is read without the others', () => {
  const packed = packStrings(['CD79A', 'CST3']);
  expect(stringAt(packed, 1)).toBe('CST3');
  expect(() => stringAt(packed, 2)).toThrow(RangeError);
});

test('a string that begins with a byte-order mark is another than one without', () => {
  expect(unpackStrings(packStrings(['\uFEFFT cell', 'T cell']))).toEqual(['\uFEFFT cell', 'T cell']);
});

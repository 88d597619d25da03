import { expect, test } from 'vitest';
import { percent, value } from '../../plot-words.ts';
import { percentText } from '@cellfolio/model';
import { expressingText, fitText, logTicks, tidyTicks, valueText } from './number-text.ts';

test('a percentage never rounds some to none or most to all', () => {
  expect(percentText(245, 700)).toBe('35.0 %');
  expect(percentText(0, 0)).toBe('0 %');
  expect(percentText(0, 10)).toBe('0.0 %');
  expect(percentText(10, 10)).toBe('100.0 %');
  expect(percentText(1, 1_000_000)).toBe('< 0.1 %');
  expect(percentText(999_999, 1_000_000)).toBe('> 99.9 %');
});

test('cells that express a gene are counted with their share, or the text reports that there are none', () => {
  expect(expressingText(793, 5198)).toBe('793 of 5,198 cells (15.3 %)');
  expect(expressingText(0, 0)).toBe('no cell to count');
});

test('counts of what found no room have their separators', () => {
  expect(fitText(13, 9976, 'groups')).toBe('13 of 9,976 groups');
});

test('values keep three digits', () => {
  expect([0, 2.3456, 4, -1.5, 1234.6, 0.00012, 2.5e7].map(valueText)).toEqual([
    '0',
    '2.35',
    '4',
    '−1.5',
    '1,235',
    '1.2e−4',
    '2.5e7',
  ]);
});

test('ticks are tidy and lie inside the range', () => {
  expect(tidyTicks(0, 4.25, 4)).toEqual([1, 2, 3, 4]);
  expect(tidyTicks(-3.8, 3.7, 4)).toEqual([-2, 0, 2]);
  expect(tidyTicks(0, 0.31, 4)).toEqual([0.1, 0.2, 0.3]);
  expect(tidyTicks(0, 0, 4)).toEqual([]);
  expect(tidyTicks(0, Infinity, 4)).toEqual([]);
});

test('ticks of a logarithmic scale lie inside it, powers of ten first', () => {
  expect(logTicks(0, 1000)).toEqual([1, 10, 100, 5, 50, 500, 2, 20, 200]);
  expect(logTicks(3, 60)).toEqual([10, 5, 50, 20]);
  expect(logTicks(0, 0.3)).toEqual([0.01, 0.1, 0.05, 0.02, 0.2]);
});

test('words write numbers as figures do', () => {
  const numbers = [-0.177, 10_000, 0.125, -1.2e-9];
  expect(numbers.map(value)).toEqual(numbers.map(valueText));
  expect(numbers.map(value)).toEqual(['−0.177', '10,000', '0.125', '−1.2e−9']);
  expect(percent(55, 106)).toBe('51.9 %');
  expect(value(null)).toBe('–');
});

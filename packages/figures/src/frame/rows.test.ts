import { expect, test } from 'vitest';
import { isWhole } from '../drawing/text/fit-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { fileRows, fittedRows, nameMarks, rowMiddles } from './rows.ts';
import { smallSize } from '../drawing/scene/style.ts';

const file = { rowHeight: 24, width: 250, room: 600 };
const long =
  'Antigen Processing And Presentation Of Endogenous Peptide Antigen Via MHC Class I Via ER Pathway (GO:0002484)';
const widthOf = (labels: readonly (readonly string[])[]) =>
  Math.max(...labels.flat().map((line) => textWidth(line, smallSize)));

test('a name too long for a line is wrapped at words, and only its row is higher', () => {
  const { labels, heights, height } = fileRows(['Hypoxia', long], file);
  expect(labels[0]).toEqual(['Hypoxia']);
  expect(labels[1]!.join(' ')).toBe(long);
  expect(widthOf(labels)).toBeLessThanOrEqual(250);
  expect(heights).toEqual([24, labels[1]!.length * 16 + 5]);
  expect(height).toBe(heights[0]! + heights[1]!);
});

test('names get more width where six lines are too few, up to half of the room', () => {
  const longer = `${long} ${long.slice(0, 80)}`;
  const { labels } = fileRows([longer], file);
  expect(isWhole(labels[0]!, longer)).toBe(true);
  expect(widthOf(labels)).toBeGreaterThan(250);
  const endless = fileRows([`${long} `.repeat(5).trim()], file).labels;
  expect(endless[0]).toHaveLength(6);
  expect(widthOf(endless)).toBeLessThanOrEqual(300);
  // Between words also where it is cut.
  expect(endless[0]![5]).toMatch(/^[A-Z][\w ]*[a-z]…[A-Z(][\w :()]*$/);
});

test('a word is cut only if it has no room by itself', () => {
  const word = 'HALLMARKOFTHEUNBROKENNAME';
  expect(fileRows([word], { ...file, width: 120 }).labels[0]!.join('')).toBe(word);
  expect(fileRows([word.repeat(3)], file).labels[0]!.join('')).toMatch(/^H\w+…\w+E$/);
});

test('rows of a page keep their height, and their names the lines that it has room for', () => {
  for (const [rowHeight, lines] of [
    [16, 1],
    [36, 2],
    [50, 3],
    [200, 4],
  ] as const) {
    const { labels, heights } = fittedRows([`${long} ${long} ${long}`], rowHeight, 180);
    expect(labels[0]).toHaveLength(lines);
    expect(heights).toEqual([rowHeight]);
  }
});

test('lines stand around the middle of their row, and each line of a cut name has the whole of it', () => {
  const rows = fileRows(['Hypoxia', `${long} `.repeat(5).trim()], file);
  const middles = rowMiddles(rows, 100);
  expect(middles[0]).toBe(112);
  expect(middles[1]).toBe(124 + rows.heights[1]! / 2);
  const marks = nameMarks(rows.labels[1]!, 'the whole', 200, middles[1]!);
  expect(marks.map(({ full }) => full)).toEqual(Array(6).fill('the whole'));
  expect(marks[5]!.y - marks[0]!.y).toBe(5 * 16);
});

import { expect, test } from 'vitest';
import { figureContent } from '../all-content.ts';
import { inputOf, setting } from '../group-figures.test-data.ts';
import { categorical } from '../mixture.test-data.ts';
import { plotFigure } from '../all-plots.ts';

function readingOf(part: (cell: number) => number): string {
  const columnOf = (code: (cell: number) => number, names: readonly string[]) =>
    inputOf(
      categorical(
        Int16Array.from({ length: 120 }, (_, cell) => code(cell)),
        names,
      ),
    );
  const content = figureContent.parse({ kind: 'composition-bar', show: 'share', by: { column: 'group' } });
  const values = {
    groups: columnOf((cell) => cell % 2, ['a', 'b']),
    parts: columnOf(part, ['T cell', 'B cell']),
  };
  return plotFigure(content, values, setting).spec.words!.reading;
}

test('a part that is all of each group is described once', () => {
  expect(readingOf(() => 0)).toMatch(/The largest part, T cell \(120 cells in all\), has 100 % in each\.$/);
});

test('a part of one share in each group is described once, and of several from the least to the greatest', () => {
  expect(readingOf((cell) => Number(cell % 10 >= 6))).toMatch(/has 60\.0 % in each\.$/);
  expect(readingOf((cell) => Number(cell % 4 === 1))).toMatch(/goes from 50\.0 % in b to 100\.0 % in a\.$/);
});

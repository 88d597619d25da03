import type { CategoricalColumn } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { TooManyGroups } from './cell-groups.ts';
import { splitGroups } from './split-groups.ts';

function column(codes: number[], categories: string[]): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int16Array.from(codes),
    categories,
    categoryType: 'string',
    ordered: false,
  };
}

const types = column([0, 1, 0, 1, 0, -1, 1], ['B', 'T']);

test('each part has the groups of its own cells, and no other cell counts there', () => {
  const parts = splitGroups(types, column([0, 0, 2, 2, 2, 2, -1], ['before', 'unused', 'after']));
  expect(parts).toEqual([
    {
      name: 'before',
      groups: {
        names: ['B', 'T'],
        sizes: Float64Array.of(1, 1),
        codes: Uint16Array.of(0, 1, 3, 3, 3, 3, 3),
        cellCount: 2,
      },
    },
    {
      name: 'after',
      groups: {
        names: ['B', 'T'],
        sizes: Float64Array.of(2, 1),
        codes: Uint16Array.of(3, 3, 0, 1, 0, 2, 3),
        cellCount: 4,
      },
    },
  ]);
});

test('a part is cut by the mask, and one without cells there is left out', () => {
  const bits = Uint8Array.of(0, 0, 1, 0, 1, 0, 0);
  const [only, ...more] = splitGroups(types, column([0, 0, 1, 1, 1, 1, 1], ['before', 'after']), {
    bits,
    count: 2,
  });
  expect(more).toEqual([]);
  expect(only).toMatchObject({ name: 'after', groups: { names: ['B'], cellCount: 2 } });
});

test('a column of too many parts is refused, and one that forms too many groups with the other', () => {
  const many = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `p${i}`);
    return column([...names.keys()], names);
  };
  const one = column(new Array<number>(61).fill(0), ['a']);
  expect(splitGroups(column(new Array<number>(60).fill(0), ['a']), many(60))).toHaveLength(60);
  expect(() => splitGroups(one, many(61))).toThrow('the column to split by has 61 groups, and at most 60');
  const wide = column(
    Array.from({ length: 600 }, (_, cell) => cell >> 1),
    Array.from({ length: 300 }, (_, i) => `g${i}`),
  );
  const halves = column(
    Array.from({ length: 600 }, (_, cell) => cell & 1),
    ['a', 'b'],
  );
  expect(() => splitGroups(wide, halves)).toThrow(TooManyGroups);
  expect(() => splitGroups(wide, halves)).toThrow('the two columns together form 600 groups');
});

test('a column of other cells is refused', () => {
  expect(() => splitGroups(types, column([0, 1], ['a', 'b']))).toThrow(RangeError);
});

import { expect, test } from 'vitest';
import { CellPrints } from './same-cells.ts';

function cells(seed: number, cellCount: number, genesOfEach: number) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const indices: number[] = [];
  const counts: number[] = [];
  const pointers = [0];
  for (let cell = 0; cell < cellCount; cell++) {
    for (let gene = 0; gene < genesOfEach; gene++) {
      indices.push(gene * 3 + Math.floor(next() * 3));
      counts.push(1 + Math.floor(next() * 4));
    }
    pointers.push(indices.length);
  }
  return {
    pointers: Float64Array.from(pointers),
    indices: Int32Array.from(indices),
    counts: Float64Array.from(counts),
  };
}

function findSameCells(samples: Record<string, ReturnType<typeof cells>[]>) {
  const prints = new CellPrints();
  for (const [name, blocks] of Object.entries(samples)) {
    prints.begin(
      name,
      blocks.reduce((sum, { pointers }) => sum + pointers.length - 1, 0),
    );
    for (const block of blocks) prints.add(block);
  }
  return prints.sameCells();
}

test('one file given twice is found, whatever blocks it comes in, and other samples are not', () => {
  const [first, second] = [cells(1, 300, 40), cells(2, 200, 40)];
  expect(findSameCells({ A: [first, second], B: [cells(3, 400, 40)], C: [second, first] })).toEqual([
    { samples: ['A', 'C'], same: 500, of: 500 },
  ]);
});

test('a part of the cells is reported with its share, and less than 5 % of the smaller sample is not', () => {
  const part = cells(1, 20, 40);
  expect(findSameCells({ A: [part, cells(2, 480, 40)], B: [part, cells(3, 80, 40)] })).toEqual([
    { samples: ['A', 'B'], same: 20, of: 100 },
  ]);
  expect(findSameCells({ A: [part, cells(2, 480, 40)], B: [part, cells(3, 480, 40)] })).toEqual([]);
});

test('cells of few genes, as empty droplets are, say nothing', () => {
  expect(findSameCells({ A: [cells(1, 500, 19)], B: [cells(1, 500, 19)] })).toEqual([]);
  expect(findSameCells({ A: [cells(1, 500, 20)], B: [cells(1, 500, 20)] })).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { CountsLoader } from '../load-counts.ts';
import type { CountBlock } from '../process-input.ts';
import { inBlocks } from '../testing/simulated-counts.ts';
import { takenRows } from './taken-rows.ts';

const rows = [
  [0, 3, 0, 70_000, 1],
  [0, 0, 0, 0, 0],
  [2, 0, 9, 0, 0],
  [1, 1, 1, 0, 65_536],
].map((row) => Int32Array.from(row));

function loaded(by: 'cell' | 'gene', blocks?: readonly CountBlock[]) {
  const counts = inBlocks({ groups: [], rows, geneNames: ['A', 'B', 'C', 'D', 'E'] }, by, 2);
  const loader = new CountsLoader({ cellCount: 4, geneCount: 5, by });
  for (const block of blocks ?? (counts.blocks as Iterable<CountBlock>)) loader.add(block);
  return loader.finish();
}

test.each(['cell', 'gene'] as const)('cells and genes are taken as they are numbered, read by %s', (by) => {
  const { cellCount, geneCount, pointers, words, values } = takenRows(
    loaded(by),
    Int32Array.of(0, 1, 3),
    Uint8Array.of(0, 1, 1, 1, 1),
  );
  expect([cellCount, geneCount, [...pointers]]).toEqual([3, 4, [0, 3, 3, 6]]);
  expect([...words].filter((_, at) => at % 2 === 1)).toEqual([0, 2, 3, 0, 1, 3]);
  expect([...values].filter((_, at) => at % 2 === 0)).toEqual([3, 70_000, 1, 1, 1, 65_536]);
});

test('zeros that are written out are no entries', () => {
  const whole = {
    pointers: [0, 5, 10, 15, 20],
    indices: Int32Array.from({ length: 20 }, (_, at) => at % 5),
    counts: rows.flatMap((row) => Array.from(row)),
  };
  const all = Int32Array.of(0, 1, 2, 3);
  expect(takenRows(loaded('cell', [whole]), all)).toEqual(takenRows(loaded('cell'), all));
});

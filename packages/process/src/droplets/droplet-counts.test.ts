import { expect, test } from 'vitest';
import type { CountBlock } from '../process-input.ts';
import { onlyCells } from './droplet-counts.ts';

const rows = [
  [0, 2, 0],
  [1, 0, 3],
  [0, 0, 0],
  [4, 5, 6],
  [0, 7, 0],
];
const columns = [0, 1, 2].map((gene) => rows.map((row) => row[gene]!));
const cells = Int32Array.of(1, 2, 4);

function block(vectors: readonly number[][]): CountBlock {
  const entries = vectors.map((vector) => vector.flatMap((count, at) => (count === 0 ? [] : [[at, count]])));
  const pointers = [0];
  for (const vector of entries) pointers.push(pointers.at(-1)! + vector.length);
  return {
    pointers,
    indices: Int32Array.from(entries.flat(), ([at]) => at!),
    counts: entries.flat().map(([, count]) => count!),
  };
}

function dense(blocks: Iterable<CountBlock>, length: number): number[][] {
  return [...blocks].flatMap(({ pointers, indices, counts }) =>
    Array.from({ length: pointers.length - 1 }, (_, vector) => {
      const row = new Array<number>(length).fill(0);
      for (let at = pointers[vector]!; at < pointers[vector + 1]!; at++) row[indices[at]!] = counts[at]!;
      return row;
    }),
  );
}

test('blocks of cells keep those that are wanted', () => {
  const blocks = [block(rows.slice(0, 2)), block(rows.slice(2, 4)), block(rows.slice(4))];
  const keptRows = dense(onlyCells(blocks, { by: 'cell', cells, cellCount: 5 }), 3);
  expect(keptRows).toEqual([rows[1], rows[2], rows[4]]);
});

test('blocks of genes keep the counts of cells that are wanted, under their new positions', () => {
  const blocks = [block(columns.slice(0, 2)), block(columns.slice(2))];
  const keptColumns = dense(onlyCells(blocks, { by: 'gene', cells, cellCount: 5 }), 3);
  expect(keptColumns).toEqual(columns.map((column) => [column[1], column[2], column[4]]));
});

import { expect, test } from 'vitest';
import { CellBatchSorter } from './batch-sorters.ts';
import { EntryOutOfRange } from './gene-major-matrix.ts';

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('entries arrive at their genes, whichever bucket these are in', () => {
  const next = random(7);
  const geneCount = 700;
  const rowCount = 40;
  const dense = Array.from({ length: rowCount }, () =>
    Array.from({ length: geneCount }, () => (next() < 0.2 ? Math.fround(next() + 0.1) : 0)),
  );
  const indices: number[] = [];
  const values: number[] = [];
  const rowStart = [0];
  for (const row of dense) {
    row.forEach((value, gene) => {
      if (value === 0) return;
      indices.push(gene);
      values.push(value);
    });
    rowStart.push(indices.length);
  }
  const sorter = new CellBatchSorter({
    geneCount,
    capacity: indices.length,
    normalise: false,
    valueType: 'float32',
  });
  const sorted = sorter.sort({
    firstCell: 100,
    rowStart,
    rowCount,
    indices: Int32Array.from(indices),
    values: Float32Array.from(values),
  });
  for (let gene = 0; gene < geneCount; gene++) {
    const [from, to] = [sorted.geneStart[gene]!, sorted.geneStart[gene + 1]!];
    const expected = dense.flatMap((row, cell) => (row[gene] === 0 ? [] : [[cell + 100, row[gene]]]));
    const got = Array.from({ length: to - from }, (_, i) => [
      sorted.cells[from + i],
      sorted.values[from + i],
    ]);
    expect(got).toEqual(expected);
  }
  expect(sorted.statistics.entries).toBe(indices.length);
});

test('repeated counts are summed before they are normalised', () => {
  const sorter = new CellBatchSorter({ geneCount: 3, capacity: 5, normalise: true, valueType: 'float32' });
  const sorted = sorter.sort({
    firstCell: 0,
    rowStart: [0, 4, 5],
    rowCount: 2,
    indices: Int32Array.of(2, 0, 2, 1, 0),
    values: Float32Array.of(1, 0, 4, 5, 7),
  });
  expect([...sorted.geneStart]).toEqual([0, 1, 2, 3]);
  expect([...sorted.cells.subarray(0, 3)]).toEqual([1, 0, 0]);
  expect([...sorted.counts!.subarray(0, 3)]).toEqual([7, 5, 5]);
  const half = Math.fround(Math.log1p(5000));
  expect([...sorted.values.subarray(0, 3)]).toEqual([Math.fround(Math.log1p(10_000)), half, half]);
  expect(sorted.statistics).toMatchObject({ entries: 3, zeros: 1, duplicates: 1, fractional: 0 });
});

test('an entry of a gene that is not there is refused by its position', () => {
  const sorter = new CellBatchSorter({ geneCount: 3, capacity: 2, normalise: false, valueType: 'float32' });
  const sort = () =>
    sorter.sort({
      firstCell: 0,
      rowStart: [0, 2],
      rowCount: 1,
      indices: Int32Array.of(0, 3),
      values: Float32Array.of(1, 1),
    });
  expect(sort).toThrow(EntryOutOfRange);
  expect(sort).toThrow('entry 1 has index 3 of 3');
});

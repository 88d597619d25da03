import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cellLines } from './cell-lines.ts';
import type { CellLinesTask } from './cell-lines.ts';
import { cellCount, writeCells } from './cells.test-data.ts';

const never = new AbortController().signal;
let root: string;
let dataset: Dataset;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-cell-lines-'));
  dataset = await openDataset(new FileObjectStore(await writeCells(root)), 'cells.h5ad', { cacheBytes: 0 });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const taskOf = (part: Partial<CellLinesTask>): CellLinesTask => ({
  kind: 'cell-lines',
  dataset: { id: 'cells.h5ad', version: '' },
  mask: undefined,
  from: 0,
  to: cellCount,
  columns: [],
  embeddings: [],
  genes: [],
  scores: [],
  ...part,
});
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('each kind of column is written as it is stored, what is missing is empty, no text is a formula', async () => {
  const { bytes, lines, next } = await cellLines(
    taskOf({ to: 4, columns: dataset.obsColumnNames }),
    dataset,
    never,
  );
  expect([lines, next]).toEqual([4, 4]);
  expect(textOf(bytes)).toBe(
    [
      `'=1+10,'@T,-1,False,-9007199254740993,-7,0.1,0.30000000000000004,`,
      `"a""b1","#B",2,True,-9007199254740993,-7,,0.30000000000000004,'-x`,
      `"c,d2",,,False,-9007199254740993,-7,-inf,0.30000000000000004,é 細胞`,
      `"e\nf3",'@T,-1,,-9007199254740993,,1e-40,0.30000000000000004,`,
      '',
    ].join('\n'),
  );
});

test('genes and coordinates read back as the float32 that is stored, in few digits', async () => {
  const scores = Float64Array.from({ length: cellCount }, (_, cell) => -cell / 7);
  const { bytes } = await cellLines(
    taskOf({ from: 10, to: 30, embeddings: ['X_umap'], genes: [0], scores: [scores] }),
    dataset,
    never,
  );
  const rows = textOf(bytes)
    .match(/[\d.,-]+$/gm)!
    .map((line) => line.split(',').slice(-4));
  expect(rows).toHaveLength(20);
  for (const [place, [x, y, gene, score]] of rows.entries()) {
    const cell = 10 + place;
    expect([x, y, gene].map((text) => Math.fround(Number(text)))).toEqual(
      [(2 * cell) / 3, (2 * cell + 1) / 3, cell % 2 ? Math.log1p(cell) : 0].map(Math.fround),
    );
    expect(Number(score)).toBe(-cell / 7);
    expect(Math.max(x!.length, y!.length, gene!.length)).toBeLessThanOrEqual(11);
  }
});

test('only chosen cells have a line, at the same reads', async () => {
  const bits = Uint8Array.from({ length: cellCount }, (_, cell) => (cell % 10 === 3 ? 1 : 0));
  const { reads } = dataset.counters;
  const task = taskOf({ mask: { bits, count: 4 }, from: 5, columns: ['exact'], genes: [0] });
  const { bytes, lines } = await cellLines(task, dataset, never);
  expect(lines).toBe(3);
  expect([...textOf(bytes).matchAll(/(\d+)",0\.3/g)].map(([, cell]) => cell)).toEqual(['13', '23', '33']);
  // Names, the column, and the two arrays of the gene.
  expect(dataset.counters.reads - reads).toBe(4);
});

test('lines end where they become too long, and the next task goes on there', async () => {
  const all = textOf((await cellLines(taskOf({}), dataset, never)).bytes);
  let text = '';
  let tasks = 0;
  for (let from = 0; from < cellCount; tasks++) {
    const piece = await cellLines(taskOf({ from }), dataset, never, 20);
    expect(piece.bytes.length).toBeLessThan(40);
    text += textOf(piece.bytes);
    from = piece.next;
  }
  expect(text).toBe(all);
  expect(tasks).toBeGreaterThan(10);
});

test('the reads of a task that is cancelled stop', async () => {
  const cancelled = AbortSignal.abort();
  await expect(cellLines(taskOf({ columns: ['exact'] }), dataset, cancelled)).rejects.toHaveProperty(
    'name',
    'AbortError',
  );
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, packStrings } from '@cellfolio/model';
import { createDatasetWriter, type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cellLines } from './cell-lines.ts';
import type { CellLinesTask } from './cell-lines.ts';

const cellCount = 40;
const never = new AbortController().signal;
const cycle = <T>(values: readonly T[]) =>
  Array.from({ length: cellCount }, (_, cell) => values[cell % values.length]!);
let root: string;
let dataset: Dataset;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-cell-lines-'));
  dataset = await openDataset(new FileObjectStore(await writeDataset()), 'cells.h5ad', { cacheBytes: 0 });
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Columns of every kind with the values that are easily lost; the gene is in the odd cells. */
async function writeDataset(): Promise<string> {
  const writer = await createDatasetWriter(root, 'cells.h5ad');
  const missing = Uint8Array.from(cycle([0, 0, 0, 1]));
  const categorical = (categories: string[], categoryType: 'string' | 'int64'): Column => ({
    kind: 'categorical',
    codes: Int8Array.from(cycle([0, 1, -1])),
    categories,
    categoryType,
    ordered: false,
  });
  await writer.obs({
    rowCount: cellCount,
    indexName: '_index',
    index: packStrings(cycle(['=1+1', 'a"b', 'c,d', 'e\nf']).map((name, cell) => `${name}${cell}`)),
    columns: new Map<string, Column>([
      ['type', categorical(['@T', '#B'], 'string')],
      ['dose', categorical(['-1', '2'], 'int64')],
      ['flag', { kind: 'boolean', values: Uint8Array.from(cycle([0, 1])), missing }],
      [
        'wide',
        { kind: 'wide-integer', dtype: 'int64', values: BigInt64Array.from(cycle([-(2n ** 53n) - 1n])) },
      ],
      ['age', { kind: 'numeric', dtype: 'int32', values: Int32Array.from(cycle([-7])), missing }],
      [
        'score',
        {
          kind: 'numeric',
          dtype: 'float32',
          values: Float32Array.from(cycle([0.1, NaN, -Infinity, 1e-40])),
        },
      ],
      ['exact', { kind: 'numeric', dtype: 'float64', values: Float64Array.from(cycle([0.1 + 0.2])) }],
      ['note', { kind: 'string', strings: packStrings(cycle(['', '-x', 'é 細胞'])), missing }],
    ]),
  });
  await writer.var({ rowCount: 1, indexName: '_index', index: packStrings(['G']), columns: new Map() });
  const values = Float32Array.from({ length: cellCount * 2 }, (_, i) => i / 3);
  await writer.obsm({ name: 'X_umap', dimensions: 2, values });
  const indptr = Float64Array.of(0, cellCount / 2);
  const matrix = await writer.matrix('X', { cellCount, geneCount: 1, indptr, valueType: 'float32' });
  const odd = Int32Array.from({ length: cellCount / 2 }, (_, i) => 2 * i + 1);
  await matrix.write(
    odd,
    Float32Array.from(odd, (cell) => Math.log1p(cell)),
  );
  await matrix.close();
  await writer.publish({
    catalogue: {
      name: 'Cells',
      disease: '',
      subdisease: '',
      category1: '',
      category2: '',
      description: '',
      simulated: true,
    },
    roles: { embedding: 'X_umap', metadata: {} },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [],
  });
  return root;
}

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
    const made = await cellLines(taskOf({ from }), dataset, never, 20);
    expect(made.bytes.length).toBeLessThan(40);
    text += textOf(made.bytes);
    from = made.next;
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

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import type { CategoricalColumn } from '@cellfolio/model';
import { expect, onTestFinished, test } from 'vitest';
import { EntryWriter } from './entry-writer.ts';
import { ShapeMismatch } from './errors.ts';
import type { MatrixShape } from './shard-layout.ts';
import { type MatrixWriter, startMatrix } from './matrix-writer.ts';
import { StagingFolder } from './publish/staging-folder.ts';
import { ExpressionStatistics } from './statistics/expression-statistics.ts';
import { sampleMatrix } from './testing/sample-dataset.ts';
import { ZarrWriter } from './zarr-writer.ts';

const { shape, cells, values } = sampleMatrix(50, 20);
const clusters: CategoricalColumn = {
  kind: 'categorical',
  codes: Int8Array.from({ length: 50 }, (_, cell) => cell % 3),
  categories: ['a', 'b', 'c'],
  categoryType: 'string',
  ordered: false,
};

/** A matrix in shards of 64 values in chunks of 16, as `write` left it: the bytes of each file, and the sums. */
async function written(
  valueType: MatrixShape['valueType'],
  write: (writer: MatrixWriter) => Promise<void>,
): Promise<unknown> {
  const folder = await StagingFolder.create(join(await temporaryRoot(), 'm'));
  onTestFinished(() => folder.remove());
  const statistics = new ExpressionStatistics({ ...shape, valueType: 'float32' }, new Map([['k', clusters]]));
  const writer = await startMatrix(
    folder,
    new ZarrWriter(folder),
    'X',
    { ...shape, valueType },
    {
      lengths: { inner: 16, shard: 64 },
      statistics: valueType === 'float32' ? statistics.target : undefined,
    },
  );
  await write(writer);
  await writer.close();
  await folder.settle();
  const names = (await readdir(folder.path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  const bytes = await Promise.all(names.map((name) => readFile(name)));
  return {
    bytes: names.map((name, i) => [name.slice(folder.path.length), bytes[i]]),
    records: [...folder.files].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    nodes: statistics.nodes(),
  };
}

async function writePart({ parts }: MatrixWriter, first: number, end: number): Promise<void> {
  const [from, to] = [shape.indptr[first]!, shape.indptr[end]!];
  const files = await parts!.open(from, to - from);
  const writer = new EntryWriter(parts!.target);
  writer.begin(from);
  writer.add(cells.subarray(from, to), values.subarray(from, to), files);
  await parts!.done(writer.end());
}

test.each(['float32', 'float64', 'int32', 'int64'] as const)(
  'a matrix of %s that is written in parts, in any order, is the same to the last byte',
  async (valueType) => {
    const whole = await written(valueType, (writer) => writer.write(cells, values));
    // Parts that end inside chunks, one within a chunk, and one without entries.
    const cuts = [0, 1, 2, 3, 7, 8, 13, 20];
    const parts = await written(valueType, async (writer) => {
      for (const i of [5, 0, 3, 6, 2, 1, 4]) await writePart(writer, cuts[i]!, cuts[i + 1]!);
    });
    expect(parts).toEqual(whole);
  },
);

test('a part that is missing is noticed at the end', async () => {
  const work = written('float32', async (writer) => {
    await writePart(writer, 0, 7);
    await writePart(writer, 8, 20);
  });
  await expect(work).rejects.toThrow(ShapeMismatch);
});

test('a part past the end, or whose rows do not rise, is refused', async () => {
  const count = cells.length;
  await written('float32', async (writer) => {
    const { target, open } = { target: writer.parts!.target, open: writer.parts!.open.bind(writer.parts) };
    await expect(open(count - 1, 2)).rejects.toThrow(`more than the ${count} entries of indptr`);
    const entries = new EntryWriter(target);
    const at = shape.indptr[2]!;
    entries.begin(at);
    expect(() => entries.add(Int32Array.of(3, 3), Float32Array.of(1, 1), new Map())).toThrow(
      'gene 2 has cell 3 after 3',
    );
    await writer.write(cells, values);
  });
});

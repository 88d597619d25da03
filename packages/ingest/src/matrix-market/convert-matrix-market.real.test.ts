import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realData } from '@cellfolio/model/testing/real-data';
import { File, ready } from 'h5wasm/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convertMatrixMarket, type NamedFile } from './convert-matrix-market.ts';
import { inspectTextFile } from './inspect-text-file.ts';

const trio = realData('mouse_brain_10k_mtx');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matrix-market-'));
  await ready;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a real trio of 10x is recognised and converted whole', async () => {
  const real = (name: string): NamedFile => ({ path: join(trio, name), name });
  expect(await inspectTextFile(join(trio, 'matrix.mtx'))).toEqual({
    kind: 'matrix',
    rows: 1000,
    columns: 10_000,
    entries: 691_914,
    notes: [],
  });
  expect(await inspectTextFile(join(trio, 'features.tsv'))).toMatchObject({
    kind: 'features',
    lines: 1000,
    columns: 3,
  });
  const output = join(folder, 'real.h5ad');
  const plan = await convertMatrixMarket(
    { matrix: real('matrix.mtx'), tables: [real('features.tsv'), real('barcodes.tsv')] },
    output,
  );
  expect(plan).toMatchObject({ cellCount: 10_000, geneCount: 1000, entryCount: 691_914 });
  const h5 = new File(output, 'r');
  const value = (name: string) => (h5.get(name) as unknown as { value: ArrayLike<number> }).value;
  // The sum of the third column of the text.
  expect(Array.from(value('X/data')).reduce((sum, count) => sum + count, 0)).toBe(1_597_698);
  h5.close();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realData } from '@cellfolio/model/testing/real-data';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runWork } from './index.ts';
import { buildOf, listening } from './work.test-data.ts';

const trio = realData('mouse_brain_10k_mtx');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-mouse-brain-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inspected(file: { path: string; name: string }) {
  return runWork({ kind: 'inspect', file }, listening(folder).context);
}

test('the mouse brain trio is inspected, converted and built, each with its progress', async () => {
  const own = (name: string) => ({ path: join(trio, name), name });
  expect(await inspected(own('matrix.mtx'))).toMatchObject({ kind: 'matrix', rows: 1000, columns: 10_000 });
  expect(await inspected(own('barcodes.tsv'))).toMatchObject({ kind: 'barcodes', lines: 10_000 });
  expect(await inspected(own('features.tsv'))).toMatchObject({ kind: 'features', lines: 1000, columns: 3 });
  const output = join(folder, 'mouse.h5ad');
  const { context: within, stages, fractions } = listening(folder);
  const result = await runWork(
    {
      kind: 'convert',
      matrix: own('matrix.mtx'),
      tables: [own('features.tsv'), own('barcodes.tsv')],
      output,
    },
    within,
  );
  expect(result).toEqual({ cells: 10_000, genes: 1000, entries: 691_914, notes: [] });
  expect(stages).toEqual(['Reading the tables', 'Reading the matrix', 'Writing the AnnData file']);
  expect(fractions.at(-1)).toBe(1);
  // Every cell needs 350 counts here: the few that are left keep the test short.
  const built = await runWork(
    buildOf({ path: output, name: 'mouse.h5ad' }, join(folder, 'root'), {
      processing: { minimumCounts: 350 },
    }),
    within,
  );
  expect(built.processed).toMatchObject({ cellsBefore: 10_000, cellsKept: built.cells });
  expect(built.processed!.clusterCount).toBeGreaterThan(1);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Table } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectH5ad } from './inspect-h5ad.ts';
import { importH5ad } from './import-h5ad.ts';
import { fixtureCatalogue } from './testing/fixture-catalogue.ts';
import { writeH5ad } from './write-h5ad/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-preflight-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function table(names: readonly string[]): Table {
  return { rowCount: names.length, indexName: '_index', index: packStrings(names), columns: new Map() };
}

test('cells of one name and missing values are told before the matrix is read in full, once', async () => {
  const path = join(folder, 'odd.h5ad');
  await writeH5ad(path, {
    obs: table(['AAAC-1', 'AAAG-1', 'AAAC-1', 'AAAT-1']),
    var: table(['CD79A', 'CST3']),
    X: {
      format: 'dense',
      dtype: 'float32',
      blocks: [{ values: Float32Array.of(0.5, 1.25, NaN, 0, 2.5, 0, 0, 1.5) }],
    },
    obsm: [{ name: 'X_umap', dimensions: 2, values: Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7) }],
  });
  const told = (warnings: readonly { code: string; message: string }[]) =>
    new Map(warnings.map(({ code, message }) => [code, message]));
  const before = told((await inspectH5ad(path)).warnings);
  expect(before.get('repeated-cells')).toMatch(/^1 cell has a name that an earlier cell has too \(AAAC-1\)/);
  expect(before.get('missing-values-seen')).toContain('X holds missing values (NaN)');

  const { report } = await importH5ad({
    path,
    root: folder,
    id: 'odd.h5ad',
    catalogue: fixtureCatalogue('Odd'),
  });
  const after = told(report.warnings);
  expect(after.get('repeated-cells')).toBe(before.get('repeated-cells'));
  expect(after.get('missing-values')).toMatch(/^1 value of X is missing/);
  expect(after.has('missing-values-seen')).toBe(false);
});

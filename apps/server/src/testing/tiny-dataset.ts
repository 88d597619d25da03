import type { CatalogueEntry, ColumnRoles } from '@cellfolio/model';
import type { DatasetManifest, StorePlace } from '@cellfolio/store';
import { categorical, circle, writeTestDataset } from './write-test-dataset.ts';

const cellTypes = ['B cell', 'T cell', '<script>alert(1)</script>'];
const cellCount = 60;

/** Writes 60 cells and 4 genes: CD79A is expressed in the first third only, SILENT nowhere. */
export async function writeTinyDataset(
  root: StorePlace,
  id: string,
  catalogue: Partial<CatalogueEntry> = {},
  roles: Partial<ColumnRoles> = {},
): Promise<DatasetManifest> {
  const everywhere = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  return writeTestDataset(root, id, {
    cellCount,
    obs: new Map([
      ['cell_type', categorical(cellTypes, cellCount, (cell) => Math.floor(cell / 20))],
      ['leiden', categorical(['0', '1'], cellCount, (cell) => cell % 2)],
      ['age_group', categorical(['adult', 'aged'], cellCount, (cell) => Math.floor(cell / 30))],
    ]),
    genes: [
      { name: 'CD79A', cells: everywhere.slice(0, 20), values: new Float32Array(20).fill(2) },
      { name: 'CST3', cells: everywhere.slice(40), values: new Float32Array(20).fill(3) },
      { name: 'MALAT1', cells: everywhere, values: Float32Array.from(everywhere, (cell) => 1 + cell / 60) },
      { name: 'SILENT', cells: new Int32Array(), values: new Float32Array() },
    ],
    embeddings: [circle(cellCount)],
    catalogue: { name: 'Tiny', description: 'Sixty cells.', ...catalogue },
    roles: {
      cellType: 'cell_type',
      cluster: 'leiden',
      embedding: 'X_umap',
      metadata: { age_group: 'age_group' },
      ...roles,
    },
    warnings: [{ code: 'test-warning', message: 'Only sixty cells.' }],
  });
}

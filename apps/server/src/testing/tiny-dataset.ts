import {
  type CatalogueEntry,
  type Column,
  type ColumnRoles,
  packStrings,
  type Table,
} from '@cellfolio/model';
import { createDatasetWriter, type DatasetManifest, type StorePlace } from '@cellfolio/store';

const cellTypes = ['B cell', 'T cell', '<script>alert(1)</script>'];
const genes = ['CD79A', 'CST3', 'MALAT1', 'SILENT'];
const cellCount = 60;

/** Writes a dataset of 60 cells and 4 genes for tests: CD79A is in the first third only, SILENT nowhere. */
export async function writeTinyDataset(
  root: StorePlace,
  id: string,
  catalogue: Partial<CatalogueEntry> = {},
  roles: Partial<ColumnRoles> = {},
): Promise<DatasetManifest> {
  const writer = await createDatasetWriter(root, id);
  const columns = new Map<string, Column>([
    ['cell_type', categorical(cellTypes, (cell) => Math.floor(cell / 20))],
    ['leiden', categorical(['0', '1'], (cell) => cell % 2)],
    ['age_group', categorical(['adult', 'aged'], (cell) => Math.floor(cell / 30))],
  ]);
  await writer.obs(
    table(
      Array.from({ length: cellCount }, (_, cell) => `cell-${cell}`),
      columns,
    ),
  );
  await writer.var(table(genes, new Map()));
  const angle = (cell: number) => (2 * Math.PI * cell) / cellCount;
  await writer.obsm({
    name: 'X_umap',
    dimensions: 2,
    values: Float32Array.from({ length: cellCount * 2 }, (_, i) =>
      i % 2 ? Math.sin(angle(i >> 1)) : Math.cos(angle(i >> 1)),
    ),
  });
  const everywhere = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const matrix = await writer.matrix('X', {
    cellCount,
    geneCount: genes.length,
    indptr: Float64Array.of(0, 20, 40, 100, 100),
    valueType: 'float32',
  });
  await matrix.write(everywhere.slice(0, 20), new Float32Array(20).fill(2));
  await matrix.write(everywhere.slice(40, 60), new Float32Array(20).fill(3));
  await matrix.write(
    everywhere,
    Float32Array.from(everywhere, (cell) => 1 + cell / 60),
  );
  await matrix.close();
  return writer.publish({
    catalogue: {
      name: 'Tiny',
      disease: 'Breast Cancer',
      subdisease: 'Triple-negative',
      category1: 'Primary',
      category2: 'Untreated',
      description: 'Sixty cells.',
      simulated: false,
      ...catalogue,
    },
    roles: {
      cellType: 'cell_type',
      cluster: 'leiden',
      embedding: 'X_umap',
      metadata: { age_group: 'age_group' },
      ...roles,
    },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [{ code: 'test-warning', message: 'Only sixty cells.' }],
  });
}

function categorical(categories: string[], codeOf: (cell: number) => number): Column {
  const codes = Int8Array.from({ length: cellCount }, (_, cell) => codeOf(cell));
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}

function table(names: readonly string[], columns: ReadonlyMap<string, Column>): Table {
  return { rowCount: names.length, indexName: '_index', index: packStrings(names), columns };
}

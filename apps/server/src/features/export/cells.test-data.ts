import { type Column, packStrings } from '@cellfolio/model';
import { createDatasetWriter } from '@cellfolio/store';

export const cellCount = 40;
export const cycle = <T>(values: readonly T[]) =>
  Array.from({ length: cellCount }, (_, cell) => values[cell % values.length]!);

export async function writeCells(root: string): Promise<string> {
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

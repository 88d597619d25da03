import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Column, packStrings, type Table } from '@cellfolio/model';
import { datasetFolder } from '../dataset-id.ts';
import { createDatasetWriter } from '../dataset-writer.ts';
import type { DatasetDescription } from '../manifest.ts';
import type { MatrixShape } from '../shard-layout.ts';
import { type DatasetManifest, datasetVersion } from '../manifest.ts';
import type { StorePlace } from '../open-store.ts';

interface SampleMatrix {
  shape: MatrixShape;
  cells: Int32Array;
  values: Float32Array;
}

export const description: DatasetDescription = {
  catalogue: {
    name: 'Sample',
    disease: 'None',
    subdisease: 'None',
    category1: '',
    category2: '',
    description: '',
    simulated: true,
  },
  roles: { cellType: 'cell_type', embedding: 'X_umap', symbol: 'symbol', metadata: {} },
  expression: { path: 'X', state: 'log-normalised', hasCounts: true },
  warnings: [],
};

export function sampleMatrix(cellCount: number, geneCount: number, density = 0.3): SampleMatrix {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const indptr = new Float64Array(geneCount + 1);
  const cells: number[] = [];
  const values: number[] = [];
  for (let gene = 0; gene < geneCount; gene++) {
    const share = gene === 1 ? 0 : gene === 2 ? 1 : density;
    for (let cell = 0; cell < cellCount; cell++) {
      if (random() >= share) continue;
      cells.push(cell);
      values.push(Math.log1p(1 + Math.floor(random() * 9)));
    }
    indptr[gene + 1] = cells.length;
  }
  return {
    shape: { cellCount, geneCount, indptr, valueType: 'float32' },
    cells: Int32Array.from(cells),
    values: Float32Array.from(values),
  };
}

const cycle = <T>(count: number, values: readonly T[]) =>
  Array.from({ length: count }, (_, i) => values[i % values.length]!);

export function sampleObs(cellCount: number): Table {
  const codes = Int8Array.from(cycle(cellCount, [0, 1, -1, 1]));
  const missing = Uint8Array.from(cycle(cellCount, [0, 1, 0, 0]));
  const categorical = (
    categories: string[],
    categoryType: 'string' | 'boolean' | 'int64' | 'uint64' | 'float64',
    ordered = false,
  ): Column => ({ kind: 'categorical', codes, categories, categoryType, ordered });
  const flags = Uint8Array.from(cycle(cellCount, [0, 1, 1]));
  const texts = packStrings(cycle(cellCount, ['', 'Zelle β', '細胞', 'a\u0000b']));
  const columns = new Map<string, Column>([
    ['cell_type', categorical(['B cell', 'T cell'], 'string')],
    ['stage', categorical(['1', '10'], 'int64', true)],
    ['dose', categorical(['0.5', '1'], 'float64')],
    ['treated', categorical(['False', 'True'], 'boolean')],
    [
      'score',
      {
        kind: 'numeric',
        dtype: 'float32',
        values: Float32Array.from(cycle(cellCount, [NaN, Infinity, -Infinity, 0.1])),
      },
    ],
    [
      'n_counts',
      { kind: 'numeric', dtype: 'int64', values: Float64Array.from(cycle(cellCount, [-1, 2 ** 53 - 1, 0])) },
    ],
    [
      'accession',
      {
        kind: 'wide-integer',
        dtype: 'int64',
        values: BigInt64Array.from(cycle(cellCount, [2n ** 53n + 1n, -(2n ** 63n), 2n ** 53n])),
      },
    ],
    [
      'hash',
      {
        kind: 'wide-integer',
        dtype: 'uint64',
        values: BigUint64Array.from(cycle(cellCount, [2n ** 64n - 1n, 0n])),
        missing,
      },
    ],
    ['plate', categorical(['9007199254740992', '9007199254740993'], 'int64')],
    ['lane', categorical(['18446744073709551614', '18446744073709551615'], 'uint64')],
    ['batch', { kind: 'numeric', dtype: 'uint8', values: Uint8Array.from(cycle(cellCount, [0, 255])) }],
    ['age', { kind: 'numeric', dtype: 'int32', values: Int32Array.from(cycle(cellCount, [-7, 0])), missing }],
    ['doublet', { kind: 'boolean', values: flags }],
    ['smoker', { kind: 'boolean', values: flags, missing }],
    ['note', { kind: 'string', strings: texts }],
    ['comment', { kind: 'string', strings: texts, missing }],
    ['a/b', { kind: 'boolean', values: flags }],
  ]);
  const index = packStrings(Array.from({ length: cellCount }, (_, i) => `CELL-${i}`));
  return { rowCount: cellCount, indexName: 'barcode', index, columns };
}

export function sampleVar(geneCount: number): Table {
  const symbols = Array.from({ length: geneCount }, (_, i) => `GENE${i}`);
  return {
    rowCount: geneCount,
    indexName: '_index',
    index: packStrings(symbols.map((_, i) => `ENSG${String(i).padStart(11, '0')}.1`)),
    columns: new Map([['symbol', { kind: 'string', strings: packStrings(symbols) }]]),
  };
}

export interface SampleOptions {
  cellCount?: number;
  geneCount?: number;
  replace?: boolean;
  label?: string;
  signal?: AbortSignal;
  /** One column of obs, no coordinates and no counts: the minimum number of objects of a dataset. */
  few?: boolean;
  assets?: Readonly<Record<string, Uint8Array>>;
}

export async function writeSample(
  place: StorePlace,
  id: string,
  options: SampleOptions = {},
): Promise<{ manifest: DatasetManifest; matrix: SampleMatrix }> {
  const { cellCount = 40, geneCount = 12, replace = false, label = 'Sample', signal, few = false } = options;
  const matrix = sampleMatrix(cellCount, geneCount);
  const writer = await createDatasetWriter(place, id, { replace, ...(signal && { signal }) });
  const obs = sampleObs(cellCount);
  const first = [...obs.columns].slice(0, few ? 1 : undefined);
  await writer.obs({ ...obs, columns: new Map(first) });
  await writer.var(sampleVar(geneCount));
  const umap = Float32Array.from({ length: 2 * cellCount }, (_, i) => i / 4);
  if (!few) await writer.obsm({ name: 'X_umap', dimensions: 2, values: umap });
  const paths = few ? (['X'] as const) : (['X', 'layers/counts'] as const);
  for (const path of paths) {
    const shape: MatrixShape = { ...matrix.shape, valueType: path === 'X' ? 'float32' : 'int64' };
    const into = await writer.matrix(path, shape);
    // Blocks that end inside genes.
    const size = Math.max(1, cellCount - 3);
    for (let at = 0; at < matrix.cells.length; at += size) {
      await into.write(matrix.cells.subarray(at, at + size), matrix.values.subarray(at, at + size));
    }
    await into.close();
  }
  const assets = Object.entries(options.assets ?? {}).map(([name, bytes]) => ({
    name,
    size: bytes.length,
    read: () => bytes,
  }));
  if (assets.length > 0) await writer.assets(assets);
  const { catalogue, expression } = description;
  const described = { ...description, catalogue: { ...catalogue, name: label } };
  const manifest = await writer.publish({
    ...described,
    expression: { ...expression, hasCounts: !few },
  });
  return { manifest, matrix };
}

/**
 * Makes a manually changed dataset consistent again: its manifest, as returned by `change`, with the checksums of the
 * present files.
 */
export async function sealAgain(
  root: string,
  id: string,
  change: (manifest: DatasetManifest) => DatasetManifest = (manifest) => manifest,
): Promise<void> {
  const folder = datasetFolder(root, id);
  const path = join(folder, 'manifest.json');
  const manifest = change(JSON.parse(await readFile(path, 'utf8')) as DatasetManifest);
  const files = Object.fromEntries(
    await Promise.all(
      Object.keys(manifest.files).map(async (name) => {
        const bytes = await readFile(join(folder, name));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return [name, { size: bytes.length, sha256 }] as const;
      }),
    ),
  );
  const version = datasetVersion(files, manifest);
  await writeFile(path, JSON.stringify({ ...manifest, files, version }));
}

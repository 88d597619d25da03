import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Column, type Table } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectH5ad, importH5ad } from './import-h5ad.ts';
import { fixtureCatalogue } from './testing/hdf5-fixtures.ts';
import { writeH5ad } from './write-h5ad/write-h5ad.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-preflight-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function table(names: readonly string[]): Table {
  return { rowCount: names.length, indexName: '_index', index: packStrings(names), columns: new Map() };
}

test('cells of one name and missing values are reported before the matrix is read in full, once', async () => {
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
  const messagesByCode = (warnings: readonly { code: string; message: string }[]) =>
    new Map(warnings.map(({ code, message }) => [code, message]));
  const before = messagesByCode((await inspectH5ad(path)).warnings);
  expect(before.get('repeated-cells')).toMatch(/^1 cell has a name that an earlier cell has too \(AAAC-1\)/);
  expect(before.get('missing-values-seen')).toContain('X holds missing values (NaN)');

  const { report } = await importH5ad({
    path,
    root: folder,
    id: 'odd.h5ad',
    catalogue: fixtureCatalogue('Odd'),
    columns: { expression: 'log1p' },
  });
  const after = messagesByCode(report.warnings);
  expect(after.get('repeated-cells')).toBe(before.get('repeated-cells'));
  expect(after.get('missing-values')).toMatch(/^1 value of X is missing/);
  expect(after.has('missing-values-seen')).toBe(false);
});

test('a file with genes for cells and cells for genes is refused, with how to turn it round', async () => {
  const path = join(folder, 'transposed.h5ad');
  const genes = ['CD79A', 'CST3', 'ACTB', 'MT-CO1'];
  const cells = ['AAACCTGA-1', 'AAACGGGT-1', 'AAAGATGC-1'];
  const X = {
    format: 'dense' as const,
    dtype: 'float32' as const,
    blocks: [{ values: new Float32Array(12).fill(1) }],
  };
  await writeH5ad(path, { obs: table(genes), var: table(cells), X });
  await expect(inspectH5ad(path)).rejects.toMatchObject({
    code: 'transposed',
    part: 'obs',
    problem: expect.stringContaining('those of genes (CD79A, CST3, ACTB); those of var are not (AAACCTGA-1,'),
    hint: expect.stringContaining('adata.T'),
  });
});

test.each([
  ['animals before their samples', ['sample', 's1 s1 s2 s2 s3 s4'], ['mouse', 'm1 m1 m1 m1 m2 m2'], 'mouse'],
  ['numbered embryos', ['orig.ident', 'a a b b c c'], ['embryo_id', [1, 1, 1, 2, 2, 2]], 'embryo_id'],
  ['no column of one value', ['patient', 'P P P P P P'], ['sample', 'a a b b c c'], 'sample'],
  [
    'samples before labels of replicates',
    ['replicate', 'r1 r1 r1 r2 r2 r2'],
    ['sample', 'a a b b c c'],
    'sample',
  ],
  [
    'labels of replicates where nothing else is',
    ['hashtag', 'h1 h1 h1 h2 h2 h2'],
    ['mouse_sex', 'f f f m m m'],
    'hashtag',
  ],
  ['none where all have one value', ['patient', 'P P P P P P'], ['donor_age', 'a a b b c c'], undefined],
] as const)('patients are %s', async (_, one, other, expected) => {
  const path = join(folder, 'patients.h5ad');
  const columns = new Map(
    [one, other].map(([name, values]): [string, Column] => [
      name,
      typeof values === 'string'
        ? { kind: 'string', strings: packStrings(values.split(' ')) }
        : { kind: 'numeric', dtype: 'int32', values: Int32Array.from(values) },
    ]),
  );
  await writeH5ad(path, {
    obs: { ...table(Array.from({ length: 6 }, (_, cell) => `C${cell}`)), columns },
    var: table(['G1', 'G2']),
    X: { format: 'dense', dtype: 'float32', blocks: [{ values: new Float32Array(12).fill(0.5) }] },
  });
  const { roles } = await inspectH5ad(path);
  const patient = roles.find(({ role }) => role === 'patient');
  const why = expected === undefined ? "'patient' has one value alone" : 'found by its name';
  expect([patient?.chosen, patient?.why]).toEqual([expected, why]);
});

test('every column that can play a part is offered, whatever its name', async () => {
  const path = join(folder, 'own-names.h5ad');
  const cells = Array.from({ length: 6 }, (_, cell) => `C${cell}`);
  const text = (values: readonly string[]): Column => ({ kind: 'string', strings: packStrings(values) });
  const whole: Column = { kind: 'numeric', dtype: 'int32', values: Int32Array.of(0, 1, 0, 1, 2, 2) };
  const fractions: Column = {
    kind: 'numeric',
    dtype: 'float64',
    values: Float64Array.of(1.5, 2, 3, 4, 5, 6),
  };
  const obs = new Map<string, Column>([
    ['what I think', text(['T', 'T', 'B', 'B', 'T', 'B'])],
    ['louvain', text(['0', '1', '0', '1', '0', '1'])],
    ['res 2', whole],
    ['score', fractions],
    ['study', text(cells.map(() => 'one'))],
  ]);
  const embedding = (name: string, dimensions: number) => ({
    name,
    dimensions,
    values: Float32Array.from({ length: 6 * dimensions }, (_, at) => at),
  });
  await writeH5ad(path, {
    obs: { ...table(cells), columns: obs },
    var: { ...table(['G1', 'G2']), columns: new Map([['label', text(['CD79A', 'CST3'])]]) },
    X: { format: 'dense', dtype: 'float32', blocks: [{ values: new Float32Array(12).fill(0.5) }] },
    obsm: [embedding('X_umap', 2), embedding('X_own', 3)],
  });
  const offered = new Map(
    (await inspectH5ad(path)).roles.map(({ role, chosen, alternatives }) => [role, { chosen, alternatives }]),
  );
  expect(Object.fromEntries(offered)).toEqual({
    // Clusters are no cell types, even where there are no others.
    cellType: { chosen: undefined, alternatives: ['what I think', 'louvain', 'res 2'] },
    cluster: { chosen: 'louvain', alternatives: ['what I think', 'res 2'] },
    patient: { chosen: undefined, alternatives: ['what I think', 'louvain', 'res 2'] },
    embedding: { chosen: 'X_umap', alternatives: ['X_own'] },
    symbol: { chosen: '_index', alternatives: ['label'] },
  });
  for (const columns of [
    { cellType: 'what I think' },
    { cluster: 'res 2' },
    { embedding: 'X_own' },
    { symbol: 'label' },
  ]) {
    const [role, name] = Object.entries(columns)[0]!;
    const { roles } = await inspectH5ad(path, columns);
    expect(roles.find((one) => one.role === role)?.chosen).toMatch(new RegExp(`^${name}`));
  }
});

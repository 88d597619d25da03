import { expect, test } from 'vitest';
import { folderPlan } from './folder-plan.ts';

const trio = (directory: string, ending = '.gz') =>
  ['barcodes.tsv', 'features.tsv', 'matrix.mtx'].map((name) => `${directory}/${name}${ending}`);
const names = (paths: string[], folders: string[]) =>
  folderPlan(paths, folders).taken.map(({ name }) => name);

test('three folders of Cell Ranger become nine files whose names distinguish the samples', () => {
  const folders = ['donor_A', 'donor_B', 'donor_C'];
  const plan = folderPlan(
    folders.flatMap((folder) => trio(folder)),
    folders,
  );
  expect(plan.taken.map(({ name }) => name)).toEqual(
    folders.flatMap((folder) => trio(folder).map((path) => path.replace('/', '_'))),
  );
  expect(plan.taken[0]).toEqual({ path: 'donor_A/barcodes.tsv.gz', name: 'donor_A_barcodes.tsv.gz' });
  expect(plan).toMatchObject({ refused: [], notes: [] });
});

test.each([
  ['donor_A/filtered_feature_bc_matrix', 'donor_A'],
  ['study/donor_A/outs/filtered_feature_bc_matrix', 'donor_A'],
  ['donor_A/outs/filtered_gene_bc_matrices/GRCh38', 'donor_A'],
  ['run/outs/per_sample_outs/S1/count/sample_filtered_feature_bc_matrix', 'S1'],
  ['S2/Solo.out/Gene/filtered', 'S2'],
  ['raw_donor', 'raw_donor'],
])('the files in %s are called after %s', (directory, sample) => {
  expect(names(trio(directory, ''), [directory.split('/')[0]!])).toEqual(
    trio(sample, '').map((path) => path.replace('/', '_')),
  );
});

test('a matrix with positions of spots and clusters of its run is packed with them', () => {
  const tables = ['spatial/tissue_positions.csv', 'analysis/clustering/graphclust/clusters.csv'];
  const run = (sample: string, matrix: string[]) => [
    ...matrix.map((path) => `${sample}/outs/${path}`),
    ...tables.map((path) => `${sample}/outs/${path}`),
    `${sample}/outs/analysis/diffexp/graphclust/differential_expression.csv`,
  ];
  const S1 = run('S1', [...trio('filtered_feature_bc_matrix'), 'filtered_feature_bc_matrix.h5']);
  const S2 = run('S2', ['filtered_feature_bc_matrix.h5']);
  const plan = folderPlan([...S1, ...S2, ...trio('S3/filtered_feature_bc_matrix')], ['S1', 'S2', 'S3']);
  expect(plan.taken.map(({ name }) => name)).toEqual(trio('S3').map((path) => path.replace('/', '_')));
  expect(plan.packed.map(({ name, paths }) => [name, paths.toSorted()])).toEqual([
    ['S1.zip', [...S1.slice(0, 3), ...S1.slice(4, 6)].toSorted()],
    ['S2.zip', S2.slice(0, 3).toSorted()],
  ]);
  expect(plan.notes).toContain(
    '2 matrices of Cell Ranger or Space Ranger with positions of spots, clusters and maps of the run: uploaded together, as .zip files.',
  );
});

test('each bin size of Visium HD is packed with its positions, which no file of their own could be', () => {
  const bins = ['square_008um', 'square_016um'].map((size) => {
    const folder = `HD/outs/binned_outputs/${size}`;
    return trio(`${folder}/filtered_feature_bc_matrix`).concat(`${folder}/spatial/tissue_positions.parquet`);
  });
  const { packed, taken } = folderPlan(bins.flat(), ['HD']);
  expect(taken).toEqual([]);
  expect(packed.map(({ paths }) => paths)).toEqual(bins.map((paths) => expect.arrayContaining(paths)));
  expect(new Set(packed.map(({ name }) => name)).size).toBe(2);
});

test('a trio of old names, with genes, is one too, and names with a prefix of their own stay', () => {
  expect(names(['d/genes.tsv', 'd/barcodes.tsv', 'd/matrix.mtx'], ['d'])).toEqual([
    'd_barcodes.tsv',
    'd_genes.tsv',
    'd_matrix.mtx',
  ]);
  const geo = trio('GSE1_RAW').flatMap((path) =>
    ['GSM1_', 'GSM2_'].map((prefix) => path.replace('/', `/${prefix}`)),
  );
  expect(names(geo, ['GSE1_RAW'])).toEqual(geo.map((path) => path.slice('GSE1_RAW/'.length)).toSorted());
});

test('of a raw and a filtered matrix the filtered one is taken, and a note names what is left out', () => {
  const outs = [
    ...trio('A/outs/raw_feature_bc_matrix'),
    ...trio('A/outs/filtered_feature_bc_matrix'),
    'A/outs/metrics_summary.csv',
    'A/outs/web_summary.html',
  ];
  const plan = folderPlan(outs, ['A']);
  expect(plan.taken.map(({ path }) => path)).toEqual(trio('A/outs/filtered_feature_bc_matrix'));
  expect(plan.notes).toEqual([
    'Skipped: 1 raw folder next to a filtered one, such as A/outs/raw_feature_bc_matrix. To upload one, choose its folder alone.',
    'Skipped: 1 other file in folders with matrices, such as metrics_summary.csv.',
  ]);
  expect(names(trio('A/raw_feature_bc_matrix'), ['A'])).toHaveLength(3);
});

test('two samples of one name are distinguished by their whole paths', () => {
  expect(names([...trio('one/S1'), ...trio('two/S1')], ['one', 'two'])).toEqual([
    ...trio('one_S1').map((path) => path.replace('/', '_')),
    ...trio('two_S1').map((path) => path.replace('/', '_')),
  ]);
});

test('a folder without a trio gives what can be uploaded, and one without anything says so by its name', () => {
  const plan = folderPlan(
    [
      'data/a.h5ad',
      'data/readme.docx',
      'data/.DS_Store',
      'data/._b.h5ad',
      'photos/cat.png',
      'mtx/matrix.mtx',
    ],
    ['data', 'photos', 'mtx', 'cells.zarr'],
  );
  expect(plan.taken.map(({ name }) => name)).toEqual(['a.h5ad', 'mtx_matrix.mtx']);
  expect(plan.refused.map(({ name }) => name)).toEqual(['photos', 'cells.zarr']);
  expect(plan.refused[1]!.problem).toContain('.zip');
});

test('lists of kallisto, which cannot be uploaded under their names, are named', () => {
  const plan = folderPlan(
    ['kb/cells_x_genes.mtx', 'kb/cells_x_genes.barcodes.txt', 'kb/cells_x_genes.genes.txt'],
    ['kb'],
  );
  expect(plan.taken.map(({ name }) => name)).toEqual(['cells_x_genes.mtx']);
  expect(plan.notes).toEqual([expect.stringContaining('gene lists of kb end in .txt')]);
});

test('a folder that has the name of every run alone is used, with a note that it names no sample', () => {
  const plan = folderPlan(trio('filtered_feature_bc_matrix'), ['filtered_feature_bc_matrix']);
  expect(plan.taken[0]!.name).toBe('filtered_feature_bc_matrix_barcodes.tsv.gz');
  expect(plan.notes).toEqual([
    expect.stringMatching(/^The name of filtered_feature_bc_matrix does not name/),
  ]);
});

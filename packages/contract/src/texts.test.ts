import { expect, test } from 'vitest';
import { columnTitle, embeddingTitle, fileSize, roundFileSize } from './index.ts';

test('sizes read in bytes, KB, MB or GB with two decimals, in powers of ten, and say when they are unknown', () => {
  const shown = [0, 1, 999, 1000, 1536, 1e6 - 1, 5.25e6, 1_911_295, 3e12].map((size) => fileSize(size));
  expect(shown).toEqual([
    '0 Bytes',
    '1 Bytes',
    '999 Bytes',
    '1.00 KB',
    '1.54 KB',
    '1.00 MB',
    '5.25 MB',
    '1.91 MB',
    '3000.00 GB',
  ]);
  expect([fileSize(null), fileSize(undefined), fileSize(Number.NaN), fileSize(-1)]).toEqual(
    Array.from({ length: 4 }, () => 'Unknown size'),
  );
  expect([200e9, 10_000, 1_500_000, 12].map(roundFileSize)).toEqual([
    '200 GB',
    '10 KB',
    '1.50 MB',
    '12 Bytes',
  ]);
});

test.each([
  ['cell_state', 'Cell State'],
  ['age_group_at_diagnosis', 'Age Group At Diagnosis'],
  ['HER2_status', 'HER2 Status'],
  ['Cell State', 'Cell State'],
  ['my T cells | B cell', 'my T cells | B cell'],
  ['orig.ident', 'Orig.ident'],
  ['pct_counts_mt', 'Mitochondrial share (%)'],
  ['n_genes_by_counts', 'Genes detected'],
  ['n_genes', 'Number of genes'],
  ['log1p_total_counts', 'Total counts, log(1 + x)'],
  ['log1p_total_counts_mt', 'Mitochondrial counts, log(1 + x)'],
  ['pct_counts_in_top_50_genes', 'Share of the 50 top genes (%)'],
  ['pct_counts_spike', 'Pct Counts Spike'],
  ['__', '__'],
  ['', ''],
])('the column %j is called %j', (name, title) => expect(columnTitle(name)).toBe(title));

test('a column that the user named is called that, and no other column changes', () => {
  const own = [{ name: 'tcells' }, { name: 'my_labels' }];
  expect(['tcells', 'my_labels', 'cell_state'].map((name) => columnTitle(name, own))).toEqual([
    'tcells',
    'my_labels',
    'Cell State',
  ]);
});

test('an embedding is called what it is', () => {
  expect(
    ['X_pca', 'X_pca_harmony', 'X_pca_mnn', 'X_umap', 'X_scVI', 'my_map', 'X_'].map(embeddingTitle),
  ).toEqual([
    'principal components',
    'principal components (Harmony)',
    'principal components (Mutual nearest neighbors)',
    'UMAP',
    'scVI',
    'my map',
    'X_',
  ]);
});

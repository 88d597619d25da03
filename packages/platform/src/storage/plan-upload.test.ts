import { expect, test } from 'vitest';
import { bucketRules } from './testing/file-server.ts';
import { checkExtension } from './plan-upload.ts';

test.each([
  'ada/1_cells.h5ad',
  'ada/1_Matrix.MTX',
  'ada/1_barcodes.tsv',
  'ada/1_matrix.mtx.gz',
  'ada/1_F.TSV.GZ',
])('%s may be stored among the files of users', (name) => {
  expect(() => checkExtension(name, bucketRules)).not.toThrow();
});

test.each([
  'ada/1_cells.h5ad.gz',
  'ada/1.gz',
  'ada/.mtx.gz',
  'ada/.mtx',
  'ada.mtx/cells',
  'ada/mtx',
  'ada/1_amtx',
])('%s is refused, and what is taken is named', (name) => {
  expect(() => checkExtension(name, bucketRules)).toThrow(
    'Only files with one of these extensions are taken here: .mtx, .tsv, .h5ad, .mtx.gz, .tsv.gz',
  );
});

import { expect, test } from 'vitest';
import * as ingest from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(ingest).sort()).toEqual([
    'H5adError',
    'H5adWriteFailed',
    'TextFileError',
    'convertMatrixMarket',
    'importH5ad',
    'inspectH5ad',
    'inspectTextFile',
    'openCounts',
    'planMatrixMarket',
    'readSamples',
    'reportRows',
    'writeH5ad',
  ]);
});

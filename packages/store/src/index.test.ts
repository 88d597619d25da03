import { expect, test } from 'vitest';
import * as store from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(store).sort()).toEqual([
    'ByteCache',
    'DatasetDamaged',
    'DatasetExists',
    'DatasetNotFound',
    'FileObjectStore',
    'GeneCache',
    'InvalidDatasetId',
    'InvalidObjectKey',
    'ObjectNotFound',
    'ObjectStoreFailed',
    'ShapeMismatch',
    'SharedWork',
    'StoreWriteFailed',
    'UnknownColumn',
    'collectionPrefix',
    'createDatasetWriter',
    'customDatasetId',
    'eachLimited',
    'forgetDataset',
    'geneBlocks',
    'listDatasets',
    'openDataset',
    'openObjectStore',
    'readManifest',
    'removeDataset',
    'stagingRoot',
    'sweepDatasets',
    'verifyDataset',
  ]);
});

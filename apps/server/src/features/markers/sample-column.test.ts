import type { DatasetManifest } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { sampleColumn } from './sample-column.ts';

const manifest = (patient?: string, quality?: string) =>
  ({
    roles: { metadata: {}, ...(patient && { patient }) },
    ...(quality && { processing: { quality: { sampleColumn: quality } } }),
  }) as DatasetManifest;

test('samples are the patients, else what quality control took for them', () => {
  expect(sampleColumn(manifest('donor', 'batch'))).toBe('donor');
  expect(sampleColumn(manifest(undefined, 'batch'))).toBe('batch');
  expect(sampleColumn(manifest())).toBeUndefined();
});

import type { DatasetManifest } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { sampleColumn, samplesText } from './sample-column.ts';

const manifest = (patient?: string, quality?: string, mixing?: string) =>
  ({
    roles: { metadata: {}, ...(patient && { patient }) },
    processing: {
      ...(quality && { quality: { sampleColumn: quality } }),
      ...(mixing && { mixing: { column: mixing } }),
    },
  }) as DatasetManifest;

test('samples are the patients, else what quality control took for them, else those whose mixing was measured', () => {
  expect(sampleColumn(manifest('donor', 'batch'))).toMatchObject({ column: 'donor' });
  expect(sampleColumn(manifest(undefined, 'batch', 'lane'))).toEqual({
    column: 'batch',
    reason: 'the samples that quality control was done by',
  });
  expect(sampleColumn(manifest(undefined, undefined, 'lane'))).toMatchObject({ column: 'lane' });
  expect(sampleColumn(manifest())).toBeUndefined();
});

test.each([
  [2, 'patient', '2 patients'],
  [1, 'Patient_ID', '1 patient'],
  [3, 'sample', '3 samples'],
  [4, 'batch', '4 batches'],
  [2, 'orig.ident', '2 samples (Orig.ident)'],
])('%i values of %s are called %s', (count, column, text) => {
  expect(samplesText(count, column)).toBe(text);
});

import { expect, test } from 'vitest';
import { samplesOfFile } from './index.ts';

test('of the samples in a file that was not combined nothing is done but what was chosen', () => {
  expect(samplesOfFile({})).toBeUndefined();
  expect(samplesOfFile({ doublets: 'keep', integrate: 'none', batchColumn: 'donor' })).toBeUndefined();
  expect(samplesOfFile({ doublets: 'mark' })).toEqual({
    doublets: 'mark',
    integrate: 'none',
    batchColumn: 'sample',
    resolutions: [],
  });
  expect(samplesOfFile({ integrate: 'mnn', batchColumn: 'donor' })).toMatchObject({
    doublets: 'keep',
    integrate: 'mnn',
    batchColumn: 'donor',
  });
});

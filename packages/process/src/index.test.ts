import { expect, test } from 'vitest';
import * as process from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(process).sort()).toEqual([
    'ProcessError',
    'measureCounts',
    'memoryNeeded',
    'planQuality',
    'processCounts',
    'qualityCautions',
    'qualityHistograms',
    'removedText',
    'removedTogether',
  ]);
});

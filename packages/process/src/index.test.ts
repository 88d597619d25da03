import { expect, test } from 'vitest';
import * as process from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(process).sort()).toEqual([
    'ProcessError',
    'callCells',
    'drawsNeeded',
    'inspectDroplets',
    'maxDraws',
    'measureCounts',
    'memoryNeeded',
    'minEmptyDroplets',
    'onlyCells',
    'planQuality',
    'processCounts',
    'qualityCautions',
    'qualityHistograms',
    'removedText',
    'removedTogether',
  ]);
});

import { expect, test } from 'vitest';
import * as process from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(process).sort()).toEqual([
    'minEmptyDroplets',
    'maxDraws',
    'ProcessError',
    'callCells',
    'drawsNeeded',
    'inspectDroplets',
    'measureCounts',
    'memoryNeeded',
    'onlyCells',
    'planQuality',
    'processCounts',
    'qualityCautions',
    'qualityHistograms',
    'removedText',
    'removedTogether',
  ]);
});

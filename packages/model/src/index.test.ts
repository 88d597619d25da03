import { expect, test } from 'vitest';
import * as model from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(model).sort()).toEqual([
    'boundedNames',
    'countText',
    'cutText',
    'denseValues',
    'expressionUnit',
    'isCategorical',
    'isWide',
    'leastPValue',
    'longestName',
    'misshapenColumns',
    'mixingCaution',
    'mostCategories',
    'mostFields',
    'mostGeneNames',
    'mostListed',
    'packStrings',
    'quotedHead',
    'rowsOf',
    'sampleMixing',
    'sharedCopy',
    'sharedMask',
    'stringAt',
    'unpackStrings',
  ]);
});

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
    'maxCategories',
    'maxFields',
    'maxGeneNameCharacters',
    'maxListedCharacters',
    'maxNameLength',
    'minPValue',
    'mismatchedColumns',
    'mixingCaution',
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

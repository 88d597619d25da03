import { expect, test } from 'vitest';
import * as model from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(model).sort()).toEqual([
    'countText',
    'denseValues',
    'isCategorical',
    'isWide',
    'misshapenColumns',
    'mixingCaution',
    'packStrings',
    'rowsOf',
    'sampleMixing',
    'stringAt',
    'unpackStrings',
  ]);
});

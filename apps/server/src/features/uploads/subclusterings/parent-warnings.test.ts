import { expect, test } from 'vitest';
import { parentWarnings } from './parent-warnings.ts';

const doublets = (...samples: string[]) => ({
  code: 'doublets-not-detectable',
  message: `Most doublets of ${samples.join()} are still there.`,
  numbers: { samples, cells: samples.map(() => 100) },
});
const parent = {
  name: 'Brain',
  warnings: [
    { code: 'no-cell-type', message: 'No column holds cell types.' },
    { code: 'no-mitochondrial-genes', message: 'No filter.', numbers: { mitochondrialGenes: 0 } },
    doublets('one'),
    doublets('one', 'two'),
  ],
};

test('of a parent those warnings are kept that are about the cells that were taken, by their samples', () => {
  expect(parentWarnings(parent, new Set(['one']))).toEqual([
    { dataset: 'Brain', code: 'no-mitochondrial-genes', message: 'No filter.' },
    { dataset: 'Brain', code: 'doublets-not-detectable', message: doublets('one', 'two').message },
  ]);
  expect(parentWarnings(parent, new Set())).toHaveLength(3);
});

test('a part of a part has those of both', () => {
  const earlier = [{ dataset: 'Atlas', code: 'many-doublets', message: 'Many.' }];
  expect(parentWarnings({ name: 'Brain', warnings: [] }, new Set(), earlier)).toEqual(earlier);
});

import type { SamplesChoice } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { changedName, choiceChanges } from './choice-changes.ts';

test('two builds differ in what was chosen for them, defaults named as such', () => {
  expect(
    choiceChanges(
      { columns: {}, processing: { neighbours: 30 } },
      { columns: { cellType: 'majorclass' }, processing: { neighbours: 30, resolution: 0.3 } },
    ),
  ).toEqual([
    { name: 'Cell type', before: 'automatic', after: 'majorclass' },
    { name: 'Resolution', before: '1 (default)', after: '0.3' },
  ]);
  expect(
    choiceChanges({ processing: { samples: {} } }, { processing: { samples: { integrate: 'none' } } }),
  ).toEqual([{ name: 'Integration', before: 'Harmony over sample', after: 'none' }]);
  expect(
    choiceChanges(
      { processing: { samples: {} } },
      { processing: { samples: { integrate: 'mnn', batchColumn: 'run' } } },
    ),
  ).toEqual([
    { name: 'Integration', before: 'Harmony over sample', after: 'Mutual nearest neighbors over run' },
  ]);
  const samples = (choice: SamplesChoice) => ({ processing: { samples: choice } });
  expect(choiceChanges(samples({}), samples({ doubletThreshold: 0.2 }))).toEqual([
    { name: 'Doublets', before: 'remove, threshold automatic', after: 'remove, threshold 0.2' },
  ]);
  expect(choiceChanges(samples({ doublets: 'keep', doubletThreshold: 0.2 }), samples({}))).toEqual([
    { name: 'Doublets', before: 'keep', after: 'remove, threshold automatic' },
  ]);
  // In a file that was not combined doublets are marked, and nothing else is done unless it is chosen.
  expect(
    choiceChanges(
      {},
      samples({ doublets: 'mark', integrate: 'harmony', batchColumn: 'donor', resolutions: [] }),
    ),
  ).toEqual([{ name: 'Integration', before: 'none', after: 'Harmony over donor' }]);
  expect(choiceChanges({}, { columns: {}, processing: {} })).toEqual([]);
});

test('a dataset is named by what is chosen differently, the integration first', () => {
  const samples = (integrate: 'harmony' | 'mnn') => ({ integrate, batchColumn: 'sample' });
  const before = { processing: { samples: samples('harmony') } };
  const after = { processing: { resolution: 0.6, samples: samples('mnn') } };
  expect(changedName('Brain.h5ad', before, after)).toBe('Brain (MNN, resolution 0.6)');
  expect(changedName('Brain', after, before)).toBe('Brain (Harmony, resolution 1)');
  expect(changedName('Brain', after, after)).toBe('Brain (again)');
  const integrated: SamplesChoice = { doublets: 'mark', integrate: 'harmony', resolutions: [] };
  expect(changedName('Brain', {}, { processing: { samples: integrated } })).toBe('Brain (Harmony)');
});

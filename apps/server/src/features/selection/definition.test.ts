import { mapDefaults } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { definitionOf } from './definition.ts';
import type { Selection } from './selection.ts';

test('a definition has what decided the clusters and the map of a dataset, and not how its cells were sorted out', () => {
  const decided = {
    computedBy: 'Cellfolio 0.1.0',
    methods: { variableGenes: 'by dispersions', clusters: 'Leiden', seeds: 'leiden 0' },
    ...mapDefaults,
  };
  const processing = {
    ...decided,
    cellsKept: 90,
    samples: { clusterings: [], batchColumn: 'sample', integration: { method: 'harmony', iterations: 3 } },
  };
  const manifest = { id: 'a.h5ad', version: '1', catalogue: { name: 'A' }, processing };
  const made = { call: 'export-dataset', parameters: {} };
  const { processing: defined } = definitionOf({ manifest, subset: undefined } as unknown as Selection, made);
  expect(defined).toEqual({ ...decided, batchColumn: 'sample', integration: 'harmony' });
});

import { comparison } from '@cellfolio/analyses';
import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { comparisonOfTypes } from './comparison.fixture.ts';
import { comparisonFollowUps } from './follow-ups.ts';

const { columns } = declaredAnalysis(comparison);
const lines = [
  ['T', 'UP', 3, 1e-9, 0.5, 0.1],
  ['T', 'DOWN', -2, 1e-9, 0.1, 0.5],
  ['T', 'SMALL', 0.5, 1e-9, 0.5, 0.4],
  ['T', 'UNSURE', 4, 0.5, 0.2, 0.1],
  ['T', 'NOWHERE', 0, 1, 0, 0],
  ['T', 'UNTESTED', 2, Number.NaN, 0.5, 0.5],
  ['B', 'OTHER', 3, 1e-9, 0.5, 0.1],
] as const;
const heading = 'group,names,logfoldchanges,pvals_adj,pct_nz_a,pct_nz_b';
const csv = [heading, ...lines.map((line) => line.join(',').replace('NaN', ''))].join('\n');
const table = heldCsv(csv, columns);
const answer = comparisonOfTypes();
const within = { ...answer, parameters: { ...answer.parameters, within: 'cell_type' } };

test('genes of each direction go on with the tested genes of their group that any cell expresses', () => {
  const [ranked, higher, lower] = comparisonFollowUps({ answer: within, table, group: 'T' });
  expect(ranked!.change).toEqual({
    ranking: { source: 'comparison', part: 'T', comparison: within.parameters },
  });
  expect(higher!.label).toBe('Enrichment of 1 gene higher in A in T');
  expect(higher!.change).toEqual({
    pathway_genes: ['UP'],
    background: { kind: 'own', genes: ['UP', 'DOWN', 'SMALL', 'UNSURE'] },
  });
  expect(lower!.change).toMatchObject({ pathway_genes: ['DOWN'] });
});

test('a direction without genes cannot be gone on with', () => {
  const [ranked, higher, lower] = comparisonFollowUps({ answer: within, table, group: 'B' });
  expect([ranked!.isDisabled, higher!.isDisabled, lower!.isDisabled]).toEqual([undefined, false, true]);
});

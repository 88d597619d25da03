import { gradient } from '@cellfolio/analyses';
import type { AnalysisAnswer } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';

const module = declaredAnalysis(gradient);
const answer = {
  source: null,
  axis: { name: 'the expression of LGR5' },
} as unknown as AnalysisAnswer<typeof gradient>;
const follow = (lines: string[]) =>
  module.followUps!({
    answer,
    table: heldCsv(['names,rho,pvals_adj', ...lines, ''].join('\n'), module.columns),
    group: '',
  });

test('a result goes on with all tested genes by their correlation, and with those that rise or fall', () => {
  const [ranked, rising, falling] = follow(['UP,0.5,1e-9', 'DOWN,-0.4,0.01', 'UNSURE,0.1,0.5', 'LGR5,,']);
  expect(ranked!.change).toEqual({
    ranking: {
      source: 'own',
      name: 'Correlation with the expression of LGR5',
      genes: ['UP', 'DOWN', 'UNSURE'],
      values: [0.5, -0.4, 0.1],
    },
  });
  expect(rising!.change).toEqual({
    pathway_genes: ['UP'],
    background: { kind: 'own', genes: ['UP', 'DOWN', 'UNSURE'] },
  });
  expect(falling!.label).toBe('Enrichment of 1 gene that falls');
  expect(falling!.change).toMatchObject({ pathway_genes: ['DOWN'] });
});

test('without genes that rise there is nothing to go on with', () => {
  const [ranked, rising, falling] = follow(['DOWN,-0.4,0.01']);
  expect([ranked!.isDisabled, rising!.isDisabled, falling!.isDisabled]).toEqual([true, true, false]);
});

import type { GradientAnswer } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { gradientFollowUps } from './follow-ups.ts';
import { gradientAnalysis } from './gradient-analysis.tsx';

const answer = { axis: { name: 'the expression of LGR5' } } as GradientAnswer;
const follow = (lines: string[]) =>
  gradientFollowUps({
    answer,
    table: heldCsv(['names,rho,pvals_adj', ...lines, ''].join('\n'), gradientAnalysis.columns),
    group: '',
  });

test('a result goes on with all tested genes by their correlation, and with those that rise or fall', () => {
  const [ranked, rising, falling] = follow(['UP,0.5,1e-9', 'DOWN,-0.4,0.01', 'UNSURE,0.1,0.5', 'LGR5,,']);
  expect(ranked!.change).toEqual({
    source: 'own',
    ranking: 'UP\t0.5\nDOWN\t-0.4\nUNSURE\t0.1',
    rankingName: 'Correlation with the expression of LGR5',
  });
  expect(rising!.change).toEqual({ genes: 'UP', background: 'own', ownBackground: 'UP, DOWN, UNSURE' });
  expect(falling!.label).toBe('Enrichment of 1 gene that falls');
  expect(falling!.change).toMatchObject({ genes: 'DOWN' });
});

test('without genes that rise there is nothing to go on with', () => {
  const [ranked, rising, falling] = follow(['DOWN,-0.4,0.01']);
  expect([ranked!.disabled, rising!.disabled, falling!.disabled]).toEqual([true, true, false]);
});

import { coExpressionAnswer } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { coExpressionAnalysis } from './co-expression-analysis.tsx';
import { coExpressionFollowUps } from './follow-ups.ts';

const lines = [
  ['Module 1', 'A1', 9],
  ['Module 2', 'B1', 8],
  ['none', 'ALONE', 7],
  ['', 'WEAK', 0.5],
  ['', 'UNTESTED', ''],
];
const table = heldCsv(
  ['group,names,z', ...lines.map((line) => line.join(','))].join('\n'),
  coExpressionAnalysis.columns,
);

function answerOf(names: readonly string[]) {
  const module = { depth_correlation: 0.1, samples_share: null, mitochondrial_share: 0, ribosomal_share: 0 };
  return coExpressionAnswer.pick({ modules: true }).parse({
    modules: names.map((name, at) => ({ ...module, name, genes: [`${'AB'[at] ?? 'X'}1`] })),
  }) as ReturnType<typeof coExpressionAnswer.parse>;
}

test('the genes of each module can be tested against all genes that were tested', () => {
  const answer = answerOf(['Module 1', 'Module 2']);
  const [first, second] = coExpressionFollowUps({ answer, table, group: '' });
  expect(first!.label).toBe('Enrichment of Module 1');
  expect(first!.change).toEqual({ genes: 'A1', background: 'own', ownBackground: 'A1, B1, ALONE, WEAK' });
  expect(second!.change).toMatchObject({ genes: 'B1' });
});

test('of many modules the largest are offered, any other when the table shows it', () => {
  const answer = answerOf(Array.from({ length: 12 }, (_, at) => `Module ${at + 1}`));
  expect(coExpressionFollowUps({ answer, table, group: '' })).toHaveLength(6);
  const shown = coExpressionFollowUps({ answer, table, group: 'Module 11' });
  expect(shown.map(({ label }) => label)).toEqual(['Enrichment of Module 11']);
  expect(coExpressionFollowUps({ answer: answerOf([]), table, group: '' })).toEqual([]);
});

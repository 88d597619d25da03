import { expect, test } from 'vitest';
import { violinSentences } from './violin-words.ts';

function reading(means: readonly number[]): string {
  const groups = means.map((mean, i) => ({
    label: `T${i}`,
    cells: 100,
    mean,
    quartiles: [0, mean, mean] as [number, number, number],
    range: [0, 5] as [number, number],
  }));
  return violinSentences({
    title: 'FOXP3',
    groupTitle: 'Cell type',
    unit: '',
    groups,
    groupCount: groups.length,
  }).reading[1];
}

test('an extreme that several groups share names none of them alone', () => {
  expect(reading([1.5, 0, 0.2, 0, 0])).toBe(
    'The mean is highest in T0 (1.5, 100 cells) and lowest in 3 groups (0 each).',
  );
  expect(reading([2, 2, 0.5])).toBe(
    'The mean is highest in 2 groups (2 each) and lowest in T2 (0.5, 100 cells).',
  );
});

import { expect, test } from 'vitest';
import { readingShare, stepBegins } from './process-result.ts';

test('steps begin after the reading, one after the other, and what is left out takes no share', () => {
  const whole = stepBegins(['clusters', 'umap']);
  const begins = [...whole.values()];
  expect(begins[0]).toBe(readingShare);
  expect(begins).toEqual(begins.toSorted((a, b) => a - b));
  const withoutMap = stepBegins(['clusters']);
  expect([...withoutMap.keys()]).toEqual([...whole.keys()].filter((step) => step !== 'UMAP'));
  expect(withoutMap.get('Clusters')).toBeGreaterThan(whole.get('Clusters')!);
  expect([...stepBegins([]).keys()].at(-1)).toBe('Principal components');
});

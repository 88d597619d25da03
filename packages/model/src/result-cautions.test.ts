import { expect, test } from 'vitest';
import { noteLines, type ResultCaution, resultNotes } from './result-cautions.ts';

const few: ResultCaution = { code: 'few-samples', message: 'Few samples.' };
const tests: ResultCaution = { code: 'multiple-testing', message: '20 tests were made.' };
const replicates: ResultCaution = { code: 'cells-as-replicates', message: '900 cells count.' };
const batch: ResultCaution = { code: 'batch-confounded', message: 'No batch has both.' };

test('warnings come by their rank, whatever their source, and facts apart with their titles', () => {
  expect(resultNotes([few, tests, replicates, batch])).toEqual({
    warnings: [batch, replicates, few],
    facts: [{ ...tests, title: 'Tests' }],
  });
});

test('a warning that another one covers is left out', () => {
  const confounded: ResultCaution = { code: 'sample-confounded', message: 'A is 1 sample alone.' };
  expect(resultNotes([replicates, confounded]).warnings).toEqual([confounded]);
});

test('above a table facts have their titles, and all warnings follow by rank', () => {
  expect(noteLines([few, tests, batch])).toEqual([
    'Tests: 20 tests were made.',
    'No batch has both.',
    'Few samples.',
  ]);
});

test('a code without a rank is refused, and not ranked silently', () => {
  const unknown = { code: 'unheard-of', message: 'New.' } as unknown as ResultCaution;
  expect(() => resultNotes([few, unknown])).toThrow('the caution unheard-of has no rank');
});

import { expect, test } from 'vitest';
import { nestedSamplesText, sampleNote } from './fields.ts';

const detected = { column: 'donor', reason: 'the column of patients' };

test('a form says which samples are the replicates and why, and that they have to be chosen where none are known', () => {
  expect(sampleNote(undefined, detected)).toEqual({
    empty: 'Donor (detected)',
    hint: 'Donor: the column of patients. Samples are the replicates.',
  });
  expect(sampleNote('library', detected).hint).toBe(
    'Library: the column that you chose. Samples are the replicates.',
  );
  expect(sampleNote(undefined, undefined)).toEqual({
    empty: 'None detected',
    problem: 'Choose the column of samples: they are the replicates.',
  });
});

test('samples of the individuals that are known are no replicates, which the form says where they are chosen', () => {
  const nesting = { samples: { column: 'sample', values: 24 }, units: [{ column: 'mouse', values: 6 }] };
  const mice = { column: 'mouse', reason: '', nesting };
  expect(sampleNote('sample', mice).warning).toContain('24 values of Sample belong to 6 of Mouse, 4.0');
  for (const chosen of ['', 'mouse', 'batch']) expect(nestedSamplesText(chosen, mice)).toBeUndefined();
});

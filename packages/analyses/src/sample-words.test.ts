import { expect, test } from 'vitest';
import { samplesText } from './sample-words.ts';

test.each([
  [2, 'patient', '2 patients'],
  [1, 'Patient_ID', '1 patient'],
  [3, 'sample', '3 samples'],
  [4, 'batch', '4 batches'],
  [12, 'mouse', '12 mice'],
  [2, 'orig.ident', '2 samples (Orig.ident)'],
])('%i values of %s are called %s', (count, column, text) => {
  expect(samplesText(count, column)).toBe(text);
});

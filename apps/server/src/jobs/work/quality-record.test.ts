import { expect, test } from 'vitest';
import { qualityRecord } from './quality-record.ts';

const removed = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };
const recorded = (mitochondrial: number, settings: Parameters<typeof qualityRecord>[0]['settings']) =>
  qualityRecord({
    measures: { geneCounts: { mitochondrial, ribosomal: 0, haemoglobin: 0 } },
    plan: { groups: [], removed },
    settings,
    cautions: [],
  }).deviations;

test('deviations are recorded where a threshold came of them, and nowhere else', () => {
  const typed = { deviations: 5, minimumCounts: 0, minimumGenes: 0 };
  expect(recorded(13, { deviations: 5 })).toBe(5);
  expect(recorded(13, typed)).toBe(5);
  expect(recorded(0, typed)).toBeUndefined();
  expect(recorded(13, { ...typed, maximumMitochondrial: 0.1 })).toBeUndefined();
  expect(recorded(0, { deviations: 3, minimumCounts: 10 })).toBe(3);
});

import { expect, test } from 'vitest';
import { partChoice, samplesOfPart, subclusteringRequest } from './index.ts';

test('a part is integrated as it was chosen, also where a choice was stored before there were several methods', () => {
  const resolutions = [2];
  for (const integrate of ['harmony', 'mnn'] as const) {
    const stored = { doublets: 'keep', integrate, batchColumn: 'run', resolutions } as const;
    expect(partChoice(stored)).toEqual({ integrate, batchColumn: 'run', resolutions });
    expect(samplesOfPart(partChoice(stored))).toEqual(stored);
  }
  expect(samplesOfPart({ batchColumn: 'run', resolutions })).toMatchObject({ integrate: 'harmony' });
  expect(partChoice({ doublets: 'keep', integrate: 'none', resolutions })).toEqual({ resolutions });
  expect(partChoice()).toEqual({ resolutions: [0.5, 2] });
});

test('a method without a column is refused: it has no batches', () => {
  const parseChoices = (choices: object) => subclusteringRequest.safeParse({ name: 'T cells', choices });
  expect(parseChoices({ integrate: 'mnn' }).error?.issues).toMatchObject([
    { path: ['choices', 'batchColumn'], message: 'Choose the column whose values are the batches.' },
  ]);
  expect(parseChoices({ integrate: 'mnn', batchColumn: 'run' }).success).toBe(true);
  expect(parseChoices({ integrate: 'none' }).success).toBe(true);
  expect(parseChoices({ integrate: 'scvi', batchColumn: 'run' }).success).toBe(false);
});

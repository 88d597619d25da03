import { expect, test } from 'vitest';
import { samplesChoice } from './processing.ts';
import { samplesDone, samplesOfFile } from './samples-done.ts';

test('in a file that was not combined doublets are marked, and nothing else is done but what was chosen', () => {
  expect(samplesOfFile({ doublets: 'keep' })).toBeUndefined();
  expect(samplesOfFile({ doublets: 'keep', integrate: 'none', batchColumn: 'donor' })).toBeUndefined();
  expect(samplesOfFile({})).toEqual({
    doublets: 'mark',
    integrate: 'none',
    batchColumn: 'sample',
    resolutions: [],
  });
  expect(samplesOfFile({ integrate: 'mnn', batchColumn: 'donor' })).toMatchObject({
    doublets: 'mark',
    integrate: 'mnn',
    batchColumn: 'donor',
  });
});

test('a threshold of doublet scores is a number from 0 to 1, and absent where it is to be found', () => {
  for (const doubletThreshold of [0, 0.25, 1])
    expect(samplesDone(samplesChoice.parse({ doubletThreshold }))).toMatchObject({ doubletThreshold });
  for (const doubletThreshold of [-0.1, 1.1, '0.2', null])
    expect(samplesChoice.safeParse({ doubletThreshold }).error?.issues[0]?.path).toEqual([
      'doubletThreshold',
    ]);
  expect(samplesDone()).not.toHaveProperty('doubletThreshold');
});

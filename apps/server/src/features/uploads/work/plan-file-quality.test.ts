import { expect, test } from 'vitest';
import { tooMuch } from './plan-file-quality.ts';

test('a plan is left to the build for too many entries or too little memory, each in words of its own', () => {
  expect(tooMuch({ entryCount: 4e8, cellCount: 1e6 }, 1e9)).toBeUndefined();
  expect(tooMuch({ entryCount: 4e8 + 1, cellCount: 1e6 }, 1e9)).toBe(
    'Which cells quality control would take away was not worked out before the build: the matrix has 400,000,001 entries, more than 400,000,000. The log of the build says who was.',
  );
  expect(tooMuch({ entryCount: 10, cellCount: 1e6 }, 1e6)).toBe(
    'Which cells quality control would take away was not worked out before the build: 1,000,000 cells need 64 MB of memory, and there are 1 MB. The log of the build says who was.',
  );
});

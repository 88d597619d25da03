import { expect, test } from 'vitest';
import { parseStatus } from './process-memory.ts';

test('memory is read from the status of a process, in bytes', () => {
  const status = 'Name:\tnode\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\nRssAnon:\t     512 kB\n';
  expect(parseStatus(status)).toEqual({ resident: 1_048_576, peak: 2_097_152, anonymous: 524_288 });
});

test('a status without memory, as that of a process that has ended, is refused', () => {
  expect(() => parseStatus('Name:\tnode\nState:\tZ (zombie)\n')).toThrow(/no VmRSS/);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { canShareCores, shareCore } from './core-share.ts';
import { sumOfTimes, threadTimes } from './thread-times.ts';

const can = canShareCores();
if (!can) console.warn('SKIPPED: no right to hold programs to shares of cores (control groups, version 1).');

describe.skipIf(!can)('a share of a core', () => {
  it('is all that a program gets', async () => {
    const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    try {
      const share = shareCore(busy.pid!, 0.25);
      const before = sumOfTimes(threadTimes(busy.pid!, 'apart'));
      const began = performance.now();
      await sleep(1000);
      const taken = sumOfTimes(threadTimes(busy.pid!, 'apart')) - before;
      // A program may take what it began before it was held.
      expect(taken).toBeLessThan(0.25 * (performance.now() - began) + 100);
      expect(taken).toBeGreaterThan(0);
      busy.kill('SIGKILL');
      await once(busy, 'close');
      share.remove();
    } finally {
      busy.kill('SIGKILL');
    }
  });
});

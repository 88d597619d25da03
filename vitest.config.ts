import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One more than a small machine has cores: many tests wait for processes, disks and clocks.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'conformance/**/*.test.ts',
            'bench/src/**/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 180_000,
        },
      },
      'apps/web',
    ],
  },
});

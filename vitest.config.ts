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
          globalSetup: 'scripts/test-run.ts',
          // The embedded database and HDF5 are large programs of which a test uses a little: they are compiled with
          // optimisation where that pays, thirty times later than otherwise.
          execArgv: ['--wasm-tiering-budget=400000000'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      'apps/web',
    ],
  },
});

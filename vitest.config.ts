import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './scripts/slow-first.mjs';

export default defineConfig({
  test: {
    // Two more than a small machine has cores: many tests wait for processes, disks and clocks.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: SlowFirst },
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
          globalSetup: 'scripts/before-tests.mjs',
          // The embedded database and HDF5 are large programs of which a test uses a little: they are compiled with
          // optimisation where that pays, thirty times later than otherwise.
          execArgv: ['--wasm-tiering-budget=400000000'],
          // For machines that do much else: what passes takes a tenth of it.
          testTimeout: 120_000,
          // The report names what passed only then.
          retry: 1,
          expect: { poll: { timeout: 60_000 } },
          hookTimeout: 300_000,
        },
      },
      'apps/web',
    ],
  },
});

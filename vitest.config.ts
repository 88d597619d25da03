import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './scripts/vitest-run.mjs';

// Two more than a small machine has cores: many tests wait for processes, disks and clocks. Said of each project, or
// one that does not know waits for the others and runs its files one after the other.
const maxWorkers = Math.max(4, availableParallelism());

const web = {
  extends: './apps/web/vite.config.ts',
  root: './apps/web',
  test: { maxWorkers, testTimeout: 90_000, expect: { poll: { timeout: 30_000 } } },
};

const node = {
  environment: 'node',
  maxWorkers,
  globalSetup: 'scripts/vitest-run.mjs',
  // The embedded database and HDF5 are large programs of which a test uses a little: they are compiled with
  // optimisation where that pays, thirty times later than otherwise.
  execArgv: ['--wasm-tiering-budget=400000000'],
  // For machines that do much else: what passes takes a tenth of it.
  testTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 300_000,
};

/** Packages whose tests need databases and servers, or work through whole datasets: `npm run test:quick` leaves them out. */
const slowPackages = ['packages/platform/**', 'packages/process/**'];

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'quick',
          // They share nothing that one file could leave behind for the next.
          isolate: false,
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: slowPackages,
        },
      },
      {
        test: {
          ...node,
          name: 'slow',
          include: [
            ...slowPackages.map((folder) => `${folder}/*.test.ts`),
            'apps/server/src/**/*.test.ts',
            'conformance/**/*.test.ts',
            'bench/src/**/*.test.ts',
          ],
        },
      },
      {
        ...web,
        test: {
          ...web.test,
          name: 'web',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['src/testing/setup.ts'],
        },
      },
      // What needs no document: making one takes longer than such tests.
      {
        ...web,
        test: { ...web.test, name: 'quick web', environment: 'node', include: ['src/**/*.test.ts'] },
      },
    ],
  },
});

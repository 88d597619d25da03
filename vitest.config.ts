import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './scripts/vitest-run.mjs';

// More than a small machine has cores, as many tests wait for processes, disks and timers. Set in each project: without
// it, a project runs its files one after the other.
const maxWorkers = Math.max(4, availableParallelism());

/** Workers live for a hundred files: V8 would mark their heap repeatedly while it grows, an eighth of the work. */
const startWithLargeHeap = '--initial-heap-size=800';

/** Optimise WebAssembly thirty times later, since a test uses little of the embedded database and HDF5. */
const lateWasmTiering = '--wasm-tiering-budget=400000000';

const web = {
  extends: './apps/web/vite.config.ts',
  root: './apps/web',
  test: {
    maxWorkers,
    execArgv: [startWithLargeHeap],
    testTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
  },
};

export const realTests = '**/*.real.test.ts';

const node = {
  environment: 'node',
  maxWorkers,
  globalSetup: 'scripts/vitest-run.mjs',
  execArgv: [lateWasmTiering, startWithLargeHeap],
  // Ten times what tests need, for busy machines.
  testTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 300_000,
};

/** Node loads the sources directly, as for the server: transforming them here takes longer, and one core. */
export const nativeModules = { experimental: { viteModuleRunner: false, nodeLoader: false } };

export const withDatabases = {
  ...node,
  globalSetup: [node.globalSetup, 'packages/platform/src/database/test-template-setup.ts'],
};

const features = 'apps/server/src/features';

/** Tests with databases, servers or whole datasets, which `npm run test:quick` skips. */
const slowPackages = ['packages/platform/**', 'packages/process/**'];

/** Slow tests of otherwise quick packages: they start object servers or processes. */
const slowFiles = [
  ...['files/blob-store', 'object-store', 's3/s3-object-store'].map((name) => `bytes/src/${name}`),
  ...['cached-reads', 'dataset-writer', 'publish/s3-publisher'].map((name) => `store/src/${name}`),
].map((path) => `packages/${path}.test.ts`);

/** They run npm and git. */
const slowScripts = ['advisories', 'licences', 'release/release'].map((path) => `scripts/${path}.test.ts`);

/** Tests that replace modules, or kill processes, count them and measure their memory. */
const apart = [
  ...['passwords', 'who-has-an-account'].map((name) => `packages/platform/src/auth/${name}`),
  ...['embedded', 'power-cut'].map((name) => `packages/platform/src/database/embedded/${name}`),
  'packages/platform/src/storage/storage-memory',
  'apps/server/src/boot/bucket',
  `${features}/uploads/restart`,
  ...['cluster', 'kill'].map((name) => `conformance/${name}`),
].map((path) => `${path}.test.ts`);

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'quick',
          // Their files share no state.
          isolate: false,
          ...nativeModules,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/{chat-map,docs}/src/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [realTests, ...slowPackages, ...slowFiles, ...slowScripts],
        },
      },
      {
        test: {
          ...withDatabases,
          name: 'features',
          // The server is loaded, and its engines are compiled, once per worker.
          isolate: false,
          ...nativeModules,
          include: [`${features}/**/*.test.ts`],
          exclude: [realTests, `${features}/uploads/**`],
        },
      },
      {
        test: {
          ...withDatabases,
          name: 'slow',
          // As above.
          isolate: false,
          ...nativeModules,
          include: [
            ...slowPackages.map((folder) => `${folder}/*.test.ts`),
            ...slowFiles,
            ...slowScripts,
            'apps/server/src/{boot,ops,runtime}/**/*.test.ts',
            'apps/server/src/*.test.ts',
            `${features}/uploads/**/*.test.ts`,
            'conformance/**/*.test.ts',
            'bench/src/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: [realTests, ...apart],
        },
      },
      // Their workers live for one file each, and some measure memory.
      { test: { ...withDatabases, name: 'apart', include: apart, execArgv: [lateWasmTiering] } },
      {
        ...web,
        test: {
          ...web.test,
          name: 'web',
          environment: 'jsdom',
          // The app is loaded, and a window made, once per worker: half of the work of these tests otherwise.
          isolate: false,
          include: ['src/**/*.test.tsx'],
          setupFiles: ['src/testing/setup.ts'],
        },
      },
      // Tests without a document, whose setup would take longer than the tests.
      {
        ...web,
        test: {
          ...web.test,
          name: 'quick web',
          environment: 'node',
          // Their files share no state, and most load the same modules: five sixths of the work otherwise.
          isolate: false,
          include: ['src/**/*.test.ts'],
        },
      },
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { realDataFolder } from './scripts/real-data.mjs';
import { nativeModules, realTests, withDatabases } from './vitest.config.ts';

export default defineConfig({
  test: {
    ...withDatabases,
    maxWorkers: availableParallelism(),
    // As in the projects of `npm test`.
    isolate: false,
    ...nativeModules,
    include: [realTests],
    env: { CELLFOLIO_REAL_DATA: realDataFolder },
  },
});

import { defineConfig } from '@playwright/test';
import npmTestConfig, { realTests } from './playwright.config.ts';

/** Browser tests on real data, which `npm run test:real` runs. */
export default defineConfig({
  ...npmTestConfig,
  projects: [{ name: 'real data', testMatch: realTests }],
  globalSetup: './support/start-real-server.ts',
});

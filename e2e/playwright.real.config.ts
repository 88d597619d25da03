import { defineConfig } from '@playwright/test';
import npmTestConfig, { realTests } from './playwright.config.ts';

export default defineConfig({
  ...npmTestConfig,
  projects: [{ name: 'real data', testMatch: realTests }],
  globalSetup: './support/start-real-server.ts',
});

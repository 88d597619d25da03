import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { browserPath } from '../scripts/browser.mjs';

/** Started first: each is one long test, which would otherwise run alone at the end. */
const longest = ['comparisons.spec.ts', 'linked-samples.spec.ts'];

export const realTests = '*.real.spec.ts';

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'longest', testMatch: longest },
    { name: 'pages', testMatch: '*.spec.ts', testIgnore: [...longest, realTests] },
  ],
  globalSetup: './support/start-server.ts',
  outputDir: '../test-results',
  // One picture for all systems: the letters are the site's own, and tests allow for how they are smoothed.
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  fullyParallel: true,
  // One more than a small machine has cores: a page waits for its server half of the time.
  workers: Math.max(3, availableParallelism()),
  // For machines that do much else: a test that passes takes a tenth of it.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  use: {
    // Set when the server has started; the workers, which read this file again, see it.
    baseURL: process.env['CELLFOLIO_E2E_URL'] ?? '',
    viewport: { width: 1440, height: 900 },
    // A quarter of the browser's work was making a window for each test. Between tests the page is left and its storage
    // cleared; users, and what the server keeps of them, are new in each test.
    reuseContext: true,
    // What fades and turns is drawn by the processor, and waited for. `workflows.spec.ts` is in motion, as most users are.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs as much as the step that it records: --trace on, where one is wanted.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browserPath(),
      // A desktop has a locale; without one the browser cannot name files beyond ASCII.
      env: { ...process.env, LANG: 'C.UTF-8' },
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // One process draws all pages of a browser: by default each page that is opened gets a new one, and its code is
        // compiled anew.
        '--renderer-process-limit=1',
        '--disable-site-isolation-trials',
        // As browsers with windows set letters: the headless shell would fit their widths to whole pixels.
        '--font-render-hinting=none',
        // No page lives long enough for its code to repay V8's last and most expensive compiler.
        '--js-flags=--max-opt=2',
      ],
    },
  },
});

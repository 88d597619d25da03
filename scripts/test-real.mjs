// npm run test:real: the tests on real data (`*.real.test.ts`, `*.real.spec.ts`), in the folder of scripts/real-data.mjs.
// The last line is `N passed, N failed`.
import { reportRealData } from './real-data.mjs';
import { useScratchFolder } from './scratch.mjs';
import { browserTests, check, summarise, unitTests } from './suites.mjs';
import { ensureInstalled } from './toolchain.mjs';

if (reportRealData()) {
  ensureInstalled();
  const removeScratch = useScratchFolder();
  const outcomes = [
    await check('build of the web app', 'node', ['scripts/commands.mjs', 'build']),
    await unitTests('unit tests on real data', ['--config=vitest.real.config.ts', '--reporter=default']),
    await browserTests('browser tests on real data', 'e2e/playwright.real.config.ts'),
  ];
  removeScratch();
  summarise(outcomes);
} else {
  // It was asked for, so testing nothing is no success.
  summarise([{ name: 'real data', passed: 0, failed: 1 }]);
}

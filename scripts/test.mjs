// npm test: all checks and tests, from types to the browser.
// npm run test:quick: types, lint, and tests without servers, databases, processes and browsers.
// The last line is `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { useScratchFolder } from './scratch.mjs';
import { ensureInstalled, runBeside } from './toolchain.mjs';

ensureInstalled();
const removeScratch = useScratchFolder();
const { TMPDIR } = process.env;
const outcomes = [];
const isQuick = process.argv.includes('--quick');

// In parallel with the first tests, as most checks use one core.
const checks = [
  // With threads it checks what projects share once in each: twice the work, and the tests need the other cores.
  check('types', 'tsc', ['-b', '--singleThreaded']),
  check('lint', 'oxlint', ['--deny-warnings']),
  check('dictionaries of names', 'node', ['scripts/name-dictionaries.mjs']),
  check('order of rooms', 'node', ['scripts/room-order.mjs']),
];
if (!isQuick) {
  checks.push(
    check('dependencies', 'node', ['scripts/dependencies.mjs']),
    check('format', 'oxfmt', ['--list-different']),
  );
  // Before the tests, as some serve the build.
  outcomes.push(await check('build of the web app', 'node', ['scripts/commands.mjs', 'build']));
}
const units = await suite(isQuick ? 'unit tests' : 'unit and conformance tests', 'vitest', (file) => ({
  args: [
    'run',
    ...(isQuick ? ['--project=quick*', '--reporter=dot'] : ['--reporter=default']),
    '--reporter=json',
    `--outputFile.json=${file}`,
  ],
  counts: ({ numPassedTests, numFailedTests, numPendingTests = 0, numTodoTests = 0 }) => ({
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
  }),
}));
outcomes.push(...(await Promise.all(checks)), units);
if (!isQuick) outcomes.push(await browserTests());
removeScratch();

process.stdout.write('\n');
for (const { name, failed, skipped } of outcomes) {
  const remark = skipped ? ` (${skipped} skipped: reasons above)` : '';
  process.stdout.write(`${failed ? 'failed' : 'passed'}: ${name}${remark}\n`);
}
const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
process.exitCode = sum('failed') ? 1 : 0;
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);

async function check(name, command, args) {
  const failed = (await runBeside(command, args)) === 0 ? 0 : 1;
  return { name, passed: 1 - failed, failed };
}

/** Runs a test runner and reads its report; without a report it has failed. */
async function suite(name, command, describe) {
  const file = join(TMPDIR, `${command}.json`);
  const { args, env, counts } = describe(file);
  const code = await runBeside(command, args, { env: { ...env, TMPDIR }, output: 'inherit' });
  let result = { passed: 0, failed: 1 };
  try {
    result = counts(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    process.stderr.write(`${name}: no report (${error.message})\n`);
  }
  // Errors outside of tests, such as in imports, count as failures.
  if (code !== 0 && result.failed === 0) result.failed = 1;
  return { name, ...result };
}

async function browserTests() {
  const browser = ensureBrowser();
  if (!browser) {
    const name = 'browser tests: no Chromium or Chrome found and none could be installed';
    return { name, passed: 0, failed: 1 };
  }
  return suite('browser tests', 'playwright', (file) => ({
    args: ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CELLFOLIO_CHROMIUM: browser },
    counts: ({ stats }) => ({
      passed: stats.expected,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }),
  }));
}

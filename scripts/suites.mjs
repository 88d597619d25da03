// The parts of `npm test` and `npm run test:real`, and the summary that both end with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserPath, installBrowser } from './browser.mjs';
import { runBeside } from './toolchain.mjs';

/** A tool that passes or fails as one. */
export async function check(name, command, args, env = {}) {
  const failed = (await runBeside(command, args, { env })) === 0 ? 0 : 1;
  return { name, passed: 1 - failed, failed };
}

/** @param args more arguments of `vitest run`, such as the config or the projects */
export function unitTests(name, args) {
  return suite(name, 'vitest', (file) => ({
    args: ['run', ...args, '--reporter=./scripts/vitest-report.mjs'],
    env: { CELLFOLIO_TEST_REPORT: file },
    result: (report) => report,
  }));
}

/** @param config path of the config of Playwright */
export async function browserTests(name, config) {
  installBrowser();
  try {
    browserPath();
  } catch (error) {
    return { name: `${name}: ${error.message}`, passed: 0, failed: 1 };
  }
  return suite(name, 'playwright', (file) => ({
    args: ['test', '-c', config, '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    result: ({ stats, suites, errors }) => ({
      passed: stats.expected,
      failed: stats.unexpected,
      skipped: stats.skipped,
      failures: [
        ...errors.map(({ message }) => ({ title: 'outside of tests', message })),
        ...suites.flatMap(browserFailures),
      ],
    }),
  }));
}

/** Failed tests of a suite in a report of Playwright, with the suites in it. */
function browserFailures({ specs, suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok);
  return [
    ...failed.map(({ file, title, tests }) => ({
      title: `${file} > ${title}`,
      message: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
    })),
    ...suites.flatMap(browserFailures),
  ];
}

/** Runs a test runner and reads its report; without a report it has failed. */
async function suite(name, command, describe) {
  const { TMPDIR } = process.env;
  const file = join(TMPDIR, `${command}.json`);
  const { args, env, result: read } = describe(file);
  const code = await runBeside(command, args, { env: { ...env, TMPDIR }, output: 'inherit' });
  let result = { passed: 0, failed: 1 };
  try {
    result = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    process.stderr.write(`${name}: no report (${error.message})\n`);
  }
  // Errors outside of tests, such as in imports, count as failures.
  if (code !== 0 && result.failed === 0) result.failed = 1;
  return { name, ...result };
}

const messageLines = 12;

/** Prints each failure again, what passed and failed, `N passed, N failed` as the last line, and sets the exit code. */
export function summarise(outcomes) {
  for (const { title, message } of outcomes.flatMap(({ failures = [] }) => failures)) {
    const lines = message.split('\n').slice(0, messageLines);
    process.stdout.write(`\nFAILED ${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  }
  process.stdout.write('\n');
  for (const { name, failed, skipped } of outcomes) {
    const remark = skipped ? ` (${skipped} skipped: reasons above)` : '';
    process.stdout.write(`${failed ? 'failed' : 'passed'}: ${name}${remark}\n`);
  }
  const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  process.exitCode = sum('failed') ? 1 : 0;
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
}

// npm test: all checks and tests, from types to the browser, that need nothing beside the repository.
// npm run test:all: the same with conformance on PostgreSQL, the Python and R clients and the image too, which takes longer.
// npm run test:quick: types, lint, and tests without servers, databases, processes and browsers.
// The last line is `N passed, N failed`.
import { imageTests } from './image-tests.mjs';
import { pythonTests } from './python-tests.mjs';
import { rTests } from './r-tests.mjs';
import { useScratchFolder } from './scratch.mjs';
import { browserTests, check, summarise, unitTests } from './suites.mjs';
import { ensureInstalled, toolEnvironment } from './toolchain.mjs';

ensureInstalled();
const removeScratch = useScratchFolder();
const outcomes = [];
const isQuick = process.argv.includes('--quick');
const isAll = process.argv.includes('--all');
if (isAll) toolEnvironment.CELLFOLIO_ALL_TESTS = '1';

// In parallel with the first tests, as most checks use one core.
const checks = [
  // With threads it checks what projects share once in each: twice the work, and the tests need the other cores.
  check('types', 'tsc', ['-b', '--singleThreaded']),
  check('lint', 'oxlint', ['--deny-warnings']),
  check('dictionaries of names', 'node', ['scripts/name-dictionaries.mjs']),
  check('order of rooms', 'node', ['scripts/room-order.mjs']),
  check('words of docstrings', 'node', ['scripts/plain-words.mjs']),
];
if (!isQuick) {
  checks.push(
    check('dependencies', 'node', ['scripts/dependencies.mjs']),
    check('format', 'oxfmt', ['--list-different']),
  );
  // Before the tests, as some serve the build.
  outcomes.push(
    await check('build of the web app and the documentation', 'node', ['scripts/commands.mjs', 'build']),
  );
}
const units = isQuick
  ? await unitTests('unit tests', ['--project=quick*', '--reporter=dot'])
  : await unitTests('unit and conformance tests', ['--reporter=default']);
outcomes.push(...(await Promise.all(checks)), units);
if (!isQuick) outcomes.push(await browserTests('browser tests', 'e2e/playwright.config.ts'));
if (isAll) outcomes.push(...(await pythonTests()), ...(await rTests()), ...(await imageTests()));
removeScratch();
summarise(outcomes);

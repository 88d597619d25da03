// Reporter of vitest: counts, and each failure with its file and message, as JSON in the file `CELLFOLIO_TEST_REPORT`.
import { writeFileSync } from 'node:fs';

export default class Report {
  onTestRunEnd(modules, unhandledErrors) {
    const report = { passed: 0, failed: 0, skipped: 0, failures: [] };
    const fail = (title, errors) => {
      report.failed += 1;
      report.failures.push({ title, message: errors.map(({ message }) => message).join('\n') });
    };
    for (const module of modules) {
      const { relativeModuleId: file } = module;
      for (const { name, errors } of outside(module)) fail(`${file} > ${name}`, errors);
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed') fail(`${file} > ${test.fullName}`, errors);
        else report[state === 'passed' ? 'passed' : 'skipped'] += 1;
      }
    }
    for (const error of unhandledErrors)
      fail(`outside of tests: ${error.name}`, [error, { message: error.stack }]);
    writeFileSync(process.env.CELLFOLIO_TEST_REPORT, JSON.stringify(report));
  }
}

/** Errors of loading a file, and of what runs before and after its tests. */
function outside(module) {
  const suites = [...module.children.allSuites()].map((suite) => ({
    name: suite.fullName,
    errors: suite.errors(),
  }));
  return [{ name: 'the file', errors: module.errors() }, ...suites].filter(({ errors }) => errors.length);
}

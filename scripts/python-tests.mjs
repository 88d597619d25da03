// The tests of clients/python: its types, and its calls of a server of this checkout. Part of `npm run test:all`; alone:
// node scripts/python-tests.mjs. Needs Python 3.11 or later with venv, and the registry of Python packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, summarise } from './suites.mjs';
import { ensureInstalled, root } from './toolchain.mjs';

const folder = join(root, 'clients', 'python');
const environment = join(root, '.cache', 'python-client');
const python = join(environment, 'bin', 'python');
const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];

/** Outcomes of the types and the tests; without Python or the registry a line that says why they are skipped. */
export async function pythonTests() {
  const pyproject = join(folder, 'pyproject.toml');
  const stamp = join(environment, '.installed-from');
  const pins = createHash('sha256').update(readFileSync(pyproject)).digest('hex');
  const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === pins;
  const problem = isInstalled ? undefined : missingForEnvironment();
  if (problem !== undefined) {
    process.stderr.write(`SKIPPED: the tests of the Python client were not run; ${problem}.\n`);
    return [{ name: 'Python client', passed: 0, failed: 0, skipped: 1 }];
  }
  const packages = isInstalled ? ['--force-reinstall', '--no-deps', folder] : [`${folder}[test]`];
  const install = await check('Python client: installation', python, [
    ...pip,
    '--no-build-isolation',
    ...packages,
  ]);
  if (install.failed) return [install];
  writeFileSync(stamp, pins);
  const sources = join(folder, 'src', 'cellfolio');
  return [
    install,
    await check('Python client: types', python, ['-m', 'mypy', '--config-file', pyproject, sources]),
    await check('Python client: tests', python, [
      '-m',
      'pytest',
      '-q',
      '-c',
      pyproject,
      join(folder, 'tests'),
    ]),
  ];
}

/** Makes the virtual environment, on first use and when the requirements change; returns what is missing for it. */
function missingForEnvironment() {
  const probe = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  const names = ['python3', 'python3.11', 'python3.12', 'python3.13', 'python'];
  const base = names.find((name) => runs(name, ['-c', probe]));
  if (base === undefined) return 'there is no Python 3.11 or later with venv';
  process.stderr.write(`Making ${environment} (only when the requirements change)…\n`);
  if (!runs(base, ['-m', 'venv', '--clear', environment])) return `${base} -m venv failed`;
  return runs(python, [...pip, 'hatchling']) ? undefined : 'the registry of Python packages does not answer';
}

function runs(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  summarise(await pythonTests());
}

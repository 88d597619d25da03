import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from './paths.ts';

export class PeerUnavailable extends Error {
  override readonly name = 'PeerUnavailable';
}

/**
 * Path of a Python with the pinned packages: CELLFOLIO_BENCH_PYTHON, or a virtual environment under .cache, which is
 * created on first use and when the pins change. Throws PeerUnavailable.
 */
export function peerPython(report: (line: string) => void): string {
  const configured = process.env['CELLFOLIO_BENCH_PYTHON'];
  if (configured) {
    if (spawnSync(configured, ['-c', 'import scanpy'], { stdio: 'ignore' }).status !== 0)
      throw new PeerUnavailable(`CELLFOLIO_BENCH_PYTHON=${configured} does not run or has no scanpy`);
    return configured;
  }
  const requirements = readFileSync(paths.requirements);
  const pins = createHash('sha256').update(requirements).digest('hex');
  const folder = join(paths.cache, 'bench-python');
  const python = join(folder, 'bin', 'python');
  const stamp = join(folder, '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === pins) return python;
  const base = basePython();
  report(`making ${folder} from ${paths.requirements} (once)`);
  run(base, ['-m', 'venv', '--clear', folder]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', paths.requirements]);
  writeFileSync(stamp, pins);
  return python;
}

/** The pins are for Python 3.11; later versions usually work. */
function basePython(): string {
  const probe = 'import sys, venv; sys.exit(sys.version_info < (3, 11))';
  for (const name of ['python3.11', 'python3', 'python'])
    if (spawnSync(name, ['-c', probe], { stdio: 'ignore' }).status === 0) return name;
  throw new PeerUnavailable('no Python 3.11 or later with venv was found');
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0)
    throw new PeerUnavailable(`${command} ${args.join(' ')} failed:\n${stderr}`, { cause: error });
}

/** Whether a Python, or R, has the packages. */
export function hasPackages(program: string, packages: readonly string[]): boolean {
  const args =
    program === 'Rscript'
      ? ['-e', packages.map((name) => `library(${name})`).join('; ')]
      : ['-c', `import ${packages.join(', ')}`];
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const memory = '/dev/shm';
const neededBytes = 6 * 1024 ** 3;

/**
 * What all test files of a run share, set before the first of them starts.
 *
 * Their temporary folders are in memory where the machine has plenty of it: databases and stores sync every write,
 * and a busy disk takes most of a test's time for that. A killed process loses nothing of what it has written either
 * way; what a power cut would leave is tested beside the database itself. A temporary folder that somebody has chosen
 * is meant.
 *
 * The processes that tests start read the same program again and again: they keep what they compiled.
 */
export function setup(): () => void {
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../node_modules/.cache/cellfolio-compiled', import.meta.url),
  );
  const parent = process.env['TMPDIR'] === undefined && plentyOfMemory() ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, 'cellfolio-tests-'));
  // Databases run under an account of their own, which must find the folder that is theirs below this one.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function plentyOfMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

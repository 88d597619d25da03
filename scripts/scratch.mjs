// The temporary folder of a run of tests, and its end.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 6 * 1024 ** 3;
const prefix = 'cellfolio-tests-';
const day = 24 * 3600 * 1000;

/**
 * Makes a temporary folder that is this process's `TMPDIR` and that of all it starts, unless it has one already;
 * returns what removes it.
 *
 * In memory where the machine has plenty of it: databases and stores sync every write, and a busy disk takes most of
 * a test's time for that. A killed process loses nothing of what it has written either way; what a power cut would
 * leave is tested beside the database itself. A temporary folder that somebody has chosen is meant.
 */
export function useScratchFolder() {
  const before = process.env.TMPDIR;
  // One for a run, whoever begins it: a path of three is too long for the socket of a database.
  if (before !== undefined && basename(before).startsWith(prefix)) return () => {};
  const parent = before === undefined && plentyOfMemory() ? memory : tmpdir();
  sweep(parent);
  const folder = mkdtempSync(join(parent, prefix));
  // Databases run under an account of their own, which must find the folder that is theirs below this one.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
}

function plentyOfMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** What runs left that were killed, a day ago or longer: it takes memory. */
function sweep(parent) {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(prefix))) {
    const path = join(parent, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - modified > day) rmSync(path, { recursive: true, force: true });
  }
}

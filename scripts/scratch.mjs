// The temporary folder of a test run.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 6 * 1024 ** 3;
const prefix = 'cellfolio-tests-';
const day = 24 * 3600 * 1000;

/**
 * Creates a temporary folder and sets `TMPDIR` for this process and its children, unless there is one already; returns a
 * function that deletes it.
 *
 * In memory if the machine has plenty, as databases and stores sync every write, which takes most of a test's time on a
 * busy disk. Power loss is tested with the database itself. A chosen `TMPDIR` is respected.
 */
export function useScratchFolder() {
  const before = process.env.TMPDIR;
  // One per run: nested folders would be too long for the path of a database socket.
  if (before !== undefined && basename(before).startsWith(prefix)) return () => {};
  const parent = before === undefined && hasPlentyOfMemory() ? memory : tmpdir();
  sweep(parent);
  const folder = mkdtempSync(join(parent, prefix));
  // Accessible for databases, which run under an account of their own.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
}

function hasPlentyOfMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** Deletes folders of runs that were killed more than a day ago. */
function sweep(parent) {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(prefix))) {
    const path = join(parent, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - modified > day) rmSync(path, { recursive: true, force: true });
  }
}

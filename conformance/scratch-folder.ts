import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * A new folder for what a test throws away. In memory where the machine has plenty: the embedded database and the
 * file store sync every write, for which a busy disk takes most of a test's time, and a killed process loses nothing
 * of what it has written either way. What a power cut would leave is tested beside the database itself.
 */
export async function scratchFolder(): Promise<string> {
  return mkdtemp(join((await plentyOfMemory()) ? memory : tmpdir(), 'cellfolio-conformance-'));
}

async function plentyOfMemory(): Promise<boolean> {
  // The temporary folder that somebody has chosen is meant.
  if (process.env['TMPDIR'] !== undefined) return false;
  const found = await statfs(memory).catch(() => undefined);
  return found !== undefined && found.bavail * found.bsize >= neededBytes;
}

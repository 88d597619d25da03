import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder that is removed when the test ends. */
export async function temporaryRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'cellfolio-store-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

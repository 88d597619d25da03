import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folderAt = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const cache = folderAt('../node_modules/.cache/cellfolio-conformance');
export const migrations = folderAt('../supabase/migrations');

/** What says how a new database looks. */
const sources = [
  migrations,
  folderAt('../packages/platform/src/database/bootstrap'),
  folderAt('../packages/platform/src/database/embedded'),
];

/**
 * Fills the new folder `target` with a copy of one that `make` made: a migrated database takes seconds to make and
 * tenths of a second to copy, so each kind is made once for every set of migrations. `extra` is whatever else it
 * depends on.
 */
export async function copyTemplate(
  kind: string,
  extra: string,
  make: (folder: string) => Promise<void>,
  target: string,
): Promise<void> {
  const template = join(cache, `${kind}-${await fingerprint(extra)}`);
  if (!existsSync(template)) {
    await mkdir(cache, { recursive: true });
    // Whole or not at all; where another process was faster, its copy is as good.
    const draft = `${template}.${process.pid}`;
    await make(draft);
    await rename(draft, template).catch(async (cause: unknown) => {
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(template)) throw cause;
    });
  }
  // Keeps owners, which PostgreSQL insists on, and shares blocks where the file system can.
  await run('cp', ['-a', '--reflink=auto', template, target]);
}

async function fingerprint(extra: string): Promise<string> {
  const hash = createHash('sha256').update(extra);
  for (const folder of sources) {
    for (const name of (await readdir(folder)).sort()) {
      hash.update(name).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

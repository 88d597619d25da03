import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderAt = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
export const productMigrations = folderAt('../../../../supabase/migrations');
const cache = folderAt('../../../../node_modules/.cache/cellfolio-test-databases');

const sources = [productMigrations, folderAt('./bootstrap'), folderAt('./embedded')];

interface Template {
  kind: string;
  /** Creates it as the folder `made` inside the given empty one. */
  make(folder: string): Promise<string>;
}

/**
 * For tests: a template folder to copy. A database takes seconds to create and tenths of a second to copy, so each kind
 * is created once for every state of the files that define it.
 */
export async function templateFolder({ kind, make }: Template): Promise<string> {
  const template = join(cache, `${kind}-${await fingerprint()}`);
  if (existsSync(template)) return template;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'making-'));
  try {
    // Atomic; if another process was faster, its copy is used.
    await rename(await make(draft), template).catch((cause: unknown) => {
      if (!existsSync(template)) throw cause;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return template;
}

async function fingerprint(): Promise<string> {
  // Includes the installed engine versions.
  const hash = createHash('sha256').update(await readFile(folderAt('../../package.json')));
  for (const folder of sources) {
    for (const name of (await readdir(folder)).sort()) {
      hash.update(name).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

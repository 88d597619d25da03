import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database/database.ts';
import { migrate, openDatabase } from './database/index.ts';

const folderAt = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const migrations = folderAt('../../../supabase/migrations');
const bootstrap = folderAt('./database/bootstrap');
const cache = folderAt('../../../node_modules/.cache/cellfolio-test-database');

/**
 * For tests: a migrated embedded database in a folder of its own, gone when it is closed. Initialising one costs
 * seconds, so it is done once per set of migrations and copied.
 */
export async function openTestDatabase(): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-platform-'));
  await copyTestDatabase(dataDir);
  const database = await openDatabase({ dataDir });
  // Nothing is left to do, unless a file was added between two lines above.
  await migrate(database, migrations);
  const close = database.close.bind(database);
  database.close = async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return database;
}

/** For tests that start a server of their own: puts a migrated embedded database into its data folder. */
export async function copyTestDatabase(dataDir: string): Promise<void> {
  await cp(await madeTemplate(), dataDir, { recursive: true });
}

async function madeTemplate(): Promise<string> {
  const template = join(cache, await fingerprint());
  if (await exists(template)) return template;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'making-'));
  const database = await openDatabase({ dataDir: folder });
  await migrate(database, migrations);
  await database.close();
  // Whole or not at all; where another process was faster, its copy is as good.
  await rename(folder, template).catch(async (cause: unknown) => {
    await rm(folder, { recursive: true, force: true });
    if (!(await exists(template))) throw cause;
  });
  return template;
}

/** Changes with every file that says what a new database looks like. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(folderAt('../package.json')));
  for (const folder of [bootstrap, migrations, folderAt('./database/embedded')]) {
    for (const name of (await readdir(folder)).sort()) {
      hash.update(name).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

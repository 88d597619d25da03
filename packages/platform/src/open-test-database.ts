import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database/database.ts';
import { migrate, openDatabase } from './database/index.ts';

const migrations = fileURLToPath(new URL('../../../supabase/migrations', import.meta.url));

/** For tests: a migrated embedded database in a folder of its own, gone when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-platform-'));
  const database = await openDatabase({ dataDir });
  await migrate(database, migrations);
  const close = database.close.bind(database);
  database.close = async () => {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return database;
}

import { type Database, migrate, openDatabase } from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import { paths } from '../boot/paths.ts';

/** Works with the database of the settings, its tables up to date, and closes it however the work ends. */
export async function withDatabase<T>(
  { dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, ...(databaseUrl && { url: databaseUrl }) });
  try {
    await migrate(database, paths.migrations);
    return await work(database);
  } finally {
    await database.close();
  }
}

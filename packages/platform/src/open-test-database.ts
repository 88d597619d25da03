import type { Database } from './database/database.ts';
import { openTestEmbedded } from './database/test-databases.ts';

/** For tests: a migrated embedded database in a folder of its own, gone when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  const { database, remove } = await openTestEmbedded();
  const close = database.close.bind(database);
  database.close = async () => {
    database.close = close;
    await remove();
  };
  return database;
}

import { migrate, openDatabase } from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import { paths } from '../boot/paths.ts';
import type { Terminal } from './terminal.ts';

/** Brings the tables of the database up to date, as the start of a server does too. */
export async function migrateDatabase(settings: Settings, terminal: Terminal): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  const database = await openDatabase({ dataDir, ...(databaseUrl && { url: databaseUrl }) });
  try {
    const applied = await migrate(database, paths.migrations);
    terminal.result({ applied }, () =>
      applied.length === 0 ? 'The database is up to date.' : `Applied:\n  ${applied.join('\n  ')}`,
    );
  } finally {
    await database.close();
  }
}

import { fileSize } from '@cellfolio/contract';
import { type Database, openDatabase } from '@cellfolio/platform';
import type { Settings } from '../../boot/settings/read-settings.ts';
import { openFiles } from '../../boot/open-files.ts';
import type { Terminal } from '../terminal.ts';
import { openUncached } from '../with-objects.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupRequest {
  readonly folder: string;
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Writes a backup into a new folder. A server on PostgreSQL may go on meanwhile; an embedded database is open in one
 * process only, so its server must be stopped. Throws what opening a database and writeBackup throw.
 */
export async function runBackup({ folder, settings, terminal, signal }: BackupRequest): Promise<void> {
  const database = await openAsItIs(settings);
  const blobs = await openFiles(settings);
  const objects = await openUncached(settings);
  const progress = terminal.progress('backup');
  try {
    const source = { database, blobs, objects, dataDir: settings.dataDir };
    const summary = await writeBackup(source, folder, progress.update, signal);
    progress.stop();
    terminal.result({ backup: summary }, () =>
      [
        `Backup written to ${summary.folder}:`,
        `${summary.rows} rows, ${summary.userFiles} files of users, ${summary.datasetFiles} files of datasets and gene sets, ${fileSize(summary.bytes)}.`,
        'It holds passwords (as hashes), keys and everything else of the database: keep it like the server itself.',
      ].join('\n'),
    );
  } finally {
    progress.stop();
    await objects.close();
    await blobs.close();
    await database.close();
  }
}

/** Not migrated: a backup before an upgrade is one of what was there before it. */
function openAsItIs({ dataDir, databaseUrl }: Settings): Promise<Database> {
  return openDatabase({ dataDir, ...(databaseUrl && { url: databaseUrl }) });
}

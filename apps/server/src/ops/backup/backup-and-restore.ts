import { fileSize } from '@cellfolio/contract';
import { migrate } from '@cellfolio/platform';
import { openDatabaseOf, openFiles, openUncached } from '../../boot/open-stores.ts';
import { paths } from '../../boot/paths.ts';
import type { CommandContext } from '../command.ts';
import { backupLevel, checkBackup, requireLevel, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

/**
 * Writes a backup into a new folder. A server on PostgreSQL may keep running; an embedded database can be open in one
 * process only, so its server must be stopped. Throws what opening a database and writeBackup throw.
 */
export async function runBackup(
  folder: string,
  { settings, terminal, signal }: CommandContext,
): Promise<void> {
  // Not migrated, so that a backup before an upgrade has the old state.
  const database = await openDatabaseOf(settings);
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
        'It contains password hashes, keys and all other data: protect it like the server itself.',
      ].join('\n'),
    );
  } finally {
    progress.stop();
    await objects.close();
    await blobs.close();
    await database.close();
  }
}

/**
 * Restores a backup into an empty installation, of either kind of database. Throws what opening a database, checkBackup
 * and restoreBackup throw.
 */
export async function runRestore(
  folder: string,
  { settings, terminal, signal }: CommandContext,
): Promise<void> {
  // As the server does: users' files must not be readable for others.
  process.umask(process.umask() | 0o007);
  const progress = terminal.progress('restore');
  try {
    const list = await checkBackup(folder, progress.update, signal);
    const database = await openDatabaseOf(settings);
    const blobs = await openFiles(settings);
    const objects = await openUncached(settings);
    try {
      const level = await backupLevel(folder, signal);
      await migrate(database, paths.migrations, { until: level });
      await requireLevel(database, level);
      const target = { database, blobs, objects, dataDir: settings.dataDir };
      const summary = await restoreBackup(folder, list, target, progress.update, signal);
      await migrate(database, paths.migrations);
      progress.stop();
      terminal.result({ restored: summary }, () =>
        [
          `Restored the backup of ${summary.writtenAt}:`,
          `${summary.rows} rows, ${summary.userFiles} files of users, ${summary.datasetFiles} files of datasets and gene sets.`,
        ].join('\n'),
      );
    } finally {
      await objects.close();
      await blobs.close();
      await database.close();
    }
  } finally {
    progress.stop();
  }
}

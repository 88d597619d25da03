import { migrate, openDatabase } from '@cellfolio/platform';
import { closeToOthers } from '../../boot/close-to-others.ts';
import { openFiles } from '../../boot/open-files.ts';
import { paths } from '../../boot/paths.ts';
import { openUncached } from '../with-objects.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import type { BackupRequest } from './run-backup.ts';

/**
 * Restores a backup into an empty installation, of either kind of database. Throws what opening a database, checkBackup
 * and restoreBackup throw.
 */
export async function runRestore({ folder, settings, terminal, signal }: BackupRequest): Promise<void> {
  closeToOthers();
  const progress = terminal.progress('restore');
  try {
    const list = await checkBackup(folder, progress.update, signal);
    const { dataDir, databaseUrl } = settings;
    const database = await openDatabase({ dataDir, ...(databaseUrl && { url: databaseUrl }) });
    const blobs = await openFiles(settings);
    const objects = await openUncached(settings);
    try {
      await migrate(database, paths.migrations);
      const target = { database, blobs, objects, dataDir };
      const summary = await restoreBackup(folder, list, target, progress.update, signal);
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

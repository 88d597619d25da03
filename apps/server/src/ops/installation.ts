import { join } from 'node:path';
import { migrate } from '@cellfolio/platform';
import { openDatabaseOf } from '../boot/open-stores.ts';
import { paths } from '../boot/paths.ts';
import { prepareDemoCatalogue } from '../features/demo/index.ts';
import type { CommandContext } from './command.ts';

export async function migrateDatabase({ settings, terminal }: CommandContext): Promise<void> {
  const database = await openDatabaseOf(settings);
  try {
    const applied = await migrate(database, paths.migrations);
    terminal.result({ applied }, () =>
      applied.length === 0 ? 'The database is up to date.' : `Applied:\n  ${applied.join('\n  ')}`,
    );
  } finally {
    await database.close();
  }
}

export async function prepareDemo({ settings, terminal, signal }: CommandContext): Promise<void> {
  const progress = terminal.progress('Demo catalog');
  try {
    const prepared = await prepareDemoCatalogue({
      root: settings.objects,
      tempDir: join(settings.dataDir, 'simulated'),
      onProgress: ({ stage, done, total }) => progress.update(stage, done, total),
      signal,
    });
    progress.stop();
    terminal.result({ prepared }, () => 'The demo catalog is ready.');
  } finally {
    progress.stop();
  }
}

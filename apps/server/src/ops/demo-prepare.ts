import { join } from 'node:path';
import type { Settings } from '../boot/settings/read-settings.ts';
import type { Terminal } from './terminal.ts';
import { prepareDemoCatalogue } from '../features/demo/index.ts';

/** Writes the demo datasets that are not there yet. */
export async function prepareDemo(
  settings: Settings,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const progress = terminal.progress('Demo catalogue');
  try {
    const prepared = await prepareDemoCatalogue({
      root: settings.objects,
      tempDir: join(settings.dataDir, 'simulated'),
      onProgress: ({ stage, done, total }) => progress.update(stage, done, total),
      signal,
    });
    progress.stop();
    terminal.result({ prepared }, () => 'The demo catalogue is ready.');
  } finally {
    progress.stop();
  }
}

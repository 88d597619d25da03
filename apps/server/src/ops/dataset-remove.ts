import { removeDataset } from '@cellfolio/store';
import type { Settings } from '../boot/settings/read-settings.ts';
import type { Terminal } from './terminal.ts';

/** Removes one dataset from the store. */
export async function removeFromCatalogue(id: string, settings: Settings, terminal: Terminal): Promise<void> {
  await removeDataset(settings.objects, id);
  terminal.result({ removed: id }, () => `Removed ${id}.`);
}

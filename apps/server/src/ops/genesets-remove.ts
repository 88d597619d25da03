import type { Settings } from '../boot/settings/read-settings.ts';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';
import { offeredLibraries, StoredLibraries } from '../features/gene-sets/index.ts';

/** Removes a stored library. The built-in one serves in the place of an offered one from then on. */
export async function removeGeneSets(name: string, settings: Settings, terminal: Terminal): Promise<void> {
  const removed = await withObjects(settings, (objects) => new StoredLibraries(objects).remove(name));
  if (!removed) {
    throw new CommandFailure(
      exitCode.notFound,
      `There is no stored gene-set library ${name}; see: genesets list`,
    );
  }
  const offered = offeredLibraries.find((library) => library.name === name);
  terminal.result({ removed: name }, () =>
    offered
      ? `Removed ${name}; the built-in one (${offered.builtIn.label}) is offered again.`
      : `Removed ${name}.`,
  );
}

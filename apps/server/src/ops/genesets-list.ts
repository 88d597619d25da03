import type { Settings } from '../boot/settings/read-settings.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';
import { GeneSetLibraries } from '../features/gene-sets/index.ts';

/** Prints the libraries that the server offers, and where each comes from. */
export async function printGeneSets(settings: Settings, terminal: Terminal): Promise<void> {
  const libraries = await withObjects(settings, (objects) => new GeneSetLibraries(objects).list());
  terminal.result({ libraries }, () => {
    const rows = libraries.map((library) => [
      printable(library.name),
      library.label || library.source,
      library.setCount.toLocaleString('en'),
      library.geneCount.toLocaleString('en'),
      library.damaged === undefined ? printable(library.release) : `damaged: ${printable(library.damaged)}`,
      library.licence,
    ]);
    const cited = libraries.filter(({ citation }) => citation !== '');
    return [
      alignColumns([['LIBRARY', 'SOURCE', 'SETS', 'GENES', 'RELEASE', 'LICENCE'], ...rows]),
      ...(cited.length > 0 ? ['', 'To be cited with results:'] : []),
      ...cited.map(({ name, citation }) => `${name}: ${citation}.`),
      ...(libraries.some(({ source }) => source === 'starter')
        ? ['', 'Fetch the whole libraries in the place of starters with: genesets pull']
        : []),
    ].join('\n');
  });
}

import { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import type { Settings } from '../start/environment.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';

/** Prints the libraries that the server offers, and where each comes from. */
export async function printGeneSets(settings: Settings, terminal: Terminal): Promise<void> {
  const libraries = await withObjects(settings, (objects) => new GeneSetLibraries(objects).list());
  terminal.result({ libraries }, () => {
    const rows = libraries.map(({ name, source, label, setCount, geneCount, storedAt, damaged }) => [
      printable(name),
      label || source,
      setCount.toLocaleString('en'),
      geneCount.toLocaleString('en'),
      damaged === undefined ? (storedAt?.slice(0, 10) ?? '') : `damaged: ${printable(damaged)}`,
    ]);
    const abridged = libraries.some(({ source }) => source === 'starter');
    return [
      alignColumns([['LIBRARY', 'SOURCE', 'SETS', 'GENES', 'STORED'], ...rows]),
      ...(abridged ? ['', 'Fetch the whole libraries in the place of starters with: genesets pull'] : []),
    ].join('\n');
  });
}

import { basename } from 'node:path';
import { withObjects } from '../../boot/open-stores.ts';
import {
  GeneSetLibraries,
  offeredLibraries,
  pullLibraries,
  type PullOutcome,
  StoredLibraries,
} from '../../features/gene-sets/index.ts';
import { type CommandContext, CommandFailure, exitCode, nameFrom, readInput } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';

interface PullOptions {
  /** Empty: the offered libraries. */
  names: readonly string[];
  missing: boolean;
  replace: boolean;
}

export async function pullGeneSets(
  { names, missing, replace }: PullOptions,
  { settings, terminal, signal }: CommandContext,
): Promise<number> {
  const progress = terminal.progress('Gene sets');
  let outcomes: PullOutcome[];
  try {
    outcomes = await withObjects(settings, (objects) =>
      pullLibraries(
        new StoredLibraries(objects),
        names.length > 0 ? names : offeredLibraries.map(({ name }) => name),
        {
          base: settings.geneSetUrl,
          timeoutMilliseconds: settings.geneSetTimeoutMilliseconds,
          missingOnly: missing,
          replace,
          signal,
          onProgress: ({ name, done, total }) => progress.update(name, done, total),
        },
      ),
    );
  } finally {
    progress.stop();
  }
  terminal.result({ libraries: outcomes }, () => textOf(outcomes));
  return outcomes.some(({ outcome }) => outcome === 'failed') ? exitCode.badInput : exitCode.ok;
}

function textOf(outcomes: readonly PullOutcome[]): string {
  const rows = outcomes.map((one) => {
    if (one.outcome === 'failed') return [one.name, 'failed', '', ''];
    const { setCount, geneCount } = one.record;
    return [one.name, one.outcome, setCount.toLocaleString('en'), geneCount.toLocaleString('en')];
  });
  const notes = outcomes.flatMap((one) => {
    if (one.outcome === 'fetched') return one.warnings;
    return one.outcome === 'kept' ? [`${one.name} was kept: ${one.reason}.`] : [one.reason];
  });
  const failed = outcomes.some(({ outcome }) => outcome === 'failed');
  return [
    alignColumns([['LIBRARY', '', 'SETS', 'GENES'], ...rows]),
    ...(notes.length > 0 ? ['', ...notes.map(printable)] : []),
    ...(failed ? ['Stored libraries are unchanged. Run the command again to retry.'] : []),
  ].join('\n');
}

/** About ten times the largest library of the publisher. */
const maxBytes = 64 * 1024 * 1024;

export async function addGeneSets(
  { file, name, replace }: { file: string; name?: string; replace: boolean },
  { settings, terminal }: CommandContext,
): Promise<void> {
  const library = {
    name: name ?? nameFrom(file, /\.(?:gmt|txt)$/i),
    bytes: await readInput(file, maxBytes),
    source: 'file',
    origin: basename(file),
    replace,
  } as const;
  const { record, warnings } = await withObjects(settings, (objects) =>
    new StoredLibraries(objects).put(library),
  );
  terminal.result({ library: record, warnings }, () =>
    [
      ...warnings.map(printable),
      `Added as ${record.name}: ${record.setCount.toLocaleString('en')} sets, ${record.geneCount.toLocaleString('en')} genes.`,
    ].join('\n'),
  );
}

export async function printGeneSets({ settings, terminal }: CommandContext): Promise<void> {
  const libraries = await withObjects(settings, (objects) => new GeneSetLibraries(objects).list());
  terminal.result({ libraries }, () => {
    const rows = libraries.map((library) => [
      printable(library.name),
      library.title === library.name ? library.source : library.title,
      library.setCount.toLocaleString('en'),
      library.geneCount.toLocaleString('en'),
      library.damaged === undefined ? printable(library.release) : `damaged: ${printable(library.damaged)}`,
      library.licence,
    ]);
    const cited = libraries.filter(({ citation }) => citation !== '');
    return [
      alignColumns([['LIBRARY', 'SOURCE', 'SETS', 'GENES', 'RELEASE', 'LICENCE'], ...rows]),
      ...(cited.length > 0 ? ['', 'Cite with results:'] : []),
      ...cited.map(({ name, citation }) => `${name}: ${citation}.`),
      ...(libraries.some(({ source }) => source === 'starter')
        ? ['', 'Download the complete libraries with: genesets pull']
        : []),
    ].join('\n');
  });
}

export async function removeGeneSets(name: string, { settings, terminal }: CommandContext): Promise<void> {
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
      ? `Removed ${name}; the built-in one (${offered.builtIn.title}) is offered again.`
      : `Removed ${name}.`,
  );
}

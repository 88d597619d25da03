import type { Settings } from '../boot/settings/read-settings.ts';
import { exitCode } from './exit-code.ts';
import { alignColumns, printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';
import {
  offeredLibraries,
  pullLibraries,
  type PullOutcome,
  StoredLibraries,
} from '../features/gene-sets/index.ts';

interface PullCommand {
  /** The offered libraries where it is empty. */
  readonly names: readonly string[];
  readonly missing: boolean;
  readonly replace: boolean;
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Fetches libraries from their publisher and prints what became of each; returns the exit code. */
export async function pullGeneSets(command: PullCommand): Promise<number> {
  const { names, missing, replace, settings, terminal, signal } = command;
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
    ...(failed ? ['What was stored before is unchanged; run the command again to retry.'] : []),
  ].join('\n');
}

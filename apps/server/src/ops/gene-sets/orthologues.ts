import { basename } from 'node:path';
import type { Species } from '@cellfolio/analysis';
import { speciesName } from '@cellfolio/contract';
import { withObjects } from '../../boot/open-stores.ts';
import { builtInOrthologues, StoredOrthologues } from '../../features/gene-sets/index.ts';
import { type CommandContext, CommandFailure, exitCode, readInput } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';

/** Twenty times the export of MGI for four species. */
const maxBytes = 256 * 1024 * 1024;

export async function addOrthologues(
  options: { file: string; from: string; to: string; replace: boolean },
  { settings, terminal }: CommandContext,
): Promise<void> {
  const { file, replace } = options;
  const { from, to } = twoSpecies(options);
  const table = {
    text: (await readInput(file, maxBytes)).toString(),
    from,
    to,
    origin: basename(file),
    replace,
  };
  const { pairs, incomplete } = await withObjects(settings, (objects) =>
    new StoredOrthologues(objects).put(table),
  );
  terminal.result({ orthologues: { from, to, pairs: pairs.length, incomplete } }, () =>
    [
      `Added ${pairs.length.toLocaleString('en')} pairs of ${from} and ${to} genes.`,
      ...(incomplete > 0
        ? [`Skipped ${incomplete.toLocaleString('en')} rows that name a gene of one species only.`]
        : []),
    ].join('\n'),
  );
}

export async function printOrthologues({ settings, terminal }: CommandContext): Promise<void> {
  const { tables, damaged } = await withObjects(settings, (objects) => new StoredOrthologues(objects).all());
  const stored = tables.map(({ from, to, pairs, origin, storedAt }) => ({
    from,
    to,
    pairs: pairs.length,
    origin,
    storedAt,
  }));
  const { from: human, to: mouse, pairCount, origin: release } = builtInOrthologues;
  const isReplaced = tables.some((table) => [table.from, table.to].sort().join() === `${human},${mouse}`);
  const builtIn = { from: human, to: mouse, pairs: pairCount, origin: release, storedAt: undefined };
  const shown = isReplaced ? stored : [...stored, builtIn];
  terminal.result({ orthologues: shown, damaged }, () =>
    [
      alignColumns([
        ['FROM', 'TO', 'PAIRS', 'FILE', 'STORED'],
        ...shown.map(({ from, to, pairs, origin, storedAt }) => [
          from,
          to,
          pairs.toLocaleString('en'),
          printable(origin),
          storedAt?.slice(0, 10) ?? 'built in',
        ]),
      ]),
      ...damaged.map((key) => `Damaged and ignored: ${printable(key)}. Add it again with --replace.`),
    ].join('\n'),
  );
}

export async function removeOrthologues(
  options: { from: string; to: string },
  { settings, terminal }: CommandContext,
): Promise<void> {
  const { from, to } = twoSpecies(options);
  const removed = await withObjects(settings, (objects) => new StoredOrthologues(objects).remove(from, to));
  if (!removed) {
    throw new CommandFailure(
      exitCode.notFound,
      `There is no table of orthologs between ${from} and ${to}; see: orthologues list`,
    );
  }
  terminal.result({ removed: { from, to } }, () => `Removed the table between ${from} and ${to}.`);
}

function twoSpecies(options: { from: string; to: string }): { from: Species; to: Species } {
  const read = (text: string) => {
    const { data } = speciesName.safeParse(text.trim().toLowerCase());
    if (data) return data;
    throw new CommandFailure(
      exitCode.usage,
      `Unknown species ${printable(text)}; use one of: ${speciesName.options.join(', ')}.`,
    );
  };
  const [from, to] = [read(options.from), read(options.to)];
  if (from === to)
    throw new CommandFailure(exitCode.usage, 'A table of orthologs needs two different species.');
  return { from, to };
}

import { basename } from 'node:path';
import { speciesName } from '@cellfolio/contract';
import { withObjects } from '../../boot/open-stores.ts';
import { type PairSetHead, PairSets } from '../../features/ligand-receptor/index.ts';
import { type CommandContext, CommandFailure, exitCode, readInput } from '../command.ts';
import { nameFrom } from '../name-from-file.ts';
import { alignColumns, printable } from '../terminal.ts';

/** Thirty times the largest published resource. */
const maxBytes = 16 * 1024 * 1024;

export interface AddOptions {
  readonly file: string;
  readonly name?: string;
  readonly release: string;
  readonly licence: string;
  readonly species: string;
  readonly replace: boolean;
}

/** Adds a set of pairs from a local file. */
export async function addPairs(
  { file, name, release, licence, species: given, replace }: AddOptions,
  { settings, terminal }: CommandContext,
): Promise<void> {
  const species = speciesName.safeParse(given.trim().toLowerCase()).data;
  if (species === undefined) {
    throw new CommandFailure(
      exitCode.usage,
      `Unknown species ${printable(given)}; use one of: ${speciesName.options.join(', ')}.`,
    );
  }
  const set = {
    name: name ?? nameFrom(file, /\.(?:csv|tsv|txt)$/i),
    release,
    licence,
    species,
    origin: basename(file),
    csv: (await readInput(file, maxBytes)).toString(),
  };
  const stored = await withObjects(settings, (objects) => new PairSets(objects).put(set, replace));
  const added = { ...headOf(stored), duplicates: stored.duplicates };
  terminal.result({ set: added }, () =>
    [
      `Added as ${added.name}: ${added.pairCount.toLocaleString('en')} pairs of ${species} genes.`,
      ...(added.duplicates > 0
        ? [`Skipped ${added.duplicates.toLocaleString('en')} rows that name a pair again.`]
        : []),
    ].join('\n'),
  );
}

/** What is said of a set, without its pairs. */
function headOf({ name, label, release, licence, species, pairCount, version }: PairSetHead): PairSetHead {
  return { name, label, release, licence, species, pairCount, version };
}

/** Prints the sets that the server offers. */
export async function printPairs({ settings, terminal }: CommandContext): Promise<void> {
  const { sets, damaged } = await withObjects(settings, (objects) => new PairSets(objects).all());
  const shown = sets.map(headOf);
  terminal.result({ sets: shown, damaged }, () =>
    [
      alignColumns([
        ['SET', 'PAIRS', 'SPECIES', 'RELEASE', 'LICENCE'],
        ...shown.map(({ name, pairCount, species, label, release, licence }) => [
          printable(name),
          pairCount.toLocaleString('en'),
          species,
          printable(label || release),
          printable(licence),
        ]),
      ]),
      ...damaged.map((name) => `Damaged and ignored: ${printable(name)}. Add it again with --replace.`),
    ].join('\n'),
  );
}

/** Removes a set that was added. */
export async function removePairs(name: string, { settings, terminal }: CommandContext): Promise<void> {
  const removed = await withObjects(settings, (objects) => new PairSets(objects).remove(name));
  if (!removed) {
    throw new CommandFailure(
      exitCode.notFound,
      `There is no set of pairs ${printable(name)} that was added; see: pairs list`,
    );
  }
  terminal.result({ removed: name }, () => `Removed ${name}.`);
}

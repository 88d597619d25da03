import { basename } from 'node:path';
import { speciesName } from '@cellfolio/contract';
import type { ObjectStore } from '@cellfolio/store';
import { withObjects } from '../../boot/open-stores.ts';
import { headOf, MarkerSets, PairSets, type StoredLists } from '../../features/reference-lists/index.ts';
import { type CommandContext, CommandFailure, exitCode, nameFrom, readInput } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';

export type ListName = 'pairs' | 'markers';

/** Thirty times the largest published resource. */
const maxBytes = 16 * 1024 * 1024;

export interface AddOptions {
  file: string;
  name?: string;
  release: string;
  licence: string;
  species: string;
  replace: boolean;
}

function listsOf(list: ListName, objects: ObjectStore): StoredLists<object> {
  return list === 'pairs' ? new PairSets(objects) : new MarkerSets(objects);
}

const entryNouns = { pairs: 'pairs', markers: 'types' } as const;

export async function addList(
  list: ListName,
  { file, name, release, licence, species: speciesText, replace }: AddOptions,
  { settings, terminal }: CommandContext,
): Promise<void> {
  const species = speciesName.safeParse(speciesText.trim().toLowerCase()).data;
  if (species === undefined) {
    throw new CommandFailure(
      exitCode.usage,
      `Unknown species ${printable(speciesText)}; use one of: ${speciesName.options.join(', ')}.`,
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
  const stored = await withObjects(settings, (objects) => listsOf(list, objects).put(set, replace));
  const added = { ...headOf(stored), duplicates: stored.duplicates };
  const entries = entryNouns[list];
  terminal.result({ set: added }, () =>
    [
      `Added as ${added.name}: ${added.count.toLocaleString('en')} ${entries} of ${species} genes.`,
      ...(added.duplicates > 0
        ? [
            `Skipped ${added.duplicates.toLocaleString('en')} ${list === 'pairs' ? 'rows that name a pair again' : 'genes that a type has already'}.`,
          ]
        : []),
    ].join('\n'),
  );
}

export async function printLists(list: ListName, { settings, terminal }: CommandContext): Promise<void> {
  const { lists, damaged } = await withObjects(settings, (objects) => listsOf(list, objects).all());
  const shown = lists.map(headOf);
  terminal.result({ sets: shown, damaged }, () =>
    [
      alignColumns([
        ['SET', entryNouns[list].toUpperCase(), 'SPECIES', 'RELEASE', 'LICENCE'],
        ...shown.map(({ name, count, species, label, release, licence }) => [
          printable(name),
          count.toLocaleString('en'),
          species,
          printable(label || release),
          printable(licence),
        ]),
      ]),
      ...damaged.map((name) => `Damaged and ignored: ${printable(name)}. Add it again with --replace.`),
    ].join('\n'),
  );
}

export async function removeList(
  list: ListName,
  name: string,
  { settings, terminal }: CommandContext,
): Promise<void> {
  const { noun, removed } = await withObjects(settings, async (objects) => {
    const lists = listsOf(list, objects);
    return { noun: lists.kind.noun, removed: await lists.remove(name) };
  });
  if (!removed) {
    throw new CommandFailure(
      exitCode.notFound,
      `There is no ${noun} ${printable(name)} that was added; see: ${list} list`,
    );
  }
  terminal.result({ removed: name }, () => `Removed ${name}.`);
}

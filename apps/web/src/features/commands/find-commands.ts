import type { Command, CommandSource } from '@/lib/commands.ts';

export interface CommandGroup {
  heading: string;
  commands: readonly Command[];
}

const maxCommands = 30;
const maxOfGroup = 8;
/** Without a text, so that every kind of command is in sight. */
const maxOfGroupAtFirst = 4;
const maxRecent = 5;

/**
 * At most thirty commands in groups, in the order of the sources; groups that contain the text only within a word come
 * last. Without a text recent ones come first; with one they come first in their group.
 * @param recent ids, newest first
 */
export function findCommands(
  sources: readonly CommandSource[],
  text: string,
  recent: readonly string[],
): CommandGroup[] {
  const query = text.trim();
  const groups = query === '' ? commandsAtFirst(sources, recent) : matchingCommands(sources, query, recent);
  let room = maxCommands;
  return groups.flatMap(({ heading, commands }) => {
    const shown = commands.slice(0, room);
    room -= shown.length;
    return shown.length === 0 ? [] : [{ heading, commands: shown }];
  });
}

function commandsAtFirst(sources: readonly CommandSource[], recent: readonly string[]): CommandGroup[] {
  const stillThere = recent.flatMap((id) => {
    for (const source of sources) {
      const command = source.byId(id);
      if (command !== undefined) return [command];
    }
    return [];
  });
  const newest = stillThere.slice(0, maxRecent);
  const ids = new Set(newest.map(({ id }) => id));
  const others = sources.map(({ heading, find }) => ({
    heading,
    commands: find('')
      .map(({ command }) => command)
      .filter(({ id }) => !ids.has(id))
      .slice(0, maxOfGroupAtFirst),
  }));
  return [{ heading: 'Recent', commands: newest }, ...others];
}

function matchingCommands(
  sources: readonly CommandSource[],
  query: string,
  recent: readonly string[],
): CommandGroup[] {
  const age = new Map(recent.map((id, at) => [id, at]));
  const ageOf = ({ id }: Command) => age.get(id) ?? recent.length;
  const groups = sources.map(({ heading, find }) => {
    const matches = find(query).toSorted(
      (one, other) =>
        Number(one.rank > 0) - Number(other.rank > 0) ||
        ageOf(one.command) - ageOf(other.command) ||
        one.rank - other.rank,
    );
    const best = Math.min(3, ...matches.map(({ rank }) => rank));
    return { heading, best, commands: matches.map(({ command }) => command).slice(0, maxOfGroup) };
  });
  return groups.toSorted((one, other) => Number(one.best === 3) - Number(other.best === 3));
}

import { createContext, use, useEffect, useRef } from 'react';

/** Something that the command palette offers. */
export interface Command {
  /** Stays the same from visit to visit: recent commands are remembered by it. */
  id: string;
  label: string;
  /** Shown after the label, in a muted colour. */
  note?: string | undefined;
  /** Further words by which it is found. */
  keywords?: string | undefined;
  run: () => void;
}

/** Commands of one kind, under a heading. */
export interface CommandSource {
  heading: string;
  /** The best matches first; for an empty text those to begin with. */
  find: (text: string) => readonly RankedCommand[];
  byId: (id: string) => Command | undefined;
}

export interface RankedCommand {
  command: Command;
  rank: Rank;
}

/** How well a text matches: the whole name, its beginning, that of one of its words, or anything else. */
export type Rank = 0 | 1 | 2 | 3;

export function listedCommands(heading: string, commands: readonly Command[]): CommandSource {
  return {
    heading,
    find: (text) => {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      return commands
        .flatMap((command): RankedCommand[] => {
          const rank = rankOf(command, words);
          return rank === undefined ? [] : [{ command, rank }];
        })
        .toSorted((one, other) => one.rank - other.rank);
    },
    byId: (id) => commands.find((command) => command.id === id),
  };
}

/** Every word has to occur in the label, the note or the keywords. */
function rankOf({ label, note = '', keywords = '' }: Command, words: readonly string[]): Rank | undefined {
  const name = label.toLowerCase();
  const all = `${name}\n${note}\n${keywords}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return undefined;
  const text = words.join(' ');
  if (name === text) return 0;
  if (name.startsWith(text)) return 1;
  return words.every((word) => startsWord(name, word)) ? 2 : 3;
}

function startsWord(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1))
    if (at === 0 || /[^\p{L}\p{N}]/u.test(name[at - 1]!)) return true;
  return false;
}

interface Commands {
  openPalette: () => void;
  openShortcuts: () => void;
  /** Offers the commands of a page; returns a function that withdraws them. */
  provide: (sources: () => readonly CommandSource[]) => () => void;
}

/** `null` on pages without a command palette. */
export const CommandsContext = createContext<Commands | null>(null);

/** Offers commands while the calling component is mounted; `sources` is called while the palette is open. */
export function useCommandSources(sources: () => readonly CommandSource[]): void {
  const provide = use(CommandsContext)?.provide;
  const latest = useRef(sources);
  useEffect(() => {
    latest.current = sources;
  });
  useEffect(() => provide?.(() => latest.current()), [provide]);
}

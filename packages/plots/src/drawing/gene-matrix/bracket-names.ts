import type { GeneRun } from './gene-bands.ts';
import { bareTop, bracketRise, nameRise } from './layout.ts';
import { allNameLines, type KeyLine, keyHeight, keyLines, lineHeight, nameSetting } from './name-setting.ts';

/** What stands over the brackets of a figure that is a part of a page, and below the columns. */
interface BracketNames {
  /** Of each run: a name on a line or two, or a number, or nothing. */
  readonly lines: readonly (readonly string[])[];
  /** What numbers stand for, on lines below the symbols. */
  readonly key: readonly KeyLine[];
  /** From the first line of the figure to its rows. */
  readonly head: number;
  /** Brackets that have neither a name nor a number that is explained. */
  readonly unnamed: number;
}

interface Room {
  readonly columnPitch: number;
  /** Height that the rows do not need. */
  readonly spare: number;
  /** Of a line of the key. */
  readonly width: number;
}

/** Of a bracket whose name is shortened rather than made a number. */
const minNameWidth = 64;
/** Names that lie over their brackets where there is room for them, else numbers that a key explains. */
export function bracketNames(runs: readonly GeneRun[], { columnPitch, spare, width }: Room): BracketNames {
  const bracketed = runs.filter(({ bracket }) => bracket !== null);
  const none = { lines: runs.map(() => []), key: [], head: bareTop };
  if (bracketed.length === 0) return { ...none, unnamed: 0 };
  // Names that stand would take the height that the rows need.
  const setting = nameSetting([runs], columnPitch);
  const isReadable = bracketed.every(({ count }) => count * columnPitch >= minNameWidth);
  if (setting !== 'upright' || isReadable) {
    const direction = setting === 'upright' ? 'two lines' : setting;
    const lines = allNameLines(runs, columnPitch, direction);
    const head = headOf(Math.max(...lines.map((name) => name.length)));
    if (head - bareTop <= spare) return { lines, key: [], head, unnamed: 0 };
  }
  let number = 0;
  const numbers = runs.map(({ bracket }) => (bracket === null ? [] : [String(++number)]));
  const key = keyLines(
    bracketed.map(({ bracket }, i) => [String(i + 1), bracket!]),
    width,
  );
  const head = headOf(1);
  const isRoom = head - bareTop + keyHeight(key) <= spare;
  return isRoom ? { lines: numbers, key, head, unnamed: 0 } : { ...none, unnamed: bracketed.length };
}

/** The number of the row that each bracket is named as. */
export function rowNumbers(runs: readonly GeneRun[], rowOf: ReadonlyMap<string, number>): BracketNames {
  const lines = runs.map(({ bracket }) => (bracket === null ? [] : [String(rowOf.get(bracket)!)]));
  return { lines, key: [], head: headOf(1), unnamed: 0 };
}

/** Above rows whose brackets have a name or a number on one line. */
export const bracketHead = headOf(1);

function headOf(lines: number): number {
  return Math.max(bareTop, lines * lineHeight + bracketRise + nameRise);
}
